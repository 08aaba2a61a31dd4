/**
 * Ids of a stream that names them in its logprobs, checked against its texts. llama.cpp's server
 * sends no frame while the text ends inside a character, and then only the last id of it: what the
 * others were is not told, so the text is tokenised here. vLLM tells every id at once and keeps the
 * text back, which is no gap.
 */
import { EngineFailure } from '../failure.ts';
import { TextAssembler } from '../text-assembler.ts';
import type { Tokenizer } from '../tokenizer.ts';

/** One stream. */
export class HeardTokens {
  readonly #tokenizer: Tokenizer;
  readonly #control: ReadonlySet<number>;
  #assembler = new TextAssembler();
  /** Text of ids that came before their text. */
  #ahead = '';
  /** Ids have come whose text, or a part of it, has not. */
  #owed = false;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
    const { masked, ending } = tokenizer.vocabulary;
    this.#control = new Set([...masked, ...ending]);
  }

  /**
   * The ids of one frame.
   * @param ids as the frame names them
   * @param text of the frame; empty when there is none
   * @throws EngineFailure when the text is neither that of its ids nor of ids that were left out
   */
  take(ids: readonly number[], text: string): readonly number[] {
    const { encode, vocabulary } = this.#tokenizer;
    // Control tokens have no text.
    const said = ids.filter((id) => !this.#control.has(id));
    for (const id of said) this.#ahead += this.#assembler.push(vocabulary.textOf(id));
    // What is no UTF-8 is left out of our text, too.
    const heard = text.replaceAll('\uFFFD', '');
    if (heard === '') {
      this.#owed ||= said.length > 0;
      return ids;
    }
    if (this.#ahead.startsWith(heard)) {
      this.#ahead = this.#ahead.slice(heard.length);
      this.#owed = this.#ahead !== '';
      return ids;
    }
    if (this.#owed) {
      throw new EngineFailure('broken', 'a frame of the remote engine has another text than ids');
    }
    this.#assembler = new TextAssembler();
    this.#ahead = '';
    return [...encode(heard), ...ids.filter((id) => this.#control.has(id))];
  }
}
