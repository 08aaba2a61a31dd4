/** The whole path on one machine: the Worker in workerd, the model server behind it. */
import { postJson, type Served, serveModel, serveWorker } from '../eval/serve.ts';
import { median, type StreamTiming, timeStream } from './measure.ts';
import { PROMPTS } from './prompts.ts';

const ROUNDS = 4;

export async function run(): Promise<Record<string, number | string | null>> {
  const model = await serveModel();
  const worker = await serveWorker(model);
  try {
    const started = performance.now();
    await turn(worker, PROMPTS[0]);
    const cold = performance.now() - started;
    const timings: StreamTiming[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const prompt of PROMPTS) timings.push(await turn(worker, prompt));
    }
    return {
      turns: timings.length,
      first_turn_cold_ms: cold,
      first_delta_ms_median: median(timings.map(({ first_ms }) => first_ms)),
      deltas_per_s_median: median(
        timings.filter(({ pieces }) => pieces > 4).map((t) => t.pieces_per_s),
      ),
      protocol: 'one user, a new session each turn, streamed, time from sending the message',
    };
  } finally {
    await worker.close();
    await model.close();
  }
}

async function turn(worker: Served, text: string): Promise<StreamTiming> {
  const { session_id } = await postJson<{ session_id: string }>(worker, '/v1/sessions', {});
  return timeStream(
    fetch(`${worker.url}/v1/sessions/${session_id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${worker.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    }),
    (frame) => frame.includes('event: delta'),
  );
}
