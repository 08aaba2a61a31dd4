import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emotionsOnly } from '../../../eval/ask.ts';
import type { Scored } from '../../../eval/metrics.ts';
import { BY_FAMILY, confusionPicture } from '../../../eval/pictures/confusion.ts';
import { reliabilityPicture } from '../../../eval/pictures/reliability.ts';
import { html, picture } from '../../../eval/pictures/svg.ts';
import { writePictures } from '../../../eval/pictures/write.ts';
import { EMOTIONS, type Emotion } from '../../../src/affect/emotions.ts';
import { familyOf } from '../../../src/affect/groups.ts';

/** `label` called `predicted` with a confidence. */
function called(label: Emotion, predicted: Emotion, confidence = 0.5): Scored {
  return {
    label: EMOTIONS.indexOf(label),
    probabilities: EMOTIONS.map((name) => (name === predicted ? confidence : 0)),
  };
}

const EXAMPLES = [
  ...Array.from({ length: 3 }, () => called('angry', 'angry', 0.9)),
  called('angry', 'furious', 0.7),
  ...Array.from({ length: 4 }, () => called('proud', 'proud', 0.9)),
];

/** Tags that are opened and closed in turn, and attributes in quotes: no library of ours reads XML. */
function problemsOf(svg: string): string[] {
  const open: string[] = [];
  const problems: string[] = [];
  for (const [tag, close, name = '', rest = ''] of svg.matchAll(/<(\/?)([a-z]+)([^>]*)>/g)) {
    if (!/^(\s+[\w:-]+="[^"<]*")*\s*\/?$/.test(rest)) problems.push(tag);
    if (close === '/') {
      if (open.pop() !== name) problems.push(tag);
    } else if (!rest.endsWith('/')) open.push(name);
  }
  const text = svg.replace(/<style>[^<]*<\/style>/, '').replace(/<[^>]*>/g, '');
  if (/[<>]|&(?!(amp|lt|gt|quot|#39);)/.test(text)) problems.push('an unescaped sign');
  return [...problems, ...open];
}

const pictures = {
  confusion: () => confusionPicture(EXAMPLES, 'History, 8 listener turns'),
  reliability: () =>
    reliabilityPicture([
      { name: 'History', examples: EXAMPLES },
      { name: 'Situation', examples: [] },
    ]),
};

describe.each(Object.entries(pictures))('the %s picture', (_name, draw) => {
  it('is well-formed and holds no number that is none', async () => {
    const svg = await draw();
    expect(problemsOf(svg)).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('runs nothing, fetches nothing, and can be read without being seen', async () => {
    const svg = await draw();
    expect(svg).not.toMatch(/<script|href=|url\(|@import|\son\w+=/i);
    expect(svg).toMatch(/<svg [^>]*role="img" aria-labelledby="title description"/);
    expect(svg).toMatch(/<title id="title">[^<]+<\/title>\s*<desc id="description">[^<]+<\/desc>/);
    expect(svg).toContain('prefers-color-scheme:dark');
  });

  it('is the same at every call', async () => {
    expect(await draw()).toBe(await draw());
  });
});

describe('the confusion picture', () => {
  it('says in words what was found and what was confused', async () => {
    const svg = await pictures.confusion();
    expect(svg).toMatch(/<desc[^>]*>Found, of each label: angry \.75, .*proud 1\.00/s);
    expect(svg).toContain('Most frequent confusions: angry called furious .25.');
    expect(svg).toContain('History, 8 listener turns');
  });

  it('writes the shares into their cells, the diagonal in another colour', async () => {
    const svg = await pictures.confusion();
    expect(svg.match(/<rect class="d"/g)).toHaveLength(2);
    expect(svg.match(/<rect class="o"/g)).toHaveLength(1);
    for (const share of ['.75', '.25', '1.00']) expect(svg).toContain(`>${share}</text>`);
  });

  it('has every label twice, families together', async () => {
    const svg = await pictures.confusion();
    for (const emotion of EMOTIONS) {
      expect(svg.match(new RegExp(`>${emotion}</text>`, 'g')), emotion).toHaveLength(2);
    }
    const families = BY_FAMILY.map((index) => familyOf(EMOTIONS[index] ?? 'sad'));
    const changes = families.filter((family, place) => family !== families[place - 1]);
    expect(changes).toEqual([...new Set(families)]);
    expect(new Set(BY_FAMILY).size).toBe(32);
  });
});

describe('the reliability diagram', () => {
  it('says how many answers of which confidence were right, and the error', async () => {
    const svg = await pictures.reliability();
    // Seven answers of .9 are all right, one of .7 is wrong: (7 × .1 + 1 × .7) / 8.
    expect(svg).toContain('History: n 8, ECE .175');
    expect(svg).toContain('7 answers of confidence .90 are right 1.00');
    expect(svg).toContain('1 answers of confidence .70 are right .00');
  });

  it('leaves out a protocol that was not asked', async () => {
    expect(await pictures.reliability()).not.toContain('Situation');
  });
});

describe('a picture', () => {
  it('escapes what stands in it', async () => {
    const svg = await picture({
      width: 1,
      height: 1,
      title: 'a < b & "c"',
      description: '</desc><script>',
      body: [html`<text x="${'"'}">${'<'}</text>`],
    });
    expect(problemsOf(svg)).toEqual([]);
    expect(svg).not.toContain('<script>');
  });
});

describe('writing the pictures', () => {
  it('makes the folder and both files', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'attune-')), 'new');
    const answered = EXAMPLES.map(({ label, probabilities }, index) => ({
      conv_id: `c${index}`,
      messages: [],
      label,
      reading: emotionsOnly(probabilities),
    }));
    await writePictures(folder, { history: answered, situations: answered, baseline: null });
    expect(await readFile(join(folder, 'confusion.svg'), 'utf8')).toContain('8 listener turns');
    expect(await readFile(join(folder, 'reliability.svg'), 'utf8')).toContain('Situation: n 8');
  });
});
