/** `npm run eval -- <what> …`: every published figure, asked of what is served. */
import { fileURLToPath } from 'node:url';
import * as affect from './affect.ts';
import * as affectBoth from './affect-both.ts';
import * as behaviour from './behaviour.ts';
import * as causes from './causes.ts';
import { type CommandLine, readCommandLine, USAGE } from './command-line.ts';
import * as dimensions from './dimensions.ts';
import * as general from './general/figures.ts';
import * as generalRun from './general/run.ts';
import { writePictures } from './pictures/write.ts';
import { flat } from './print.ts';
import { progressTo } from './progress.ts';
import * as rank from './rank.ts';
import * as reply from './reply.ts';
import * as runtimes from './runtimes.ts';
import * as safety from './safety.ts';

const sample = (name: string) => fileURLToPath(new URL(`./data/${name}`, import.meta.url));

/** The figures, and how they are shown to people. */
interface Shown {
  readonly figures: object;
  readonly table: object;
}

const progress = progressTo({
  write: (line) => process.stderr.write(`${line}\n`),
  now: () => Date.now(),
});

async function answer(line: CommandLine): Promise<Shown> {
  const dialogues = { data: sample('affect.sample.jsonl'), ...line };
  switch (line.what) {
    case 'affect':
      return shown(await affectFigures(dialogues));
    case 'behaviour': {
      const figures = await behaviour.run(line);
      return { figures, table: behaviour.tableOf(figures) };
    }
    case 'causes':
      return shown(await causes.run({ data: sample('reccon.sample.json'), ...line }));
    case 'dimensions':
      if (line.data === undefined) throw new Error('dimensions needs --data DIR');
      if (line.half !== undefined) throw new Error('the data of dimensions have no halves');
      return shown(await dimensions.run({ ...line, data: line.data }));
    case 'general': {
      if (line.half !== undefined) throw new Error('the items of general have no halves');
      const figures = await generalRun.run(line);
      return { figures, table: general.tableOf(figures) };
    }
    case 'rank':
      return shown(await rank.run({ ...dialogues, progress }));
    case 'reply':
      return shown(await reply.run({ ...dialogues, progress }));
    case 'runtimes':
      return shown(await runtimes.run(dialogues));
    case 'safety':
      return shown(await safety.run({ data: sample('safety.sample.jsonl'), ...line }));
    default:
      throw new Error(USAGE);
  }
}

function shown(figures: object): Shown {
  return { figures, table: flat(figures) };
}

async function affectFigures(line: CommandLine & { readonly data: string }): Promise<object> {
  const { target, pictures, json } = line;
  if (target === 'both') return affectBoth.run(line);
  if (target !== 'edge' && target !== 'server') {
    throw new Error('--target is edge, server or both');
  }
  const { figures, labels, answers } = await affect.run({ ...line, target });
  if (pictures !== undefined) await writePictures(pictures, answers);
  if (!json) console.table(labels.map((row) => flat(row)));
  return figures;
}

try {
  const line = readCommandLine(process.argv.slice(2));
  const { figures, table } = await answer(line);
  if (!line.json) console.table(table);
  console.log(JSON.stringify(figures));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : 'failed');
  process.exit(1);
}
