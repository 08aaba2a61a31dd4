/** The text box: Enter sends, Shift+Enter starts a new line, Escape stops a reply. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly draft: string;
  readonly busy: boolean;
  /** The page is not connected yet; a message sent now goes out as soon as it is. */
  readonly connecting: boolean;
  readonly canStop: boolean;
  readonly onDraft: (text: string) => void;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
}

export function Composer(props: Props) {
  const { box, draft, busy, connecting, canStop, onDraft, onSend, onStop } = props;
  const wanted = useRef(false);
  const submit = () => {
    // No length limit here: the service must see the whole message to notice danger in it.
    if (draft.trim() === '') return;
    wanted.current = connecting;
    if (busy || connecting) return;
    onSend(draft);
    box.current?.focus();
  };
  useEffect(() => {
    if (!connecting && wanted.current) submit();
  }, [connecting]);
  const stop = () => {
    onStop();
    box.current?.focus();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label for="message">Your message</label>
      <div class="row">
        <textarea
          id="message"
          ref={box}
          rows={1}
          dir="auto"
          value={draft}
          autocomplete="off"
          enterkeyhint="send"
          aria-describedby="message-hint"
          onInput={(event) => onDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            // isComposing: Enter that ends a word in an input method is not Enter.
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
              event.preventDefault();
              submit();
            }
            if (event.key === 'Escape' && canStop) stop();
          }}
        />
        {canStop ? (
          <button type="button" class="round" onClick={stop}>
            <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
              <rect x="7" y="7" width="10" height="10" rx="2" />
            </svg>
            <span>Stop</span>
          </button>
        ) : (
          <button
            type="submit"
            class="round primary"
            disabled={busy || connecting || draft.trim() === ''}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
              <path d="M12 19V6m-6 6 6-6 6 6" />
            </svg>
            <span>Send</span>
          </button>
        )}
      </div>
      <p class="hint" id="message-hint">
        Enter sends, Shift+Enter starts a new line.
      </p>
    </form>
  );
}
