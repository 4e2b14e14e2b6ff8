import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { readOptions } from '../core/options.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireOptions } from '../data/arguments.ts';
import type { SpecOf } from './option-kinds.ts';
import { toJson } from './params.ts';

/** Base class of text estimators without a vocabulary: name, parameters, saving and loading. */
export abstract class TextEstimator<Options extends object> {
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: Options;

  protected constructor(kind: string, spec: SpecOf<Options>, given: unknown) {
    this.kind = kind;
    this.params = readOptions(kind, spec, given) as Options;
  }

  /** The parameters, as given or by default. */
  getParams(): Options {
    return { ...this.params };
  }

  /** Replaces some parameters. What was learned is forgotten: call `fit` again. */
  setParams(params: Partial<Options>): this {
    requireOptions(this.kind, Object.keys(this.params), params);
    return Object.assign(this, this.with({ ...this.params, ...params }));
  }

  /** An unfitted estimator with the same parameters. */
  clone(): this {
    return this.with(this.params);
  }

  private with(params: Options): this {
    return new (this.constructor as new (params: Options) => this)(params);
  }

  /** The learned state as plain data; empty before the first fit. */
  protected abstract save(options: StateOptions): Pick<State, 'learned' | 'arrays'>;

  /** Refuses: a model is saved with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The estimator as the bytes of a model file. Before the first fit it holds parameters alone. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The estimator as plain data. For a function among the parameters only its name is saved. */
  toState(options: StateOptions = {}): State {
    return { kind: this.kind, params: toJson(this.params), ...this.save(options) };
  }
}
