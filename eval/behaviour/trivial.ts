/** Readers that look at nothing: what the behaviour set is passed with by chance (E07). Pure. */
import { EMOTIONS } from '../../src/affect/emotions.ts';
import { groupsOf } from '../../src/affect/groups.ts';
import type { Reading } from './reading.ts';

const nothing = {
  causes: [],
  valence: null,
  arousal: null,
  dominance: null,
  intensity: null,
  distress: null,
  concern: null,
  self_disclosure: null,
};

/** Never answers, for want of words: of the three reasons the one that passes most items of the set. */
const abstains: Reading = {
  ...nothing,
  emotions: EMOTIONS.map((label) => ({ label, probability: 1 / EMOTIONS.length })),
  groups: groupsOf(EMOTIONS.map(() => 1 / EMOTIONS.length)),
  abstained: true,
  abstain_reason: 'no_words',
};

const sadness = EMOTIONS.map((label) => (label === 'sad' ? 1 : 0));

/** Sure of "sad", whatever is said; no other label alone passes more items of the set. */
const sad: Reading = {
  ...nothing,
  emotions: EMOTIONS.map((label, at) => ({ label, probability: sadness[at] ?? 0 })).toSorted(
    (left, right) => right.probability - left.probability,
  ),
  groups: groupsOf(sadness),
  abstained: false,
  abstain_reason: null,
};

/** By the names that their rates have in the figures. */
export const TRIVIAL_READERS = { always_abstains: abstains, always_sad: sad } as const;
