import type { ScoringModel } from '../core/model.ts';
import type { Rows, Shape } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import { argmax } from '../math/arrays.ts';

/** The contribution of one feature to the score of each class. */
export interface Contribution {
  /** The name of the feature, or its number where features have no names. */
  readonly feature: string | number;
  /** ln p(xⱼ | c), one per class. */
  readonly byClass: Float64Array;
}

/** The explanation of a prediction: prior + contributions + rest = score, for each class. */
export interface Explanation {
  readonly label: Label;
  readonly classes: readonly Label[];
  /** ln p(c). */
  readonly prior: Float64Array;
  readonly contributions: readonly Contribution[];
  /** The sum over the features that are not listed one by one. */
  readonly rest: Float64Array;
  /** ln p(c) + ln p(x | c). */
  readonly score: Float64Array;
}

/** The inputs of an explanation. */
export interface Telling<P extends Shape> {
  // biome-ignore lint/suspicious/noExplicitAny: whatever was counted, and under whatever options
  readonly model: ScoringModel<any, P, any>;
  readonly params: P;
  readonly classes: readonly Label[];
  name(j: number): string | number;
}

/** Decomposes the score of row i. */
export function explainRow<P extends Shape>(
  { model, params, classes, name }: Telling<P>,
  rows: Rows,
  i: number,
): Explanation {
  const prior = model.logPrior(params).slice();
  const { features, terms, rest } = model.terms(params, rows, i);
  const inOrder = [...features.keys()].sort((a, b) => features[a] - features[b]);
  const contributions = inOrder.map((f) => ({
    feature: name(features[f]),
    byClass: terms.slice(f * classes.length, (f + 1) * classes.length),
  }));
  const score = prior.map((start, c) => contributions.reduce((sum, { byClass }) => sum + byClass[c], start + rest[c]));
  return { label: classes[argmax(score)], classes, prior, contributions, rest, score };
}
