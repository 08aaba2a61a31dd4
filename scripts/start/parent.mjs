/**
 * Notices that the `npm start` above us was ended. npm does not pass every signal on, and the shell
 * between us swallows some, so without this a killed npm would leave both servers running.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const LOOK_MS = 500;

/** @returns {{parent: number, command: string}} of a process; throws where it cannot be read */
function look(pid) {
  // Small Linux images have no ps, other systems no /proc.
  if (existsSync('/proc/self/stat')) {
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { parent: Number(parent), command };
  }
  const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' });
  const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(line);
  return { parent: Number(parent), command };
}

/** @returns {boolean} whether a command line is npm's own and not the shell's that npm uses */
function isNpm(command) {
  return /\bnpm\b/.test(command) && !/^\S*sh -c /.test(command);
}

/** @returns {number | null} the process id of npm, or null where npm did not start us */
function findNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return null;
  try {
    // npm is our parent, or the parent of the shell that it uses.
    const { command, parent } = look(process.ppid);
    if (isNpm(command)) return process.ppid;
    return isNpm(look(parent).command) ? parent : null;
  } catch {
    return null;
  }
}

/**
 * Started in any other way (by a shell, a service manager, nohup) our parent may end without
 * meaning us, so nothing is watched then.
 *
 * @param {() => void} onGone called once when npm is no longer there
 */
export function watchNpm(onGone) {
  const npm = findNpm();
  if (npm === null) return;
  const timer = setInterval(() => {
    try {
      process.kill(npm, 0);
    } catch {
      clearInterval(timer);
      onGone();
    }
  }, LOOK_MS);
  timer.unref();
}
