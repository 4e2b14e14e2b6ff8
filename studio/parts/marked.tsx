import type { JSX } from 'preact';
import type { Mark } from '../worker/spans.ts';

/** Parts below this share of the greatest weight are not marked. */
const LEAST_SHARE = 1 / 50;

/** A text whose parts are underlined in the colour of the class they favour, the stronger the thicker. */
export function Marked({
  text,
  marks,
  colours,
}: {
  text: string;
  marks: readonly Mark[];
  colours: readonly [favoured: string, other: string];
}): JSX.Element {
  const finite = marks.map(({ weight }) => Math.abs(weight)).filter(Number.isFinite);
  const most = Math.max(...finite, 1e-9);
  const shown = marks.filter(({ weight }) => Math.abs(weight) >= most * LEAST_SHARE);
  const ends = [0, ...shown.map(({ to }) => to)];
  return (
    <>
      {shown.map(({ from, to, weight }, k) => (
        <>
          {text.slice(ends[k], from)}
          <span
            class="evidence"
            style={{
              textDecorationColor: colours[weight > 0 ? 0 : 1],
              textDecorationThickness: `${1 + 4 * Math.min(1, Math.abs(weight) / most)}px`,
            }}
            title={nats(weight)}
          >
            {text.slice(from, to)}
          </span>
        </>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}

/** Log-odds with a sign and two decimals. */
export const nats = (value: number): string =>
  `${value < 0 ? '−' : '+'}${Number.isFinite(value) ? Math.abs(value).toFixed(2) : '∞'}`;
