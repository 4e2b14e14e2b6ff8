/**
 * The entry point `polya/predict`: predicts with a model file or a model exported as JSON, without the code that learns. Small enough for
 * web pages.
 * @module polya/predict
 */
import { decodeState } from './core/artifact.ts';
import type { Label } from './data/labels.ts';
import type { Matrix } from './data/matrix.ts';
import { planOfSaved } from './exchange/plan/saved.ts';
import type { Plan } from './exchange/plan.ts';
import { fromJson, type ModelJson } from './exchange/plan-json.ts';
import { runPlan } from './exchange/run-plan.ts';
import { argmax } from './math/arrays.ts';

export type { Label } from './data/labels.ts';
export type { Matrix } from './data/matrix.ts';
export { type ErrorCode, type ErrorDetails, PolyaError } from './errors.ts';
export type { ModelJson } from './exchange/plan-json.ts';

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
  return predictorOf(fromJson(json));
}

/**
 * Opens a model file (`*.polya`) of any kind that `openModel` covers, with counts or slim, and predicts what the model itself predicts. The
 * code of a family is loaded when a file needs it. Throws E_CONFLICT for models that cannot be exported, and what `load` throws for damaged files.
 */
export async function openModelFile<L extends Label = Label>(bytes: Uint8Array | ArrayBuffer): Promise<Predictor<L>> {
  return predictorOf(await planOfSaved(decodeState(bytes)));
}

function predictorOf<L extends Label>(plan: Plan): Predictor<L> {
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
