import type { JSX } from 'preact';
import type { Waiting } from '../worker/labelling.ts';

/** Words below this share of the greatest weight are not marked. */
const LEAST_SHARE = 1 / 20;

/** A text with each word underlined in the colour of the class it supports, the first or the second guess. */
export function Speaking({
  text,
  telling,
  colours,
}: {
  text: string;
  telling: Waiting['telling'];
  colours: readonly [first: string, second: string];
}): JSX.Element {
  const weights = new Map<string, number>();
  for (const { value, nats } of telling) {
    for (const word of value.toLowerCase().split(/\s+/)) weights.set(word, (weights.get(word) ?? 0) + nats);
  }
  const most = Math.max(...[...weights.values()].map(Math.abs), 1e-9);
  const pieces = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)];
  return (
    <>
      {pieces.map(({ segment }, k) => {
        const weight = weights.get(segment.toLowerCase()) ?? 0;
        if (Math.abs(weight) < most * LEAST_SHARE) return segment;
        const style = {
          textDecorationColor: colours[weight > 0 ? 0 : 1],
          textDecorationThickness: `${1 + (3 * Math.abs(weight)) / most}px`,
        };
        return (
          <span key={k} class="result" style={style} title={`${weight > 0 ? '+' : '−'}${Math.abs(weight).toFixed(2)}`}>
            {segment}
          </span>
        );
      })}
    </>
  );
}
