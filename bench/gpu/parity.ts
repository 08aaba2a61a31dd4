/** Reads the heads of fixed conversations from a server with `MODEL_GPU` and from one without; prints JSON. */
import { postJson, serveModel } from '../../eval/serve.ts';
import { PROMPTS } from '../prompts.ts';
import { compareHeads, type Heads } from './compare.ts';
import { usedMemoryMib } from './memory.ts';

/** Each prompt alone, and as the second message of a conversation. */
const CONVERSATIONS = PROMPTS.flatMap((content, i) => {
  const message = { role: 'user', content };
  const before = { role: 'user', content: PROMPTS[(i + 1) % PROMPTS.length] };
  const reply = { role: 'assistant', content: 'I hear you. Tell me more about it.' };
  return [[message], [before, reply, message]];
});

async function read(gpu: string): Promise<{ heads: Heads[]; usedMib: number | null }> {
  process.env['MODEL_GPU'] = gpu;
  const server = await serveModel();
  try {
    const heads: Heads[] = [];
    for (const messages of CONVERSATIONS) {
      heads.push(await postJson<Heads>(server, '/v1/affect', { messages }));
    }
    return { heads, usedMib: await usedMemoryMib() };
  } finally {
    await server.close();
  }
}

const wanted = process.env['MODEL_GPU'] === 'auto' ? 'auto' : 'false';
const device = await read(wanted);
const cpu = await read('false');
const comparison = compareHeads(cpu.heads, device.heads);
console.log(
  JSON.stringify({
    against: wanted === 'auto' ? 'gpu' : 'cpu again',
    used_mib_while_serving: device.usedMib,
    ...comparison,
  }),
);
