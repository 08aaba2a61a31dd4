/** What the benches say: short everyday messages, written for this purpose. */
export const PROMPTS = [
  'My best friend is moving to another country and I do not know what I will do without her.',
  'I finally passed my driving test after failing it three times!',
  'My neighbour keeps playing loud music at night and I cannot sleep any more.',
  'I found an old photo album of my grandparents while cleaning the attic.',
  'My interview is tomorrow morning and my hands are shaking already.',
  'I told everyone I would finish the race, and then I gave up half way.',
] as const;
