/** Small helpers of the speed figures. */
import { readFile } from 'node:fs/promises';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Resident memory of a process in MB (10^6 bytes), or null where /proc does not tell. */
export async function residentMb(pid: number | undefined): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kib = /VmRSS:\s+(\d+) kB/.exec(status)?.[1];
    return kib === undefined ? null : (Number(kib) * 1024) / 1e6;
  } catch {
    return null;
  }
}

export interface StreamTiming {
  /** Milliseconds from sending the request to the first text. */
  readonly first_ms: number;
  /** Pieces of text a second after the first one; the model server sends about one a token. */
  readonly pieces_per_s: number;
  readonly pieces: number;
}

/** Time a server-sent-event answer; `isText` tells whether a frame carries text. */
export async function timeStream(
  response: Promise<Response>,
  isText: (frame: string) => boolean,
): Promise<StreamTiming> {
  const start = performance.now();
  const { ok, status, body } = await response;
  if (!ok || body === null) throw new Error(`the stream answered ${status}`);
  let first = Number.NaN;
  let last = Number.NaN;
  let pieces = 0;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      if (!isText(frame)) continue;
      last = performance.now();
      if (pieces++ === 0) first = last;
    }
  }
  return {
    first_ms: first - start,
    pieces_per_s: pieces > 1 ? ((pieces - 1) * 1000) / (last - first) : Number.NaN,
    pieces,
  };
}
