/** Writes the pictures of `eval -- affect --pictures DIR`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answers, scoredOf } from '../affect-figures.ts';
import { confusionPicture } from './confusion.ts';
import { reliabilityPicture } from './reliability.ts';

/** Makes the folder if need be and replaces `confusion.svg` and `reliability.svg` in it. */
export async function writePictures(folder: string, answers: Answers): Promise<void> {
  const history = answers.history.map(scoredOf);
  const situations = answers.situations.map(scoredOf);
  const heading = `History, ${history.length.toLocaleString('en')} listener turns`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'confusion.svg'), await confusionPicture(history, heading));
  await writeFile(
    join(folder, 'reliability.svg'),
    await reliabilityPicture([
      { name: 'History', examples: history },
      { name: 'Situation', examples: situations },
    ]),
  );
}
