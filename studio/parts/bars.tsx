import type { JSX } from 'preact';
import { chance } from '../texts/index.ts';
import { colourOf } from './colours.ts';

/** Probabilities of classes as bars in their colours. */
export function Bars({
  label,
  bars,
  live = false,
}: {
  label: string;
  bars: readonly { readonly label: string; readonly share: number; readonly c: number }[];
  live?: boolean;
}): JSX.Element {
  return (
    <ul class="bars" aria-label={label} aria-live={live ? 'polite' : undefined}>
      {bars.map(({ label: name, share, c }) => (
        <li key={name}>
          <bdi>{name}</bdi>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width={100 * share} height="8" fill={colourOf(c)} />
          </svg>
          <span class="number">{chance(share)}</span>
        </li>
      ))}
    </ul>
  );
}
