/** Judges generated replies and the listeners' own to the same turns. */
import { nodeClassifier } from '../node-classifier.ts';
import type { Answered } from '../reply/figures.ts';
import { type Feeling, type JudgedReply, type JudgeFigures, judgeFigures } from './figures.ts';
import { type Judge, loadJudge } from './judge.ts';

/**
 * What is judged is a reply to the newest message (as in EmPO's evaluation), not to the whole history.
 * @throws when the judge or the edge model does not load
 */
export async function judgeReplies(rows: readonly Answered[]): Promise<JudgeFigures> {
  const judge = await loadJudge();
  const feel = await feelingReader();
  const judged: JudgedReply[] = [];
  for (const { conv_id, said, reference, generated } of rows) {
    judged.push({
      conv_id,
      ours: await both({ judge, feel }, said, generated.text),
      human: await both({ judge, feel }, said, reference),
    });
  }
  return judgeFigures(judged);
}

type FeelingReader = (text: string) => Promise<Feeling>;

async function both(
  { judge, feel }: { readonly judge: Judge; readonly feel: FeelingReader },
  seeker: string,
  response: string,
): Promise<JudgedReply['ours']> {
  return { levels: await judge({ seeker, response }), feeling: await feel(response) };
}

/** The edge model reads the reply as if a person had said it alone. */
async function feelingReader(): Promise<FeelingReader> {
  const classifier = await nodeClassifier();
  return async function feelingIn(text) {
    const result = await classifier.classify([{ role: 'user', text }]);
    if (!result.ok) throw new Error(result.message);
    const { valence, arousal } = result.affect;
    return { valence, arousal };
  };
}
