import type { JSX } from 'preact';
import { colourOf } from '../parts/colours.ts';
import { texts } from '../texts/index.ts';
import type { Answer } from '../worker/asking.ts';

const MOST_CHARACTERS = 5_000;

/** The text with the words that decided, underlined in the colour of the class they support. */
export function MarkedText({
  text,
  answer: { spans },
  best,
  rival,
}: {
  text: string;
  answer: Answer;
  best: number;
  rival: number;
}): JSX.Element {
  const weighed = spans.map(({ from, to, byClass }) => ({ from, to, weight: byClass[best] - byClass[rival] }));
  const finite = weighed.map(({ weight }) => Math.abs(weight)).filter(Number.isFinite);
  const most = Math.max(...finite, 1e-9);
  const marked = weighed.filter(({ weight }) => Math.abs(weight) >= most / 50);
  const ends = [0, ...marked.map(({ to }) => to)];
  return (
    <section>
      <h2>{texts.value.try.marked}</h2>
      <p class="marked" dir="auto">
        {marked.map(({ from, to, weight }, k) => (
          <>
            {text.slice(ends[k], from)}
            <span
              class="evidence"
              style={{
                textDecorationColor: colourOf(weight > 0 ? best : rival),
                textDecorationThickness: `${1 + 4 * Math.min(1, Math.abs(weight) / most)}px`,
              }}
              title={nats(weight)}
            >
              {text.slice(from, to)}
            </span>
          </>
        ))}
        {text.slice(ends.at(-1), MOST_CHARACTERS)}
      </p>
    </section>
  );
}

/** Log-odds with a sign and two decimals. */
export const nats = (value: number): string =>
  `${value < 0 ? '−' : '+'}${Number.isFinite(value) ? Math.abs(value).toFixed(2) : '∞'}`;
