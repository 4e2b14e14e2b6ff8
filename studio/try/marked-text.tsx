import type { JSX } from 'preact';
import { colourOf } from '../parts/colours.ts';
import { Marked } from '../parts/marked.tsx';
import { texts } from '../texts/index.ts';
import type { Answer } from '../worker/asking.ts';

const MOST_CHARACTERS = 5_000;

/** The text with the words that decided. */
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
  const marks = spans.map(({ from, to, byClass }) => ({ from, to, weight: byClass[best] - byClass[rival] }));
  return (
    <section>
      <h2>{texts.value.try.marked}</h2>
      <p class="marked" dir="auto">
        <Marked text={text.slice(0, MOST_CHARACTERS)} marks={marks} colours={[colourOf(best), colourOf(rival)]} />
      </p>
    </section>
  );
}
