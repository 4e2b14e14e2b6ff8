import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { Parametrized } from './parametrized.ts';
import { toJson } from './params.ts';

/** What estimators of this room without a vocabulary have in common: a name, parameters, and a way into a file and back. */
export abstract class TextEstimator<Options extends object> extends Parametrized<Options> {
  /** What was learned as plain data; empty before the first fit. */
  protected abstract save(options: StateOptions): Pick<State, 'learned' | 'arrays'>;

  /** The estimator as the bytes of a model file. Before the first fit it holds parameters alone. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The estimator as plain data. Of a function among the parameters only its name is kept. */
  toState(options: StateOptions = {}): State {
    return { kind: this.kind, params: toJson(this.params), ...this.save(options) };
  }
}
