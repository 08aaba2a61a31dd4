/** The page: finds a key, then shows one conversation. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createClient } from './api/client.ts';
import { useChat } from './chat/use-chat.ts';
import { dropKey, fetchDemoKey, findKey, keepKey } from './key/key.ts';
import { Announcer } from './view/announcer.tsx';
import { Composer } from './view/composer.tsx';
import { Conversation } from './view/conversation.tsx';
import { Header } from './view/header.tsx';
import { HelpCard } from './view/help-card.tsx';
import { KeyForm } from './view/key-form.tsx';
import { Notices } from './view/notices.tsx';
import { useFollow } from './view/use-follow.ts';

type KeyState =
  | { readonly phase: 'looking' }
  | { readonly phase: 'needed'; readonly refused: boolean }
  | { readonly phase: 'ready'; readonly key: string };

const send = window.fetch.bind(window);

export function App() {
  const [key, setKey] = useState<KeyState>({ phase: 'looking' });
  const [draft, setDraft] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    void findKey(send).then((found) =>
      setKey(found === null ? { phase: 'needed', refused: false } : { phase: 'ready', key: found }),
    );
  }, []);

  const current = key.phase === 'ready' ? key.key : null;
  const client = useMemo(() => (current === null ? null : createClient(current, send)), [current]);

  const onKeyRefused = useCallback(() => {
    dropKey();
    // A restarted local service may have made a new demo key; only then is nobody asked.
    void fetchDemoKey(send).then((demo) =>
      setKey(
        demo === null || demo === current
          ? { phase: 'needed', refused: true }
          : { phase: 'ready', key: demo },
      ),
    );
  }, [current]);

  const chat = useChat(client, onKeyRefused);
  const [help, setHelp] = useState<'quiet' | 'asked' | 'missing'>('quiet');
  const onHelpShown = useCallback(() => setHelp('quiet'), []);
  const card = useRef<HTMLElement>(null);
  useFollow(chat.state, card);
  const focusBox = () => box.current?.focus();
  const last = chat.state.turns.at(-1);

  return (
    <div class="page">
      <Header
        canStartNew={chat.state.turns.length > 0}
        onHelp={() => {
          void chat.showHelp().then((found) => setHelp(found ? 'asked' : 'missing'));
        }}
        onNew={() => {
          chat.startNew();
          focusBox();
        }}
      />
      <main class="main">
        <Conversation
          key={chat.epoch}
          turns={chat.state.turns}
          busy={chat.busy}
          onRetry={(id) => {
            chat.retry(id);
            focusBox();
          }}
          onEdit={(turn) => {
            setDraft(draft.trim() === '' ? turn.text : `${turn.text}\n${draft}`);
            chat.remove(turn.id);
            focusBox();
          }}
          onSuggestion={(text) => {
            setDraft(text);
            focusBox();
          }}
        />
        <Notices
          restoring={chat.restoring}
          previous={chat.previous}
          onRestore={chat.restore}
          onGoBack={() => {
            chat.goBack();
            focusBox();
          }}
        />
        {chat.state.help !== null && (
          <HelpCard
            card={card}
            help={chat.state.help}
            open={last?.crisis === true}
            asked={help === 'asked'}
            onShown={onHelpShown}
          />
        )}
        {help === 'missing' && (
          <p class="failure" role="alert">
            The list of helplines could not be loaded. If you or someone else is in danger, call
            your local emergency number.
          </p>
        )}
      </main>
      <footer class="foot">
        {key.phase === 'needed' ? (
          <KeyForm
            refused={key.refused}
            onKey={(entered) => {
              keepKey(entered);
              setKey({ phase: 'ready', key: entered });
            }}
          />
        ) : (
          <Composer
            box={box}
            draft={draft}
            busy={chat.busy}
            connecting={client === null}
            canStop={chat.state.turns.some(
              (turn) => turn.phase !== 'done' && turn.phase !== 'failed',
            )}
            onDraft={setDraft}
            onSend={(text) => {
              setDraft('');
              chat.send(text);
            }}
            onStop={chat.stop}
          />
        )}
        <p class="disclosure">
          Attune is an AI, not a person, and not a medical service. It can be wrong.
        </p>
      </footer>
      <Announcer busy={chat.busy} help={chat.state.help} />
    </div>
  );
}
