/** The model server alone: one user at a time, over HTTP and server-sent events. */
import { type Served, serveModel } from '../eval/serve.ts';
import { median, residentMb, type StreamTiming, timeStream } from './measure.ts';
import { PROMPTS } from './prompts.ts';

const ROUNDS = 4;

export async function run(): Promise<Record<string, number | string | null>> {
  const server = await serveModel();
  try {
    await ask(server, PROMPTS[0], 0);
    const timings: StreamTiming[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, prompt] of PROMPTS.entries()) {
        timings.push(await ask(server, prompt, round * PROMPTS.length + i));
      }
    }
    return {
      requests: timings.length,
      first_delta_ms_median: median(timings.map(({ first_ms }) => first_ms)),
      tokens_per_s_median: median(
        timings.filter(({ pieces }) => pieces > 4).map((t) => t.pieces_per_s),
      ),
      resident_mb: await residentMb(server.pid),
      protocol:
        'one user, streamed, 24 requests after one warm-up, a piece of text is about a token',
    };
  } finally {
    await server.close();
  }
}

function ask(server: Served, content: string, seed: number): Promise<StreamTiming> {
  return timeStream(
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'attune-135m',
        stream: true,
        seed,
        messages: [{ role: 'user', content }],
      }),
    }),
    (frame) => /"content":"[^"]/.test(frame),
  );
}
