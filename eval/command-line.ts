/** What may be written behind `npm run eval --`. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Half, oneHalf } from './dialogues.ts';
import { type Mode, oneMode } from './reply/decoding.ts';

export const USAGE = `usage: npm run eval -- affect     [--data FILE] [--target edge|server|both] [--limit N] [--half tune|report]
                                  [--train FILE] [--pictures [DIR]] --json
       npm run eval -- behaviour  [--data FILE] [--limit N] [--half tune|report] --json
       npm run eval -- causes     [--data FILE] [--limit N] [--half tune|report] --json
       npm run eval -- dimensions --data DIR [--limit N] --json
       npm run eval -- general    [--data FILE] [--limit N] [--decoding default|greedy] [--best-of K] --json
       npm run eval -- rank       [--data FILE] [--limit N] [--half tune|report] [--blocks B] [--contexts N] --json
       npm run eval -- reply      [--data FILE] [--limit N] [--half tune|report] [--generate-limit N]
                                  [--decoding default|greedy] [--best-of K] [--judge] --json
       npm run eval -- runtimes   [--data FILE] [--limit N] [--half tune|report] --json
       npm run eval -- safety     [--data FILE] [--limit N] [--half tune|report] --json
FILE is EmpatheticDialogues-shaped jsonl (causes: also RECCON's json, which has no halves; safety: rows {text, expect};
behaviour, general: items); without --data the small committed sample is used. --train is what the bag of words
learns from (default: train.jsonl beside FILE); --pictures writes SVG, by default to docs/affect. Limits count
conversations; --contexts counts contexts of a block. docs/evaluation.md has the protocol of each figure.`;

const PICTURES = fileURLToPath(new URL('../docs/affect', import.meta.url));

/** The words of a command line, read and checked. A name that is absent was not given. */
export interface CommandLine {
  readonly what: string | undefined;
  readonly json: boolean;
  readonly data?: string;
  readonly target: string;
  readonly limit?: number;
  readonly half?: Half;
  readonly train?: string;
  readonly pictures?: string;
  readonly blocks?: number;
  readonly contexts?: number;
  readonly bestOf?: number;
  readonly decoding?: Mode;
  readonly generateLimit?: number;
  readonly judge: boolean;
}

/**
 * @param args behind the command
 * @throws on an unknown option, and on a value that an option cannot have
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { positionals, values } = parseArgs({
    args: withFolder(args),
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      target: { type: 'string', default: 'edge' },
      limit: { type: 'string' },
      half: { type: 'string' },
      train: { type: 'string' },
      pictures: { type: 'string' },
      blocks: { type: 'string' },
      contexts: { type: 'string' },
      'best-of': { type: 'string' },
      decoding: { type: 'string' },
      'generate-limit': { type: 'string' },
      judge: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { data, half, train, pictures, decoding } = values;
  const limit = count('--limit', values.limit);
  const blocks = count('--blocks', values.blocks);
  const contexts = count('--contexts', values.contexts);
  const bestOf = count('--best-of', values['best-of']);
  const generateLimit = count('--generate-limit', values['generate-limit']);
  return {
    what: positionals[0],
    json: values.json,
    target: values.target,
    judge: values.judge,
    // Absent, not undefined, where nothing was said (exactOptionalPropertyTypes).
    ...(data === undefined ? {} : { data }),
    ...(limit === undefined ? {} : { limit }),
    ...(half === undefined ? {} : { half: oneHalf(half) }),
    ...(train === undefined ? {} : { train }),
    ...(pictures === undefined ? {} : { pictures }),
    ...(blocks === undefined ? {} : { blocks }),
    ...(contexts === undefined ? {} : { contexts }),
    ...(bestOf === undefined ? {} : { bestOf }),
    ...(decoding === undefined ? {} : { decoding: oneMode(decoding) }),
    ...(generateLimit === undefined ? {} : { generateLimit }),
  };
}

/** `--pictures` may stand alone, which `parseArgs` does not know. */
function withFolder(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const next = args[index + 1];
    const alone = arg === '--pictures' && (next === undefined || next.startsWith('--'));
    return alone ? [arg, PICTURES] : [arg];
  });
}

function count(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} is a positive whole number`);
  return value;
}
