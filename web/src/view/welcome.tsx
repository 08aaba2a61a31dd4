/** What stands there before the first message. */

const SUGGESTIONS = [
  'I had a rough day and do not know where to start.',
  'I am nervous about tomorrow.',
  'Something good happened today!',
] as const;

interface Props {
  readonly onSuggestion: (text: string) => void;
}

export function Welcome({ onSuggestion }: Props) {
  return (
    <section class="welcome" aria-label="Welcome">
      <h2>How are you feeling today?</h2>
      <p>Say what is on your mind, in your own words. There is no wrong way to begin.</p>
      <ul class="suggestions" aria-label="Ways to begin">
        {SUGGESTIONS.map((text) => (
          <li key={text}>
            <button type="button" class="suggestion" onClick={() => onSuggestion(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
