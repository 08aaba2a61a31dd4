/** Failures in plain words: what happened and what to do, never a code or a stack. */
import type { Failure } from '../api/failure.ts';

function soon(seconds: number | null): string {
  if (seconds === null || seconds <= 1) return 'in a moment';
  const whole = Math.ceil(seconds);
  return whole < 90 ? `in about ${whole} seconds` : `in about ${Math.ceil(whole / 60)} minutes`;
}

function refusal(failure: Extract<Failure, { kind: 'refused' }>): string {
  switch (failure.status) {
    case 401:
    case 403:
      return 'The key was not accepted. Your message is kept here.';
    case 404:
      return 'The earlier conversation is no longer stored. Try again to send this as a new one.';
    case 409:
      return 'Your earlier message is still being answered. Try again in a moment.';
    case 413:
      return 'This message is too large to be read. Please shorten it.';
    case 429:
      return `Many people are writing at the moment. Please try again ${soon(failure.retryAfter)}.`;
    default:
      break;
  }
  if (failure.status >= 500) return 'Something went wrong on our side. Please try again.';
  return failure.message === ''
    ? 'The message could not be accepted.'
    : `The message could not be accepted: ${failure.message}`;
}

/**
 * @param failure anything but `aborted`, which is no failure to the person
 * @returns one or two sentences
 */
export function failureWords(failure: Failure): string {
  switch (failure.kind) {
    case 'unreachable':
      return 'Attune cannot be reached. Check that you are connected, then try again.';
    case 'cut':
      return 'The connection was lost before the reply was complete.';
    case 'aborted':
      return 'The reply was stopped.';
    case 'refused':
      return refusal(failure);
    case 'turn':
      return failure.retryAfter === null
        ? 'The reply could not be completed.'
        : `The reply could not be completed. Please try again ${soon(failure.retryAfter)}.`;
  }
}
