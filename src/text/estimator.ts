import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { readOptions } from '../core/options.ts';
import { refuse } from '../errors.ts';
import type { SpecOf } from './options.ts';
import { sameParams, toJson } from './saved.ts';

/** What all estimators of this room have in common: a name, parameters, and a way into a file and back. */
export abstract class TextEstimator<Options extends object> {
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: Options;

  /** What was learned as plain data; empty before the first fit. */
  protected abstract save(options: StateOptions): Pick<State, 'learned' | 'arrays'>;

  protected constructor(kind: string, spec: SpecOf<Options>, given: unknown) {
    this.kind = kind;
    this.params = readOptions(kind, spec, given) as Options;
  }

  /** The parameters, as given or by default. */
  getParams(): Options {
    return { ...this.params };
  }

  /** An unfitted estimator with the same parameters. */
  clone(): this {
    return new (this.constructor as new (params: Options) => this)(this.params);
  }

  /** Refuses to be merged with another kind or other parameters. */
  protected requireAlike(other: TextEstimator<Options>): void {
    if (other.kind === this.kind && sameParams(other.params, this.params)) return;
    refuse('E_MERGE_MISMATCH', `a ${this.kind} cannot be merged with another kind or other parameters`, {
      expected: this.kind,
      actual: other.kind,
    });
  }

  /** The estimator as the bytes of a model file. Before the first fit it holds parameters alone. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The estimator as plain data. Of a function among the parameters only its name is kept. */
  toState(options: StateOptions = {}): State {
    return { kind: this.kind, params: toJson(this.params), ...this.save(options) };
  }
}
