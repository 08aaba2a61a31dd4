/** The conversation, as a log that speaks once per finished reply. */
import type { Turn } from '../chat/state.ts';
import { TurnView } from './turn.tsx';
import { Welcome } from './welcome.tsx';

interface Props {
  readonly turns: readonly Turn[];
  readonly busy: boolean;
  readonly onRetry: (id: string) => void;
  readonly onEdit: (turn: Turn) => void;
  readonly onSuggestion: (text: string) => void;
}

export function Conversation({ turns, busy, onRetry, onEdit, onSuggestion }: Props) {
  const last = turns.at(-1);
  return (
    <>
      {last === undefined && !busy && <Welcome onSuggestion={onSuggestion} />}
      {/* aria-busy keeps a screen reader silent while the reply grows; the finished reply is a new
          element, added in the same update that ends aria-busy, so it is read once and whole. */}
      <div class="log" role="log" aria-label="Conversation" aria-busy={busy}>
        {turns.map((turn) => (
          <TurnView
            key={turn.id}
            turn={turn}
            last={turn === last}
            busy={busy}
            onRetry={onRetry}
            onEdit={onEdit}
          />
        ))}
      </div>
    </>
  );
}
