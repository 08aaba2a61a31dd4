/** The processes that a bench started, read from /proc. */
import { readdir, readFile } from 'node:fs/promises';

/**
 * Processes of this name among the descendants of a process; none where there is no /proc.
 * @param name as in /proc/PID/comm, at most 15 characters
 */
export async function descendants(root: number, name: string): Promise<number[]> {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const entry of await readdir('/proc').catch(() => [])) {
    // `PID (name) state parent …`: a name may hold blanks and brackets itself.
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const [, pid, comm, parent] = /^(\d+) \((.*)\) \S (\d+) /s.exec(stat) ?? [];
    if (comm !== undefined) parents.set(Number(pid), { parent: Number(parent), name: comm });
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent;
    return parent !== undefined && parent > 0 && (parent === root || isBelow(parent));
  };
  return [...parents].flatMap(([pid, found]) => (found.name === name && isBelow(pid) ? [pid] : []));
}
