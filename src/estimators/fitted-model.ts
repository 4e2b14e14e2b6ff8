import type { SaveOptions } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import type { Documents } from '../text/documents.ts';
import type { MixedFeatures } from './mixed-nb.ts';

/** Any input of a model: numbers, columns, documents or records. Each kind of model accepts some of these. */
export type ModelInput = MixedFeatures | Documents | readonly object[];

/**
 * The methods of every fitted model: a classifier of records, an estimator, a pipeline, a calibrated classifier or an ensemble of text
 * models. `load` returns it unless you name a type.
 */
export interface FittedModel<Input = ModelInput, L extends Label = Label> {
  /** Which model it is: 'Classifier', 'Pipeline', 'MultinomialNB' … */
  readonly kind: string;
  /** The sorted class labels. Columns of probabilities are in this order. */
  readonly classes: readonly L[];
  /** The most probable class of every row; the first of equals. */
  predict(X: Input): L[];
  /** p(c | x) of every row and class. */
  predictProba(X: Input): Matrix;
  /** ln p(c | x) of every row and class. */
  predictLogProba(X: Input): Matrix;
  /** The weighted share of rows whose class is predicted. */
  score(X: Input, y: ArrayLike<Label>, options?: { readonly sampleWeight?: Weights | undefined }): number;
  /** The model as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer>;
}

/** The type of a fitted estimator: it predicts labels of the type it was fitted with. */
export interface FittedWith<L extends Label, Input> {
  /** The sorted class labels. */
  readonly classes: L[];
  /** The most probable class of every row; the first of equals. */
  predict(X: Input): L[];
}
