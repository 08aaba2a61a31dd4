/** One message and its reply. Texts are text nodes: nothing in them becomes markup. */
import type { Turn } from '../chat/state.ts';
import { failureWords } from '../words/failure.ts';
import { feelingPhrase } from '../words/feeling.ts';
import { finishNote } from '../words/finish.ts';

interface Props {
  readonly turn: Turn;
  readonly last: boolean;
  readonly busy: boolean;
  readonly onRetry: (id: string) => void;
  readonly onEdit: (turn: Turn) => void;
}

export function TurnView({ turn, last, busy, onRetry, onEdit }: Props) {
  // In a crisis a label on one's feeling would be out of place.
  const feeling = last && !turn.crisis ? feelingPhrase(turn.emotions) : null;
  return (
    <div class="turn">
      <article class="mine" aria-label="You">
        <p class="bubble" dir="auto">
          {turn.text}
        </p>
        {feeling !== null && <p class="feeling">{feeling}</p>}
      </article>
      <Reply turn={turn} />
      {turn.failure !== null && (
        <div class="failure" role="alert">
          <p>{failureWords(turn.failure)}</p>
          <p class="buttons">
            <button type="button" disabled={busy} onClick={() => onRetry(turn.id)}>
              Try again
            </button>
            <button type="button" class="quiet" onClick={() => onEdit(turn)}>
              Edit message
            </button>
          </p>
        </div>
      )}
    </div>
  );
}

function Reply({ turn }: { readonly turn: Turn }) {
  if (turn.phase === 'sending') {
    return (
      <div class="theirs waiting" aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
    );
  }
  const note = finishNote(turn.finish);
  if (turn.reply === '' && note === null) return null;
  return (
    // The key makes the finished reply a new element, which is what a log announces.
    <article
      key={turn.phase === 'streaming' ? 'draft' : 'final'}
      class="theirs"
      aria-label="Attune"
    >
      {turn.reply !== '' && (
        <p class="reply" dir="auto">
          {turn.reply}
        </p>
      )}
      {note !== null && <p class="note">{note}</p>}
    </article>
  );
}
