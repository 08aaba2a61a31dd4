/**
 * Checks the data of the safety room at build time: helplines, emergency numbers, rules, texts.
 * Prints `file:line: message` for each fault and exits with 1 when there is one.
 *
 *   npx tsx scripts/check-safety-data.ts [helplines.json]
 */
import { readFileSync } from 'node:fs';
import { readHelplineFile } from '../src/safety/helpline-file.ts';
import { checkRules } from '../src/safety/rules/check.ts';
import { checkTexts } from '../src/safety/text/check.ts';

const file = process.argv[2] ?? new URL('../src/safety/data/helplines.json', import.meta.url);
const data = readHelplineFile(readFileSync(file, 'utf8'));
const faults = [
  ...(data.ok ? [] : data.errors.map((error) => `${file}:${error.line}: ${error.message}`)),
  ...checkRules(),
  ...checkTexts(),
];
for (const fault of faults) console.error(fault);
if (data.ok) console.log(`helplines: ${data.entries.length} entries`);
console.log(
  faults.length === 0 ? 'safety data: no faults' : `safety data: ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
