/** Is an answer of 60 % right six times in ten? One panel per protocol. Pure. */
import {
  expectedCalibrationError,
  type ReliabilityBin,
  reliability,
  type Scored,
} from '../metrics.ts';
import { figure, html, type Piece, picture } from './svg.ts';

const SIDE = 300;
const LEFT = 54;
const TOP = 76;
const BARS = 70;
const STEP = SIDE + 90;

export interface Panel {
  readonly name: string;
  readonly examples: readonly Scored[];
}

/** Empty panels are left out. */
export function reliabilityPicture(panels: readonly Panel[]): Promise<string> {
  const shown = panels
    .filter(({ examples }) => examples.length > 0)
    .map(({ name, examples }) => ({
      name,
      n: examples.length,
      ece: expectedCalibrationError(examples),
      bins: reliability(examples),
    }));
  const heading = ({ name, n, ece }: (typeof shown)[number]) =>
    `${name}: n ${n.toLocaleString('en')}, ECE ${figure(ece)}`;
  return picture({
    width: LEFT + Math.max(shown.length, 1) * STEP - 60,
    height: TOP + SIDE + BARS + 66,
    title: `Reliability diagram. ${shown.map(heading).join('; ')}`,
    description: shown.map((panel) => `${heading(panel)}. ${inWords(panel.bins)}`).join(' '),
    body: [
      html`<text class="t" x="12" y="24">Is it as often right as it says?</text>
<text class="s" x="12" y="40">Confidence of the first label against how often it is right; dashed: where both are equal.</text>`,
      ...shown.map((panel, index) =>
        panelAt(LEFT + index * STEP, { heading: heading(panel), bins: panel.bins }),
      ),
    ],
  });
}

function panelAt(
  x: number,
  { heading, bins }: { readonly heading: string; readonly bins: readonly ReliabilityBin[] },
): Piece {
  const most = Math.max(...bins.map(({ n }) => n), 1);
  const floor = TOP + SIDE;
  const base = floor + 40 + BARS;
  return html`<text x="${x}" y="${TOP - 10}">${heading}</text>
${[0, 0.25, 0.5, 0.75, 1].map((tick) => tickAt(x, tick))}
${bins.filter(({ n }) => n > 0).map((bin) => barOf(bin, { x, floor, base, most }))}
<line class="a" x1="${x}" y1="${floor}" x2="${x + SIDE}" y2="${TOP}"/>
<rect class="f" x="${x}" y="${TOP}" width="${SIDE}" height="${SIDE}"/>
<line class="f" x1="${x}" y1="${base}" x2="${x + SIDE}" y2="${base}"/>
<text class="s" x="${x - 36}" y="${TOP - 10}">right</text>
<text class="s" x="${x + SIDE / 2}" y="${floor + 28}" text-anchor="middle">confidence</text>
<text class="s" x="${x + SIDE / 2}" y="${base + 14}" text-anchor="middle">answers in each bin, at most ${most.toLocaleString('en')}</text>`;
}

function tickAt(x: number, tick: number): Piece {
  const [across, up] = [x + tick * SIDE, TOP + SIDE - tick * SIDE];
  return html`<line class="g" x1="${x}" y1="${up}" x2="${x + SIDE}" y2="${up}"/>
<text class="s" x="${x - 6}" y="${up + 3}" text-anchor="end">${figure(tick, 2)}</text>
<text class="s" x="${across}" y="${TOP + SIDE + 14}" text-anchor="middle">${figure(tick, 2)}</text>`;
}

function barOf(
  { low, high, n, accuracy, confidence }: ReliabilityBin,
  at: { readonly x: number; readonly floor: number; readonly base: number; readonly most: number },
): Piece {
  const left = (at.x + low * SIDE + 1).toFixed(1);
  const width = ((high - low) * SIDE - 2).toFixed(1);
  const up = accuracy * SIDE;
  const tall = (n / at.most) * BARS;
  return html`<rect class="d" x="${left}" y="${(at.floor - up).toFixed(1)}" width="${width}" height="${up.toFixed(1)}" fill-opacity=".75"/>
<circle class="o" cx="${(at.x + confidence * SIDE).toFixed(1)}" cy="${(at.floor - up).toFixed(1)}" r="3"/>
<rect class="h" x="${left}" y="${(at.base - tall).toFixed(1)}" width="${width}" height="${tall.toFixed(1)}"/>`;
}

function inWords(bins: readonly ReliabilityBin[]): string {
  return bins
    .filter(({ n }) => n > 0)
    .map(
      ({ n, confidence, accuracy }) =>
        `${n} answers of confidence ${figure(confidence, 2)} are right ${figure(accuracy, 2)}`,
    )
    .join(', ')
    .concat('.');
}
