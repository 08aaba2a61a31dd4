/** Asks for the API key where neither the address nor the service gave one. */
import { useState } from 'preact/hooks';

interface Props {
  readonly refused: boolean;
  readonly onKey: (key: string) => void;
}

export function KeyForm({ refused, onKey }: Props) {
  const [key, setKey] = useState('');
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== '') onKey(key.trim());
      }}
    >
      {refused && (
        <p class="failure" role="alert">
          The key was not accepted. Please enter another one.
        </p>
      )}
      <label for="key">API key of this service</label>
      <div class="row">
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={key}
          aria-describedby="key-hint"
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Continue
        </button>
      </div>
      <p class="hint" id="key-hint">
        It is kept until this tab is closed and sent only to this service.
      </p>
    </form>
  );
}
