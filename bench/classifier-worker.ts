/// <reference path="../src/affect/modules.d.ts" />
/**
 * The classifier alone in a Worker. `GET /?words=20&calls=5` classifies a message of 20 words five
 * times: time is taken outside, because a Worker's clock stands still while it computes.
 */
import { classify } from '../src/affect/index.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams;
    const calls = Number(query.get('calls'));
    // One token each; that the words are equal makes no difference to the time.
    const text = 'day '.repeat(Number(query.get('words')));
    for (let call = 0; call < calls; call += 1) {
      const result = await classify([{ role: 'user', text }]);
      if (!result.ok) return new Response(result.message, { status: 503 });
    }
    return new Response('done');
  },
};
