/** `npm run bench -- classifier|edge|server --json`: medians, printed and never asserted. */
import { parseArgs } from 'node:util';
import * as classifier from './classifier.ts';
import * as edge from './edge.ts';
import * as server from './server.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, fp32: { type: 'string' } },
});
const BENCHES = {
  classifier: () => classifier.run(values.fp32 === undefined ? {} : { fp32: values.fp32 }),
  edge: edge.run,
  server: server.run,
};
const chosen = Object.entries(BENCHES).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
if (chosen.length === 0) {
  console.error('usage: npm run bench -- classifier [--fp32 FILE]|edge|server --json');
  process.exit(1);
}
const results: Record<string, unknown> = {};
for (const [name, bench] of chosen) {
  try {
    results[name] = await bench();
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : 'failed'}`);
    // Not by itself: a server that was not ended would keep the process alive.
    process.exit(1);
  }
}
const result = chosen.length === 1 ? results[chosen[0]?.[0] ?? ''] : results;
if (!values.json) console.table(result);
console.log(JSON.stringify(result));
process.exit(0);
