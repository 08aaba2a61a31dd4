/** What nvidia-smi says about memory. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Memory in use on the first GPU in MiB, by everyone, or null where nvidia-smi does not tell. */
export async function usedMemoryMib(): Promise<number | null> {
  try {
    const query = ['--id=0', '--query-gpu=memory.used', '--format=csv,noheader,nounits'];
    const { stdout } = await run('nvidia-smi', query);
    const used = Number.parseInt(stdout, 10);
    return Number.isNaN(used) ? null : used;
  } catch {
    return null;
  }
}
