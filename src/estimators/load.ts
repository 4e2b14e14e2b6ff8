import { decodeState, type State } from '../core/artifact.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import { BernoulliNB } from './bernoulli-nb.ts';

/** Every estimator by its public name: what a model file may name. */
export const estimators = { BernoulliNB } as const;

/** Any estimator of Pólya. */
export type Estimator = InstanceType<(typeof estimators)[keyof typeof estimators]>;

/** Reads the bytes of a model file. It ends in an estimator or a `PolyaError`, and executes nothing of the file. */
export function load(bytes: Uint8Array | ArrayBuffer): Estimator {
  return restore(decodeState(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)));
}

function restore(state: State): Estimator {
  const { kind } = state;
  if (!Object.hasOwn(estimators, kind))
    refuse('E_MODEL_CORRUPT', `the model is of the unknown kind ${show(kind)}`, { kind });
  try {
    return new estimators[kind as keyof typeof estimators](state.params).restore(state);
  } catch (cause) {
    if (cause instanceof PolyaError && cause.code !== 'E_MODEL_CORRUPT') {
      refuse('E_MODEL_CORRUPT', `the model contradicts itself: ${cause.message}`, {}, cause);
    }
    throw cause;
  }
}
