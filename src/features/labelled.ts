import { type Batch, label, takeRows } from '../data/batch.ts';
import { type Expectation, type Features, readFeatures, requireSome } from '../data/input.ts';
import { type Label, requireLabels } from '../data/labels.ts';
import { assign, requireLengths } from '../data/soft-labels.ts';
import { readWeights, type Weights } from '../data/weights.ts';

/** Checked rows with their classes: what every score of features starts from. */
export interface Labelled {
  readonly batch: Batch;
  readonly classes: readonly Label[];
  readonly names: readonly string[] | undefined;
}

/** Reads rows, labels and weights; rows of weight zero are ignored. */
export function readLabelled(
  X: Features,
  y: ArrayLike<Label>,
  expected: Expectation,
  sampleWeight?: Weights | undefined,
): Labelled {
  const { rows, names } = readFeatures(X, expected);
  requireSome(rows);
  requireLengths(rows.rows, requireLabels(y).length);
  const { order, classes, codes, w } = assign(y, readWeights(sampleWeight, y.length));
  const shape = { classes: classes.length, features: rows.features };
  return { batch: label(order ? takeRows(rows, order) : rows, shape, codes, w), classes, names };
}
