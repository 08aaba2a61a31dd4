/** Quiet lines about the conversation as a whole. */
import type { Restoring } from '../chat/use-chat.ts';
import { failureWords } from '../words/failure.ts';

interface Props {
  readonly restoring: Restoring;
  readonly previous: string | null;
  readonly onRestore: () => void;
  readonly onGoBack: () => void;
}

export function Notices({ restoring, previous, onRestore, onGoBack }: Props) {
  if (previous !== null) {
    return (
      <p class="notice">
        This is a new conversation.{' '}
        <button type="button" class="link" onClick={onGoBack}>
          Go back to the earlier one
        </button>
      </p>
    );
  }
  switch (restoring.phase) {
    case 'idle':
    case 'loading':
      return null;
    case 'waiting':
      return <p class="notice">Your last message is still being answered …</p>;
    case 'gone':
      return (
        <p class="notice" role="status">
          The earlier conversation is no longer stored. You can start a new one.
        </p>
      );
    case 'failed':
      return (
        <p class="notice" role="alert">
          The earlier conversation could not be loaded. {failureWords(restoring.failure)}{' '}
          <button type="button" class="link" onClick={onRestore}>
            Try again
          </button>
        </p>
      );
  }
}
