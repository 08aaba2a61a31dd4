/** What only a screen reader hears: that a reply is being written, and that help is at hand. */
import { useEffect, useState } from 'preact/hooks';
import type { Help } from '../chat/state.ts';
import { helpAnnouncement } from '../words/contact.ts';

interface Props {
  readonly busy: boolean;
  readonly help: Help | null;
}

export function Announcer({ busy, help }: Props) {
  // The same list on the next turn is the same text, so the region does not change and stays
  // silent: a card is announced once, not on every turn.
  const [urgent, setUrgent] = useState('');
  useEffect(() => {
    if (help?.crisis) setUrgent(helpAnnouncement(help.resources));
    if (help === null) setUrgent('');
  }, [help]);
  return (
    <div class="unseen">
      <p role="alert">{urgent}</p>
      <p role="status">{busy ? 'Attune is writing a reply.' : ''}</p>
    </div>
  );
}
