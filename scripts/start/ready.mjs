/** Waiting until a server can really answer. */

const POLL_MS = 200;
/** `/readyz` generates one token; on a busy machine the first one takes a while. */
const ANSWER_MS = 8_000;

/** @returns {Promise<boolean>} whether the URL answers 2xx now */
async function answersOk(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * @param {string} url asked until it answers 2xx
 * @param {{until: number, signal: AbortSignal}} limits `until` in milliseconds since 1970
 * @returns {Promise<boolean>} false when the time is over or the signal came
 */
export async function waitUntilReady(url, { until, signal }) {
  while (!signal.aborted && Date.now() < until) {
    if (await answersOk(url)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}
