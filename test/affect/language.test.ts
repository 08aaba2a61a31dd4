import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGE_CHARS } from '../../src/affect/constants.ts';
import { languageOf, languageOfPerson } from '../../src/affect/language.ts';
import { WELL_FORMED } from '../support/adversarial-strings.ts';
import { LATIN_LANGUAGES, OTHER_LANGUAGES } from './fixtures/other-languages.ts';

/** What is judged of a text when the vocabulary holds none of its words whole, or all of them. */
function judged(text: string, whole: boolean) {
  const words = (text.match(/\p{L}+/gu) ?? []).map((typed) => ({ typed, whole }));
  return languageOf({ text, words });
}

/** Turns of a person, newest first, of which the vocabulary holds no word whole. */
function spoken(...texts: readonly string[]) {
  return languageOfPerson(
    texts.map((text) => ({
      text,
      words: (text.match(/\p{L}+/gu) ?? []).map((typed) => ({ typed, whole: false })),
    })),
  );
}

/** The test runner takes its time to transform the detector's table; the bundle has it ready. */
beforeAll(async () => {
  await judged('dos palabras', false);
});

const OTHER_SCRIPTS = Object.entries(OTHER_LANGUAGES)
  .filter(([code]) => !LATIN_LANGUAGES.some((latin) => latin === code))
  .flatMap(([code, texts]) => texts.map((text) => ({ code, text })));

describe('languageOf', () => {
  it.each(OTHER_SCRIPTS)('knows $code by its script: $text', async ({ text }) => {
    const { code, readable } = await judged(text, false);
    expect(readable).toBe(false);
    expect(code).not.toBe('en');
  });

  it.each([
    ['привет, как дела?', 'ru'],
    ['今日はとても悲しいです。', 'ja'],
    ['我今天很难过。', 'zh'],
    ['오늘 너무 슬퍼요.', 'ko'],
    ['أنا حزين جدا اليوم.', 'ar'],
    ['Είμαι λυπημένη.', 'el'],
    ['Je suis très triste aujourd’hui.', 'fr'],
    ['Estoy muy triste hoy.', 'es'],
    ['Ich bin heute sehr traurig.', 'de'],
  ])('names the language of %j', async (text, code) => {
    expect(await judged(text, false)).toEqual({ code, readable: false });
  });

  it('reads a text when the vocabulary holds its words', async () => {
    const text = 'Hong Kong Phooey lol';
    const words = text.split(' ').map((typed) => ({ typed, whole: typed !== 'Phooey' }));
    expect(await languageOf({ text, words })).toEqual({ code: 'en', readable: true });
  });

  it('does not call a text English for its vocabulary alone', async () => {
    expect(await judged('Ma mère est malade.', true)).toEqual({ code: null, readable: true });
  });

  it.each([
    ['Мне очень грустно и одиноко, угол π', 'ru'],
    ['Μου λείπει η Анна', 'el'],
    ['東京大学に落ちた', 'ja'],
    ['我今天很难过，因为我没有喜欢の人', 'zh'],
  ])('goes by the script of most letters of %j', async (text, code) => {
    expect(await judged(text, false)).toEqual({ code, readable: false });
  });

  it('names no language of a script that the detector does not know', async () => {
    expect(await judged('ᎠᏆᏓᏅᏖᏙ ᎤᏲ ᎠᏆᏓᏅᏔᏩ I am sad', false)).toEqual({
      code: null,
      readable: false,
    });
  });

  it('reads on when there is no detector to be had', async () => {
    const words = [
      { typed: 'sehr', whole: false },
      { typed: 'traurig', whole: false },
    ];
    const missing = () => Promise.reject(new Error('no such module'));
    const german = await languageOf({ text: 'sehr traurig', words }, missing);
    expect(german).toEqual({ code: null, readable: true });
    const russian = await languageOf({ text: 'очень грустно', words }, missing);
    expect(russian).toEqual({ code: null, readable: false });
  });

  it('takes a text for English when English grammar holds it together', async () => {
    const text = 'I had sushi with Giovanni in Guadalajara';
    expect(await judged(text, false)).toEqual({ code: 'en', readable: true });
  });

  it('leaves a text to the model when the detector is not sure of it', async () => {
    expect(await judged('asdf qwer zxcv', false)).toMatchObject({ readable: true });
  });

  it('does not judge a single word', async () => {
    expect(await judged('hola', false)).toEqual({ code: null, readable: true });
    expect(await judged('', false)).toEqual({ code: null, readable: true });
  });

  it('goes by most of the letters when scripts are mixed', async () => {
    expect((await judged('I am so sad, 我很难过', true)).readable).toBe(true);
    expect((await judged('我今天很难过，真的 ok', true)).readable).toBe(false);
  });

  it('reads letters that belong to no script', async () => {
    expect((await judged('𝓘 𝓪𝓶 𝓼𝓪𝓭', false)).readable).toBe(true);
  });

  it('T06 judges the end of a long text', async () => {
    const text = `${'сегодня '.repeat(2_000)}${'I am so sad. '.repeat(LANGUAGE_CHARS / 13 + 1)}`;
    expect(await judged(text, true)).toEqual({ code: 'en', readable: true });
  });

  it.each([...WELL_FORMED, '\ud800', 'a'.repeat(50_000)])('takes every text: %#', async (text) => {
    expect(typeof (await judged(text, false)).readable).toBe('boolean');
  });
});

describe('languageOfPerson', () => {
  it('judges the latest turn, whatever was said before', async () => {
    expect(await spoken('I am so sad about it', 'Estoy muy triste hoy.')).toMatchObject({
      code: 'en',
      readable: true,
    });
    expect(await spoken('Estoy muy triste hoy.', 'I am so sad about it')).toEqual({
      code: 'es',
      readable: false,
    });
  });

  it.each(['😭', 'no', '', '12'])(
    'goes by the turn before when the latest is %j',
    async (latest) => {
      expect(await spoken(latest, 'Estoy muy triste hoy.')).toEqual({
        code: 'es',
        readable: false,
      });
      expect(await spoken(latest, 'ok', 'I am so sad about it', 'Estoy muy triste hoy.')).toEqual({
        code: 'en',
        readable: true,
      });
    },
  );

  it('knows one word of another script', async () => {
    expect(await spoken('Грустно', 'I am so sad about it')).toMatchObject({ readable: false });
  });

  it('says nothing of nothing', async () => {
    expect(await spoken()).toEqual({ code: null, readable: true });
    expect(await spoken('hola', 'no')).toEqual({ code: null, readable: true });
  });
});
