import { type Batch, label, takeRows } from '../data/batch.ts';
import { type Expectation, type Features, readFeatures, requireSome } from '../data/input.ts';
import { encodeLabels, type Label, requireLabels } from '../data/labels.ts';
import { readWeights, type Weights, weighing } from '../data/weights.ts';
import { refuse } from '../errors.ts';

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
  const labels = requireLabels(y).length;
  if (rows.rows !== labels)
    refuse('E_SHAPE', `there are ${rows.rows} rows and ${labels} labels`, { rows: rows.rows, labels });
  const w = readWeights(sampleWeight, y.length);
  encodeLabels(y); // an invalid label throws even if its weight is zero
  const kept = weighing(w);
  const { classes, codes } = encodeLabels(kept ? Array.from(kept, (i) => y[i]) : y);
  const shape = { classes: classes.length, features: rows.features };
  const batch = kept
    ? label(
        takeRows(rows, kept),
        shape,
        codes,
        Float64Array.from(kept, (i) => w[i]),
      )
    : label(rows, shape, codes, w);
  return { batch, classes, names };
}
