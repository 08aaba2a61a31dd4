/**
 * What the pictures have in common. They are plain SVG: no script, a title and a description for
 * those who do not see them, and colours that follow the reader's light or dark scheme by CSS inside
 * the file. Two pictures made of rectangles are not worth a chart library.
 */
import { html, raw } from 'hono/html';

/** A piece of SVG whose texts are escaped. */
export type Piece = ReturnType<typeof html>;

export { html };

/** Colours by what they say; `d` and `o` are told apart in both schemes and by colour-blind readers. */
const STYLE = `text{font:11px system-ui,sans-serif;fill:#222}.t{font-size:15px;font-weight:600}
.s{font-size:10px;fill:#555}.n{font-size:8px}.f{fill:none;stroke:#999}.g{stroke:#ccc}.a{stroke:#222;stroke-dasharray:4 3}
.d{fill:#4fa6c6}.o{fill:#e58a4b}.h{fill:#8a8f98}.p{fill:#fff}
@media(prefers-color-scheme:dark){text{fill:#eee}.s{fill:#bbb}.f{stroke:#777}.g{stroke:#444}.a{stroke:#eee}
.d{fill:#22718f}.o{fill:#b05f26}.h{fill:#9aa0aa}.p{fill:#1b1d20}}`;

/**
 * A whole picture.
 *
 * @param input.width and height in pixels at 100 %
 * @param input.title one line, what it shows
 * @param input.description the figures in words
 */
export async function picture(input: {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly description: string;
  readonly body: readonly Piece[];
}): Promise<string> {
  const { width, height, title, description, body } = input;
  const svg =
    await html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
<title id="title">${title}</title>
<desc id="description">${description}</desc>
<style>${raw(STYLE)}</style>
<rect class="p" width="${width}" height="${height}"/>
${body}
</svg>
`;
  return String(svg);
}

/** A share as a figure of two or three decimals: `.521`. */
export function figure(share: number, decimals = 3): string {
  return share.toFixed(decimals).replace(/^0\./, '.');
}
