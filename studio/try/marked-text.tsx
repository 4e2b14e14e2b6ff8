import type { JSX } from 'preact';
import { colourOf } from '../parts/colours.ts';
import { texts } from '../texts/index.ts';
import type { Answer } from '../worker/asking.ts';

/** The text with the words that decided, underlined in the colour of the class for which they speak. */
export function MarkedText({
  text,
  answer: { terms },
  best,
  rival,
}: {
  text: string;
  answer: Answer;
  best: number;
  rival: number;
}): JSX.Element {
  const weights = new Map<string, number>();
  for (const { value, byClass } of terms) {
    const weight = byClass[best] - byClass[rival];
    for (const word of value.toLowerCase().split(/\s+/)) weights.set(word, (weights.get(word) ?? 0) + weight);
  }
  const most = Math.max(...[...weights.values()].map(Math.abs), 1e-9);
  const pieces = text.slice(0, 5_000).split(/([\p{L}\p{N}_]+)/u);
  return (
    <section>
      <h2>{texts.value.try.marked}</h2>
      <p class="marked" dir="auto">
        {pieces.map((piece, k) => {
          const weight = weights.get(piece.toLowerCase());
          if (weight === undefined || Math.abs(weight) < most / 50) return piece;
          const c = weight > 0 ? best : rival;
          const style = {
            textDecorationColor: colourOf(c),
            textDecorationThickness: `${1 + (4 * Math.abs(weight)) / most}px`,
          };
          return (
            <span key={k} class="told" style={style} title={`${weight > 0 ? '+' : '−'}${Math.abs(weight).toFixed(2)}`}>
              {piece}
            </span>
          );
        })}
      </p>
    </section>
  );
}
