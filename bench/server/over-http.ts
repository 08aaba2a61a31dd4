/** Replies over HTTP and server-sent events. */
import type { Served } from '../../eval/serve.ts';
import { PROMPTS } from '../prompts.ts';
import { type Speaker, stopwatch } from './arm.ts';

/** @returns a speaker that asks a running model server */
export function httpSpeaker(server: Served): Speaker {
  return async function ask(prompt, seed) {
    const watch = stopwatch();
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'attune-135m',
        stream: true,
        stream_options: { include_usage: true },
        seed,
        messages: [{ role: 'user', content: PROMPTS[prompt] }],
      }),
    });
    if (!response.ok || response.body === null) {
      throw new Error(`the stream answered ${response.status}`);
    }
    let tokens = 0;
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        if (/"content":"[^"]/.test(frame)) watch.text();
        tokens = Number(/"completion_tokens":(\d+)/.exec(frame)?.[1] ?? tokens);
      }
    }
    return watch.end(tokens);
  };
}
