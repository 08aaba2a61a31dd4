import { describe, expect, it } from 'vitest';
import { otherLanguageReply } from '../../src/generate/other-language.ts';

describe('the reply to another language', () => {
  it.each(['es', 'fr', 'de', 'pt', 'it'])('is in %s and in English', (language) => {
    const [own, english] = otherLanguageReply(language).split('\n\n');
    expect(english).toBe(otherLanguageReply(null));
    expect(own).not.toBe(english);
  });

  it.each(['zh', 'xx', null])(
    'is in English for %s, says that it is an AI and where help is',
    (language) => {
      expect(otherLanguageReply(language)).toMatch(/\bAI\b.*emergency number/);
    },
  );
});
