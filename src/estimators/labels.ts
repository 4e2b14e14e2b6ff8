import { type Labels as Encoded, encodeCodes, type Label } from '../data/labels.ts';
import { CodedColumn } from '../data/packed-columns.ts';
import type { Assignment, SoftLabels } from '../data/soft-labels.ts';
import { weighing } from '../data/weights.ts';

/** What rows are labelled with: one class each, or shares of several. */
export type Labels = ArrayLike<Label> | SoftLabels;

/** Turns labels and weights into class numbers and weights; what weighs nothing is left out, and so is its class. */
export function assign(
  y: Labels | CodedColumn<Label>,
  w: Float64Array,
  encode: (y: ArrayLike<Label>) => Encoded,
): Assignment {
  if ('assign' in y) return y.assign(w);
  const coded = y instanceof CodedColumn;
  const all = coded ? encodeCodes(y) : encode(y);
  const order = weighing(w);
  if (!order) return { order, ...all, w };
  const { classes, codes } = coded ? encodeCodes(y.take(order)) : encode(Array.from(order, (i) => y[i]));
  return { order, classes, codes, w: Float64Array.from(order, (i) => w[i]) };
}
