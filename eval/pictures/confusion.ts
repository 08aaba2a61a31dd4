/** What is called what: 32 × 32, rows are labels, columns are predictions. Pure. */
import { EMOTIONS } from '../../src/affect/emotions.ts';
import { FAMILIES, familyOf } from '../../src/affect/groups.ts';
import { confusion, type Scored } from '../metrics.ts';
import { figure, html, type Piece, picture } from './svg.ts';

const CELL = 24;
const LEFT = 100;
const TOP = 150;
const SIDE = CELL * EMOTIONS.length;

/** Shares under this are not drawn: they would be a grey veil. */
const FAINTEST = 0.01;
/** Shares from this on are written into their cell. */
const WRITTEN = 0.1;
/** Confusions named in the description. */
const NAMED = 12;

/** Indices into `EMOTIONS`, families together. */
export const BY_FAMILY: readonly number[] = FAMILIES.flatMap((family) =>
  EMOTIONS.flatMap((emotion, index) => (familyOf(emotion) === family ? [index] : [])),
);

interface Cell {
  readonly row: number;
  readonly column: number;
  /** Of the row's examples, how many are called so: 0–1. */
  readonly share: number;
}

/** @param heading what was asked, e.g. "History, 2,851 listener turns" */
export function confusionPicture(examples: readonly Scored[], heading: string): Promise<string> {
  const counts = confusion(examples, EMOTIONS.length);
  const cells = BY_FAMILY.flatMap((label, row): Cell[] => {
    const called = counts[label] ?? [];
    const n = called.reduce((sum, count) => sum + count, 0);
    return BY_FAMILY.map((predicted, column) => ({
      row,
      column,
      share: n === 0 ? 0 : (called[predicted] ?? 0) / n,
    }));
  });
  return picture({
    width: LEFT + SIDE + 90,
    height: TOP + SIDE + 20,
    title: `Confusion of the 32 emotions. ${heading}`,
    description: describe(cells),
    body: [
      html`<text class="t" x="12" y="24">What is called what</text>
<text class="s" x="12" y="40">${heading}. Row: the label; column: the prediction; each row sums to 1.</text>
<text class="s" x="12" y="54">Families together; shares from ${figure(WRITTEN, 2)} on are written, under ${figure(FAINTEST, 2)} left out.</text>`,
      ...BY_FAMILY.map(namesOf),
      ...cells.filter(({ share }) => share >= FAINTEST).map(drawn),
      ...familyFrames(),
      html`<rect class="f" x="${LEFT}" y="${TOP}" width="${SIDE}" height="${SIDE}"/>`,
    ],
  });
}

function nameAt(place: number): string {
  return EMOTIONS[BY_FAMILY[place] ?? -1] ?? '';
}

function namesOf(_label: number, place: number): Piece {
  const middle = place * CELL + CELL / 2 + 4;
  const [x, y] = [LEFT + middle, TOP - 6];
  return html`<text x="${LEFT - 6}" y="${TOP + middle}" text-anchor="end">${nameAt(place)}</text>
<text x="${x}" y="${y}" transform="rotate(-60 ${x} ${y})">${nameAt(place)}</text>`;
}

function drawn({ row, column, share }: Cell): Piece {
  const [x, y] = [LEFT + column * CELL, TOP + row * CELL];
  // The eye tells small areas of ink apart by their root.
  const ink = Math.sqrt(share).toFixed(2);
  const square = html`<rect class="${row === column ? 'd' : 'o'}" x="${x}" y="${y}" width="${CELL}" height="${CELL}" fill-opacity="${ink}"/>`;
  if (share < WRITTEN) return square;
  return html`${square}<text class="n" x="${x + CELL / 2}" y="${y + CELL / 2 + 3}" text-anchor="middle">${figure(share, 2)}</text>`;
}

/** A frame around each family's block on the diagonal, and its name at the right. */
function familyFrames(): Piece[] {
  return FAMILIES.map((family) => {
    const size = EMOTIONS.filter((emotion) => familyOf(emotion) === family).length;
    const first = BY_FAMILY.findIndex((_, place) => isOf(family, place));
    const [at, side] = [first * CELL, size * CELL];
    return html`<rect class="f" x="${LEFT + at}" y="${TOP + at}" width="${side}" height="${side}"/>
<text class="s" x="${LEFT + SIDE + 8}" y="${TOP + at + side / 2 + 4}">${family}</text>`;
  });
}

function isOf(family: string, place: number): boolean {
  const emotion = EMOTIONS[BY_FAMILY[place] ?? -1];
  return emotion !== undefined && familyOf(emotion) === family;
}

function describe(cells: readonly Cell[]): string {
  const worst = cells
    .filter(({ row, column, share }) => row !== column && share > 0)
    .toSorted((left, right) => right.share - left.share)
    .slice(0, NAMED)
    .map(({ row, column, share }) => `${nameAt(row)} called ${nameAt(column)} ${figure(share, 2)}`);
  const own = cells
    .filter(({ row, column }) => row === column)
    .map(({ row, share }) => `${nameAt(row)} ${figure(share, 2)}`);
  return `Found, of each label: ${own.join(', ')}. Most frequent confusions: ${worst.join(', ')}.`;
}
