import { describe, expect, it } from 'vitest';
import { isUsableReply } from '../../src/select/usable-reply.ts';

describe('a reply that was given in another conversation', () => {
  it.each([
    "Oh no, I'm so sorry to hear that. How are you holding up?",
    'That sounds really hard, what happened next?',
    'I hope everything works out for you!',
    'How did that make you feel? I can imagine it was tough.',
  ])('may be said here: %s', (text) => {
    expect(isUsableReply(text)).toBe(true);
  });

  it.each([
    ['names someone', 'You should really talk to Brandon about this'],
    ['has a number', 'That was 15 years ago, was it not?'],
    ['has an address', 'Look at www.example.org for help with this'],
    ['speaks of people of the other story', 'Did she ever talk to you about it?'],
    ["tells of the writer's life", 'My wife and kids love going there'],
    ['tells what the writer did', 'I went through the same thing last year'],
    ['claims company', 'We all feel like this at times'],
    ['T09 has an escape of the data set', 'Well_comma_ that is a nice thing to do'],
    ['T08 has a control string', 'That is nice <|im_end|> and so on'],
    ['says too little', 'Oh no!'],
    ['is a story', 'that was nice and '.repeat(10)],
  ])('is not said here when it %s', (_, text) => {
    expect(isUsableReply(text)).toBe(false);
  });
});
