import type { JSX } from 'preact';

/** A bar: its name, its share of the full length, its colour and the text beside it. */
export interface Bar {
  readonly name: string;
  readonly share: number;
  readonly fill?: string;
  readonly shown: string;
  /** What choosing its name does. */
  readonly pick?: () => void;
}

/** Named bars of shares. */
export function Bars({
  label,
  bars,
  live = false,
  small = false,
}: {
  label?: string;
  bars: readonly Bar[];
  live?: boolean;
  small?: boolean;
}): JSX.Element {
  return (
    <ul class={small ? 'bars small' : 'bars'} aria-label={label} aria-live={live ? 'polite' : undefined}>
      {bars.map(({ name, share, fill = 'currentColor', shown, pick }) => (
        <li key={name}>
          {pick ? (
            <button type="button" class="ghost" onClick={pick}>
              <bdi>{name || '∅'}</bdi>
            </button>
          ) : (
            <bdi>{name || '∅'}</bdi>
          )}
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width={100 * share} height="8" fill={fill} />
          </svg>
          <span class="number">{shown}</span>
        </li>
      ))}
    </ul>
  );
}
