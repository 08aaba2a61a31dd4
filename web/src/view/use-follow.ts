/** Keeps the end of the conversation in view while the person is at the end. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatState } from '../chat/state.ts';

/** Within this many pixels of the end the view follows new text; above it the person is reading. */
const FOLLOW_PX = 120;

/**
 * @param state the conversation; each change of its turns or helplines may move the view
 * @param card the helplines: where they do not fit, their beginning is shown and not their end
 */
export function useFollow(state: ChatState, card: RefObject<HTMLElement | null>): void {
  const follow = useRef(true);
  const { turns, help } = state;

  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      follow.current = scrollHeight - clientHeight - scrollTop < FOLLOW_PX;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);

  // A message of one's own is always shown, and so is help that was not there before.
  useLayoutEffect(() => {
    follow.current = true;
  }, [turns.length, help?.turn]);

  useLayoutEffect(() => {
    if (!follow.current || (turns.length === 0 && help === null)) return;
    const page = document.documentElement;
    window.scrollTo({ top: page.scrollHeight });
    const hidden = Number.parseFloat(getComputedStyle(page).scrollPaddingTop) || 0;
    if (card.current !== null && card.current.getBoundingClientRect().top < hidden) {
      card.current.scrollIntoView({ block: 'start' });
    }
  }, [turns, help, card]);
}
