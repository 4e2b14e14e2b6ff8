import { compareLabels, type Label } from '../data/labels.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { refuseChange } from '../engines/sql/grouped.ts';
import { refuse } from '../errors.ts';
import { labelOf } from './source.ts';

/** The classes of a table in order, and where those of an answer stand among them. */
export interface Classes {
  readonly labels: readonly Label[];
  /** The place of each label of the answer. */
  readonly places: Int32Array;
  /** The place of a label by its text; a label that appeared after the classes were counted is refused. */
  placeOf(label: string): number;
}

/** Sorts the labels of an answer, as every estimator has them. */
export function sortLabels(texts: readonly string[], target: EngineColumn): Classes {
  if (texts.length === 0) refuse('E_EMPTY_INPUT', 'the table has no rows, or none that weighs anything', { rows: 0 });
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

/** Numbers of an answer, one per class, in the order of the classes. */
export function ordered({ places }: Classes, values: Float64Array): Float64Array {
  const sorted = new Float64Array(values.length);
  for (let c = 0; c < values.length; c++) sorted[places[c]] = values[c];
  return sorted;
}
