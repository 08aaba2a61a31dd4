/** The line that shows what a start is waiting for. */

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 120;
/** Where the output is not a terminal, a line is written at each change and at this interval. */
const PLAIN_MS = 5_000;

/**
 * @param {NodeJS.WriteStream} out
 * @returns {{say(text: string): void, end(): void}} `say` replaces what is shown
 */
export function createProgress(out) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  let text = '';
  let shown = '';
  let frame = 0;
  const draw = () => {
    if (text === '') return;
    if (out.isTTY) {
      frame = (frame + 1) % FRAMES.length;
      out.write(`\r\u001b[2K${FRAMES[frame]} ${text} (${seconds()} s)`);
    } else {
      out.write(`… ${text} (${seconds()} s)\n`);
    }
    shown = text;
  };
  const timer = setInterval(draw, out.isTTY ? FRAME_MS : PLAIN_MS);
  return {
    say(next) {
      text = next;
      if (text !== shown) draw();
    },
    end() {
      clearInterval(timer);
      text = '';
      if (out.isTTY) out.write('\r\u001b[2K');
    },
  };
}
