import type { JSX } from 'preact';
import { change, settings, work } from '../state.ts';
import { texts } from '../texts/index.ts';
import { trainAgain } from '../train.ts';

/** The words that the next training ignores; putting one back retrains at once. */
export function LeftOut({ again = false }: { again?: boolean }): JSX.Element | null {
  const { train: say } = texts.value;
  const { without } = settings.value;
  if (without.length === 0) return null;
  const putBack = (word: string) => {
    const part = { without: without.filter((own) => own !== word) };
    if (again) trainAgain({ ...settings.value, ...part });
    else change(part);
  };
  return (
    <p class="row leftout">
      <span class="soft">{say.leftOut}</span>
      {without.map((word) => (
        <button
          key={word}
          type="button"
          class="small"
          aria-label={say.putBack(word)}
          disabled={again && work.value !== undefined}
          onClick={() => putBack(word)}
        >
          <bdi>{word}</bdi> ×
        </button>
      ))}
    </p>
  );
}
