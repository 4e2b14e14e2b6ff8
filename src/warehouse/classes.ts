import { compareLabels, type Label } from '../data/labels.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { refuseChange } from '../engines/sql/totals.ts';
import { refuse } from '../errors.ts';
import { labelOf } from './source.ts';

/** The sorted classes of a table, and the index of each label of a result among them. */
export interface Classes {
  readonly labels: readonly Label[];
  /** The index of each label of the result. */
  readonly places: Int32Array;
  /** The index of a label by its text; throws for a label that appeared after the classes were counted. */
  placeOf(label: string): number;
}

/** Sorts the labels of a result, as in every estimator. */
export function sortLabels(texts: readonly string[], target: EngineColumn): Classes {
  if (texts.length === 0) refuse('E_EMPTY_INPUT', 'the table has no rows with a positive weight', { rows: 0 });
  const read = texts.map((text) => ({ text, label: labelOf(text, target) }));
  const sorted = [...read].sort((a, b) => compareLabels(a.label, b.label));
  const known = new Map(sorted.map(({ text }, c) => [text, c]));
  const placeOf = (label: string) => known.get(label) ?? refuseChange('a class was added');
  return {
    labels: sorted.map(({ label }) => label),
    places: Int32Array.from(texts, placeOf),
    placeOf,
  };
}

/** Throws for a table that has other classes than a sample of it. */
export function requireSameClasses(found: readonly Label[], expected: readonly Label[]): void {
  const isSame = found.length === expected.length && found.every((label, c) => label === expected[c]);
  if (!isSame) refuseChange('its classes are not those of the sample');
}

/** Numbers of a result, one per class, in the order of the classes. */
export function ordered({ places }: Classes, values: Float64Array): Float64Array {
  const sorted = new Float64Array(values.length);
  for (let c = 0; c < values.length; c++) sorted[places[c]] = values[c];
  return sorted;
}
