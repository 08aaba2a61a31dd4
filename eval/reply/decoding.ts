/** How replies are drawn: what is sent to the server, and its name beside the figures. */
import {
  DEFAULT_MIN_P,
  DEFAULT_REPEAT_PENALTY,
  DEFAULT_TEMPERATURE,
  DEFAULT_TOP_P,
} from '../../model-server/src/constants.ts';

export type Mode = 'default' | 'greedy';

/**
 * The mode that somebody asks for by its name.
 * @throws on any other name
 */
export function oneMode(name: string): Mode {
  if (name !== 'default' && name !== 'greedy') throw new Error('--decoding is default or greedy');
  return name;
}

/** Decoding in full; part of the figures. */
export interface Decoding {
  readonly mode: Mode;
  /** 0: always the likeliest token. */
  readonly temperature: number;
  readonly top_p: number;
  readonly min_p: number;
  readonly repeat_penalty: number;
  /** Replies that the server drew and chose from. */
  readonly best_of: number;
  readonly intent: string;
  readonly seed: string;
}

/**
 * @param bestOf replies that the server draws and chooses from
 * @throws on several greedy replies: they would be one and the same
 */
export function decodingOf(mode: Mode, bestOf = 1): Decoding {
  if (mode === 'greedy' && bestOf > 1) throw new Error('--best-of needs --decoding default');
  return {
    mode,
    temperature: mode === 'greedy' ? 0 : DEFAULT_TEMPERATURE,
    top_p: mode === 'greedy' ? 1 : DEFAULT_TOP_P,
    min_p: mode === 'greedy' ? 0 : DEFAULT_MIN_P,
    repeat_penalty: DEFAULT_REPEAT_PENALTY,
    best_of: bestOf,
    intent: 'predicted by the model',
    seed: 'number of the turn in the run, from 0',
  };
}

/** Fields of `POST /v1/chat/completions`: everything is said, so the name is what was done. */
export function requestFields(decoding: Decoding): Record<string, unknown> {
  const { temperature, top_p, min_p, repeat_penalty, best_of } = decoding;
  return {
    temperature,
    top_p,
    min_p,
    repeat_penalty,
    ...(best_of === 1 ? {} : { attune: { best_of } }),
  };
}
