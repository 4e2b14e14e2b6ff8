import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Slider } from '../parts/choice.tsx';
import { texts, whole } from '../texts/index.ts';

/** The controls for the pseudo-count and the number of rows counted. */
export function Counted({
  rows,
  at,
  place,
  pseudo,
}: {
  rows: readonly number[] | undefined;
  at: number;
  place: Signal<number>;
  pseudo: Signal<number>;
}): JSX.Element {
  const { understand: say } = texts.value;
  return (
    <>
      <Slider
        label={say.pseudo}
        {...{ min: 0.1, max: 10, step: 0.1, value: pseudo.value, shown: pseudo.value.toFixed(1) }}
        onInput={(value) => (pseudo.value = value)}
      />
      {rows && (
        <Slider
          label={say.counted}
          {...{ min: 0, max: rows.length - 1, step: 1, value: at, shown: whole(rows[at]) }}
          onInput={(value) => (place.value = value)}
        />
      )}
    </>
  );
}
