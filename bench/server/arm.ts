/** Several users at once, each with one request after the other. */
import { PROMPTS } from '../prompts.ts';

/** One reply. */
export interface Spoken {
  /** Milliseconds until the first text. */
  readonly first_ms: number;
  /** Tokens sampled, the end token included. */
  readonly tokens: number;
  /** After the first text. */
  readonly tokens_per_s: number;
}

/**
 * Answers a prompt.
 * @param prompt index into PROMPTS
 */
export type Speaker = (prompt: number, seed: number) => Promise<Spoken>;

/** What is measured. */
export interface Arm {
  readonly name: string;
  readonly users: number;
  /** Requests of each user. */
  readonly requests: number;
  readonly speak: Speaker;
}

/** What came out. */
export interface ArmResult {
  readonly name: string;
  /** All tokens by the time from the first request to the last token. */
  readonly tokens_per_s: number;
  readonly spoken: readonly Spoken[];
}

/** Run an arm; the same round has the same prompts and seeds in every arm of as many users. */
export async function runArm(arm: Arm, round: number): Promise<ArmResult> {
  const started = performance.now();
  const perUser = await Promise.all(
    Array.from({ length: arm.users }, async (_, user) => {
      const spoken: Spoken[] = [];
      for (let turn = 0; turn < arm.requests; turn++) {
        const index = (round * arm.requests + turn) * arm.users + user;
        spoken.push(await arm.speak(index % PROMPTS.length, index));
      }
      return spoken;
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  const spoken = perUser.flat();
  const tokens = spoken.reduce((sum, one) => sum + one.tokens, 0);
  return { name: arm.name, tokens_per_s: tokens / seconds, spoken };
}

/** Time a reply: call `text` at each piece of text, `end` with the number of tokens. */
export function stopwatch() {
  const started = performance.now();
  let first = Number.NaN;
  let last = Number.NaN;
  return {
    text(): void {
      last = performance.now();
      if (Number.isNaN(first)) first = last;
    },
    end(tokens: number): Spoken {
      return {
        first_ms: first - started,
        tokens,
        tokens_per_s: ((tokens - 1) * 1_000) / (last - first),
      };
    },
  };
}
