/**
 * The entry point `polya/predict`: predicts with a model exported as JSON, without the code that learns. Small enough for web pages.
 * @module polya/predict
 */
import type { Label } from './data/labels.ts';
import type { Matrix } from './data/matrix.ts';
import { runPlan } from './exchange/run-plan.ts';
import { fromJson, type ModelJson } from './exchange/to-json.ts';
import { argmax } from './math/arrays.ts';

export type { Label } from './data/labels.ts';
export type { Matrix } from './data/matrix.ts';
export { type ErrorCode, type ErrorDetails, PolyaError } from './errors.ts';
export type { ModelJson } from './exchange/to-json.ts';

/** A row: a text, a list of cells in the order of the columns, or an object with a cell for each name. */
export type PredictRow = string | readonly unknown[] | { readonly [column: string]: unknown };

/** A model that predicts and does not learn. */
export interface Predictor<L extends Label = Label> {
  /** The class of the exported model, such as 'Classifier' or 'MultinomialNB'. */
  readonly kind: string;
  /** The sorted class labels, in the order of the columns of probabilities. */
  readonly classes: readonly L[];
  /** The most probable class of every row; the first of ties. */
  predict(rows: Iterable<PredictRow>): L[];
  /** p(c | x) of every row and class. */
  predictProba(rows: Iterable<PredictRow>): Matrix;
  /** ln p(c | x) of every row and class. */
  predictLogProba(rows: Iterable<PredictRow>): Matrix;
}

/**
 * Opens a model that `polya export --to json` or `toJson` wrote, as text or as a parsed value. It covers every family, text pipelines,
 * calibrated classifiers and the ensembles of `auto`, and predicts what the model itself predicts. Throws E_FORMAT for anything else.
 */
export function openModel<L extends Label = Label>(json: ModelJson | string): Predictor<L> {
  const plan = fromJson(json);
  const classes = plan.classes as readonly L[];
  const predictLogProba = (rows: Iterable<PredictRow>): Matrix => runPlan(plan, rows);
  return {
    kind: plan.model,
    classes,
    predictLogProba,
    predictProba(rows) {
      const proba = predictLogProba(rows);
      for (let k = 0; k < proba.data.length; k++) proba.data[k] = Math.exp(proba.data[k]);
      return proba;
    },
    predict(rows) {
      const logs = predictLogProba(rows);
      return Array.from({ length: logs.rows }, (_, i) => classes[argmax(logs.row(i))]);
    },
  };
}
