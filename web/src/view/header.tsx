/** Name, the way to helplines, and the start of a new conversation. */

interface Props {
  readonly canStartNew: boolean;
  readonly onHelp: () => void;
  readonly onNew: () => void;
}

export function Header({ canStartNew, onHelp, onNew }: Props) {
  return (
    <header class="head">
      <div class="brand">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <path d="M4 17c4-9 8-9 12 0s8 9 12-1" />
        </svg>
        <h1>Attune</h1>
      </div>
      <div class="actions">
        <button type="button" class="quiet" onClick={onHelp}>
          Helplines
        </button>
        {canStartNew && (
          <button type="button" class="quiet" onClick={onNew}>
            New conversation
          </button>
        )}
      </div>
    </header>
  );
}
