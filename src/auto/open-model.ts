import { decodeState, type State } from '../core/artifact.ts';
import { intact } from '../estimators/intact.ts';
import { type Loaded, restoreState } from '../estimators/load.ts';
import { Classifier } from './classifier.ts';
import { TextPool } from './text-pool.ts';

/** Whatever a model file may hold. */
export type OpenedModel = Loaded | TextPool | Classifier;

/**
 * Reads any model file: a classifier of records, a pool of text models, an estimator, a transformer or a pipeline. It ends in
 * a model or a `PolyaError`, and executes nothing of the file. `load` does the same for estimators alone.
 */
export function openModel(bytes: Uint8Array | ArrayBuffer): OpenedModel {
  return openState(decodeState(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)));
}

/** The same from what was read of a file. */
export function openState(state: State): OpenedModel {
  if (state.kind === 'Classifier') return Classifier.fromState(state);
  return state.kind === 'TextPool' ? intact(() => TextPool.fromState(state)) : restoreState(state);
}
