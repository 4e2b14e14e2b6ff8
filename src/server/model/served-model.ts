import { Classifier } from '../../auto/classifier.ts';
import type { Evaluation } from '../../auto/classifier-split.ts';
import { type LoadedModel, loadState } from '../../auto/load.ts';
import type { RecordColumn } from '../../auto/record-check.ts';
import { decodeState, type State } from '../../core/artifact.ts';
import type { Label } from '../../data/labels.ts';
import type { Matrix } from '../../data/matrix.ts';
import type { Fitted } from '../../estimators/inside.ts';
import { ClassifierModel } from './classifier-model.ts';
import { EstimatorModel } from './estimator-model.ts';
import type { Instance } from './instances.ts';

export type { Instance } from './instances.ts';

/** An instance with its label, as it is learned. */
export interface Example {
  readonly instance: Instance;
  readonly label: Label;
  /** 1 where none is given. */
  readonly weight?: number | undefined;
}

/** Why an instance gets its scores: rest + terms = score, class by class, in nats. */
export interface Told {
  readonly terms: readonly { readonly feature: string; readonly value: unknown; readonly byClass: Float64Array }[];
  readonly rest: Float64Array;
  readonly score: Float64Array;
}

/** What functions beside a model ask of it. */
export interface Insider {
  readonly fitted: Fitted;
  /** An instance as the fitted model takes it; undefined where it takes none. */
  input(instance: Instance): unknown;
}

/** Any model as the server uses it: instances as they come out of JSON go in, and the model checks them. */
export interface ServedModel {
  /** 'Classifier', 'Pipeline', 'TextPool', or the name of an estimator. */
  readonly kind: string;
  /** The family in a few words. */
  readonly summary: string;
  readonly classes: readonly Label[];
  /** What an instance holds. A model of one text takes plain strings too. */
  readonly columns: readonly RecordColumn[];
  /** The column of the label, where the model knows one. */
  readonly target: string | undefined;
  /** Whether it learns and unlearns. */
  readonly learns: boolean;
  /** p(c) of every class, or their shares in what was learned; null where the model does not tell. */
  priors(): readonly number[] | null;
  /** How good it was on rows it had not learned, when it was fitted; null where nobody knows. */
  evaluation(): Evaluation | null;
  /** What the file held. */
  readonly opened: LoadedModel;
  /** ln p(c | x); `strict` is that of `RecordOptions`, and `within` the part of the request that refusals point to. */
  predictLogProba(instances: readonly Instance[], strict?: boolean, within?: string): Matrix;
  explain(instance: Instance, strict?: boolean): Told;
  /** The share of the distinct terms of a text that have no weight; null if the model is not made of the terms of one text. */
  unseen(instance: Instance): number | null;
  /** The inside, for rankings, nomograms and counterfactuals; undefined where no single model takes the rows. */
  insider(): Insider | undefined;
  /** Learns all examples, or none. */
  learn(examples: readonly Example[], strict?: boolean): void;
  /** Takes examples away that were learned: all, or none. */
  unlearn(examples: readonly Example[], strict?: boolean): void;
  toBytes(): Uint8Array;
  /** The same in parts, one after another; they stay as they are whatever is learned. */
  toParts(): Uint8Array[];
  /** The same as plain data, which other threads can have a copy of. */
  toState(): State;
}

/** A model file as a model to serve; ends in one or in a `PolyaError`. */
export function serveModel(bytes: Uint8Array): ServedModel {
  const state = decodeState(bytes);
  const opened = loadState(state);
  const model =
    opened instanceof Classifier ? new ClassifierModel(opened) : new EstimatorModel(opened, keepsCounts(state));
  if ('condense' in opened) opened.condense();
  return model;
}

/** A slim file has parameters and no counts. */
function keepsCounts({ learned, steps = [] }: State): boolean {
  return learned.slim !== true && steps.every(keepsCounts);
}
