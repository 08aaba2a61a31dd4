import { describe, expect, it } from 'vitest';
import { EMOTIONS } from '../../src/affect/emotions.ts';
import type { Affect } from '../../src/affect/types.ts';
import { degradedReply } from '../../src/generate/degraded.ts';

function affect(label: (typeof EMOTIONS)[number], probability: number, abstained = false): Affect {
  return { emotions: [{ label, probability }], abstained };
}

describe('the degraded reply', () => {
  it('says that the answer could not be written, whatever was felt', () => {
    for (const label of EMOTIONS) {
      expect(degradedReply(affect(label, 0.9))).toContain('cannot be reached');
    }
    expect(degradedReply(null)).toContain('What you wrote is kept');
  });

  it('names a hard feeling only when the classifier is sure of it', () => {
    expect(degradedReply(affect('lonely', 0.9))).toMatch(/^That sounds lonely\./);
    expect(degradedReply(affect('lonely', 0.2))).not.toContain('lonely');
    expect(degradedReply(affect('lonely', 0.9, true))).not.toContain('lonely');
  });
});
