/** A vocabulary of the slot tokens, single bytes and nothing else. */
import { findSlots } from '../../src/engine/slots.ts';
import type { Tokenizer } from '../../src/engine/tokenizer.ts';

const SLOTS_FROM = 1_000;
const names = new Map<string, number>();
const found = findSlots((text) => {
  const id = names.get(text) ?? SLOTS_FROM + names.size;
  names.set(text, id);
  return id;
});
if (!found.ok) throw new Error('no slots');

/** Ids of the slots, from 1,000 on. */
export const slots = found.value;

/** Bytes of UTF-8 are their own ids (text only for printable ones); only `<|im_end|>` ends. */
export const tokenizer: Tokenizer = {
  vocabulary: {
    name: 'tiny',
    persona: 'I listen.',
    emotionInput: false,
    slots,
    textOf: (token) => (token === 32 ? 'Ġ' : String.fromCharCode(token)),
    masked: [...names.values()].filter((id) => id !== slots.imEnd),
    ending: new Set([slots.imEnd]),
  },
  encode: (text) => [...new TextEncoder().encode(text)],
  close: () => Promise.resolve(),
};
