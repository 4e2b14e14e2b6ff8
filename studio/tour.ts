import { effect, signal } from '@preact/signals';
import { openData } from './open.ts';
import { go } from './route.ts';
import type { Screen } from './screen-names.ts';
import { opened, runs } from './state.ts';
import { train } from './train.ts';

/** The stops of the tour; with the texts, about two minutes. */
export const stops = [
  ...['start', 'data', 'train', 'evaluate', 'understand', 'boundary', 'try', 'label', 'export'],
] as const satisfies readonly Screen[];

/** The current stop; undefined outside the tour. */
export const stop = signal<number | undefined>(undefined);

/** Starts the tour. */
export const beginTour = (): Promise<void> => visit(0);

/** Ends the tour; everything stays as it is. */
export function endTour(): void {
  stop.value = undefined;
}

/** Goes to a stop. What it shows is made first: a sample if no data are open, a model if none is trained. */
export async function visit(k: number): Promise<void> {
  stop.value = k;
  if (k > 0 && !opened.value) await openData({ kind: 'sample', name: 'iris' });
  if (k > 2 && opened.value && runs.value.length === 0) await train();
  if (stop.value === k) go(stops[k]);
}

// the style sheet outlines what the stop is about
effect(() => {
  if (stop.value === undefined) delete document.documentElement.dataset.tour;
  else document.documentElement.dataset.tour = stops[stop.value];
});
