/** The real engine with some of it replaced. */
import type { Engine, EngineInfo } from '../../src/engine/types.ts';

/**
 * @param info facts that differ, asked for each time
 * @param methods what is done instead
 */
export function changed(
  engine: Engine,
  info: () => Partial<EngineInfo>,
  methods: Partial<Omit<Engine, 'info'>> = {},
): Engine {
  return {
    get info() {
      return { ...engine.info, ...info() };
    },
    prepare: (conversation, reserve) => engine.prepare(conversation, reserve),
    readHeads: (prompt, signal) => engine.readHeads(prompt, signal),
    generate: (prompt, request, signal) => engine.generate(prompt, request, signal),
    countReply: (text) => engine.countReply(text),
    score: (prompt, replies, judge, signal) => engine.score(prompt, replies, judge, signal),
    close: () => engine.close(),
    ...methods,
  };
}
