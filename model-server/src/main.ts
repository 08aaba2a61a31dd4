/** The process: one JSON line per event on stdout. */
import { run } from './run.ts';

await run({
  env: process.env,
  log: (record) => console.log(JSON.stringify({ time: new Date().toISOString(), ...record })),
  onStopSignal: (handler) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, handler);
  },
  exit: (code) => process.exit(code),
});
