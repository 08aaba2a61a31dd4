/**
 * Make a retrieval index:
 *
 *     npx tsx model-server/src/select/build-index.ts --data train.jsonl --out retrieval.json
 *
 * The index holds texts of the data and keeps its licence (EmpatheticDialogues: CC BY-NC 4.0, treat
 * as non-commercial). Do not put it into the repository.
 */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { dialogueSchema, exchangesOf } from './exchanges.ts';
import { buildRetrieval, type Exchange } from './retrieval.ts';

const { values } = parseArgs({ options: { data: { type: 'string' }, out: { type: 'string' } } });
const { data, out } = values;
if (data === undefined || out === undefined) {
  console.error('usage: build-index.ts --data CONVERSATIONS.jsonl --out INDEX.json');
  process.exitCode = 2;
} else {
  const exchanges = await readExchanges(data);
  await writeFile(out, buildRetrieval(exchanges));
  console.log(JSON.stringify({ exchanges: exchanges.length, out }));
}

/** @throws with the line's number when a line is not a conversation */
async function readExchanges(path: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    number++;
    if (line.trim() === '') continue;
    const parsed = dialogueSchema.safeParse(parseLine(line));
    if (!parsed.success) throw new Error(`${path}:${number}: not a conversation`);
    exchanges.push(...exchangesOf(parsed.data));
  }
  return exchanges;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
