import { decodeState, type State } from '../core/artifact.ts';
import type { FittedModel } from '../estimators/fitted-model.ts';
import { type Restored, restoreState } from '../estimators/load.ts';
import { Classifier } from './classifier.ts';

/** Everything a model file may hold; distinguish the kinds by `kind` or `instanceof`. */
export type LoadedModel = Restored | Classifier;

/**
 * Reads the bytes of a model file of any kind: a classifier as `polya fit` writes it, an estimator, a pipeline, a transformer. It ends in a model or a `PolyaError`, and executes nothing of the file.
 *
 * The result has what every fitted model offers. Name the kind to get the rest of it:
 * `load<Pipeline<[CountVectorizer, MultinomialNB]>>(bytes)`, or `load<LoadedModel>(bytes)` for a union to narrow.
 * A bundle with `load` holds every kind of model; `restore` reads a file into an estimator that you made, and needs only that one.
 */
export function load<Kind extends object = FittedModel>(bytes: Uint8Array | ArrayBuffer): Kind {
  return loadState(decodeState(bytes)) as Kind;
}

/** The model of a state that was read from a file. */
export function loadState(state: State): LoadedModel {
  return state.kind === 'Classifier' || state.kind === 'TextPool' ? Classifier.fromState(state) : restoreState(state);
}
