/** `npm run eval -- <what> …`: every published figure, asked of what is served. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as affect from './affect.ts';
import * as behaviour from './behaviour.ts';
import * as causes from './causes.ts';
import { type Half, oneHalf } from './dialogues.ts';
import * as dimensions from './dimensions.ts';
import { writePictures } from './pictures/write.ts';
import { flat } from './print.ts';
import * as reply from './reply.ts';
import * as runtimes from './runtimes.ts';
import * as safety from './safety.ts';

const USAGE = `usage: npm run eval -- affect     [--data FILE] [--target edge|server] [--limit N] [--half tune|report]
                                  [--train FILE] [--pictures [DIR]] --json
       npm run eval -- behaviour  [--data FILE] [--limit N] [--half tune|report] --json
       npm run eval -- causes     [--data FILE] [--limit N] [--half tune|report] --json
       npm run eval -- dimensions --data DIR [--limit N] --json
       npm run eval -- runtimes   [--data FILE] [--limit N] [--half tune|report] --json
       npm run eval -- reply      [--data FILE] [--limit N] [--half tune|report] --json
       npm run eval -- safety     [--data FILE] [--limit N] [--half tune|report] --json
FILE is EmpatheticDialogues-shaped jsonl (causes: also RECCON's json, which has no halves; safety: rows {text, expect};
behaviour: items); without --data the small committed sample is used. --train is what the bag of words
learns from (default: train.jsonl beside FILE); --pictures writes SVG, by default to docs/affect.`;

const PICTURES = fileURLToPath(new URL('../docs/affect', import.meta.url));

const { positionals, values } = parseArgs({
  args: withFolder(process.argv.slice(2)),
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    target: { type: 'string', default: 'edge' },
    limit: { type: 'string' },
    half: { type: 'string' },
    train: { type: 'string' },
    pictures: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const sample = (name: string) => fileURLToPath(new URL(`./data/${name}`, import.meta.url));

/** The figures, and how they are shown to people. */
interface Shown {
  readonly figures: object;
  readonly table: object;
}

async function main(): Promise<Shown> {
  const limit = values.limit === undefined ? {} : { limit: positive(values.limit) };
  const half = values.half === undefined ? {} : { half: oneHalf(values.half) };
  const given = values.data === undefined ? {} : { data: values.data };
  const dialogues = { data: sample('affect.sample.jsonl'), ...given, ...limit, ...half };
  switch (positionals[0]) {
    case 'affect':
      return shown(await affectFigures(dialogues));
    case 'behaviour': {
      const figures = await behaviour.run({ ...given, ...limit, ...half });
      return { figures, table: behaviour.tableOf(figures) };
    }
    case 'causes': {
      const data = { data: sample('reccon.sample.json'), ...given };
      return shown(await causes.run({ ...data, ...limit, ...half }));
    }
    case 'dimensions':
      if (values.data === undefined) throw new Error('dimensions needs --data DIR');
      if (values.half !== undefined) throw new Error('the data of dimensions have no halves');
      return shown(await dimensions.run({ data: values.data, ...limit }));
    case 'runtimes':
      return shown(await runtimes.run(dialogues));
    case 'reply':
      return shown(await reply.run(dialogues));
    case 'safety': {
      const data = { data: sample('safety.sample.jsonl'), ...given };
      return shown(await safety.run({ ...data, ...limit, ...half }));
    }
    default:
      throw new Error(USAGE);
  }
}

function shown(figures: object): Shown {
  return { figures, table: flat(figures) };
}

async function affectFigures(options: { data: string; limit?: number; half?: Half }) {
  const { target, train, pictures } = values;
  if (target !== 'edge' && target !== 'server') throw new Error('--target is edge or server');
  const learn = train === undefined ? {} : { train };
  const { figures, labels, answers } = await affect.run({ ...options, target, ...learn });
  if (pictures !== undefined) await writePictures(pictures, answers);
  if (!values.json) console.table(labels.map((row) => flat(row)));
  return figures;
}

/** `--pictures` may stand alone, which `parseArgs` does not know. */
function withFolder(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const next = args[index + 1];
    const alone = arg === '--pictures' && (next === undefined || next.startsWith('--'));
    return alone ? [arg, PICTURES] : [arg];
  });
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error('--limit is a positive whole number');
  return value;
}

try {
  const { figures, table } = await main();
  if (!values.json) console.table(table);
  console.log(JSON.stringify(figures));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : 'failed');
  process.exit(1);
}
