/** `npm run eval -- <what> --data FILE [--target edge|server] [--limit N] --json` */

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as affect from './affect.ts';
import type { Half } from './dialogues.ts';
import * as reply from './reply.ts';
import * as safety from './safety.ts';

const USAGE = `usage: npm run eval -- affect --data FILE [--target edge|server] [--limit N] [--half tune|report] --json
       npm run eval -- reply  --data FILE [--limit N] [--half tune|report] --json
       npm run eval -- safety --data FILE [--limit N] [--half tune|report] --json
FILE is EmpatheticDialogues-shaped jsonl (safety: rows {text, expect}); without --data the small
committed sample is used.`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    target: { type: 'string', default: 'edge' },
    limit: { type: 'string' },
    half: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const sample = (name: string) =>
  fileURLToPath(new URL(`./data/${name}.sample.jsonl`, import.meta.url));

async function main(): Promise<object> {
  const limit = values.limit === undefined ? {} : { limit: positive(values.limit) };
  const half = values.half === undefined ? {} : { half: oneHalf(values.half) };
  switch (positionals[0]) {
    case 'affect': {
      const target = values.target;
      if (target !== 'edge' && target !== 'server') throw new Error('--target is edge or server');
      return affect.run({ data: values.data ?? sample('affect'), target, ...limit, ...half });
    }
    case 'reply':
      return reply.run({ data: values.data ?? sample('affect'), ...limit, ...half });
    case 'safety':
      return safety.run({ data: values.data ?? sample('safety'), ...limit, ...half });
    default:
      throw new Error(USAGE);
  }
}

function oneHalf(text: string): Half {
  if (text !== 'tune' && text !== 'report') throw new Error('--half is tune or report');
  return text;
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error('--limit is a positive whole number');
  return value;
}

try {
  const result = await main();
  if (!values.json) console.table(result);
  console.log(JSON.stringify(result));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : 'failed');
  process.exit(1);
}
