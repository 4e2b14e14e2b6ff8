import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { type OptionSpec, type OptionValues, readOptions } from '../core/options.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireItems, requireLearning, requireNoOptions, requireOptions } from '../data/arguments.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { RowWeightOptions, Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import type { ColumnNames } from './learned.ts';
import { savedParams } from './learning.ts';

/** The rules of a transformer: learning, transforming and saving. */
export interface TransformRules<L extends ColumnNames, X, Out, Back> {
  /** Whether nothing is learned of rows but their width, so that `fit` may be left out. */
  readonly stateless?: boolean;
  /** Fits to these rows. */
  learn(rows: X, y: ArrayLike<Label> | undefined, weights: Weights | undefined): L;
  /** The rows in their new form. */
  transform(learned: L, rows: X): Out;
  /** The inverse transformation, if there is one. */
  inverse(learned: L, rows: Features): Back;
  /** The names of the columns that come out, from those that go in. */
  namesOut(learned: L, names: readonly string[]): string[];
  /** What was learned, as plain data. */
  save(learned: L, options: StateOptions): Pick<State, 'learned' | 'arrays'>;
  /** The inverse of `save`; validates everything. */
  revive(state: State): L;
  /** Parameters as JSON, where `savedParams` does not do. */
  params?(): Record<string, JsonValue>;
}

/** A transformer of columns: parameters that were checked, and a learned state that follows from one call of `fit`. */
export abstract class Transformer<Spec extends OptionSpec, L extends ColumnNames, X, Out, Back> {
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: OptionValues<Spec>;
  protected learned: L | undefined;
  protected abstract readonly rules: TransformRules<L, X, Out, Back>;

  protected constructor(kind: string, spec: Spec, given: unknown) {
    this.kind = kind;
    this.params = readOptions(kind, spec, given);
  }

  /** Fits to these rows. */
  fit(X: X, y?: ArrayLike<Label>, options: RowWeightOptions = {}): this {
    const { sampleWeight } = requireLearning(this.kind, options);
    requireNoOptions(y);
    this.learned = this.rules.learn(X, y, sampleWeight);
    return this;
  }

  /** `fit` and `transform` of the same rows. */
  fitTransform(X: X, y?: ArrayLike<Label>, options?: RowWeightOptions): Out {
    return this.fit(X, y, options).transform(X);
  }

  /** The rows in their new form. */
  transform(X: X): Out {
    const { rules } = this;
    return rules.transform(this.learned ?? (rules.stateless ? rules.learn(X, undefined, undefined) : this.fitted()), X);
  }

  /** The inverse transformation, if there is one. */
  inverseTransform(X: Features): Back {
    return this.rules.inverse(this.fitted(), X);
  }

  /** The names of the columns that come out; `inputFeatures` are those that go in, where rows came without names. */
  getFeatureNamesOut(inputFeatures?: readonly string[]): string[] {
    return this.rules.namesOut(this.fitted(), this.namesIn(inputFeatures));
  }

  /** The parameters, as given or by default. */
  getParams(): OptionValues<Spec> {
    return { ...this.params };
  }

  /** Replaces some parameters. What was learned is forgotten: call `fit` again. */
  setParams(params: Partial<OptionValues<Spec>>): this {
    requireOptions(this.kind, Object.keys(this.params), params);
    return Object.assign(this, this.with({ ...this.params, ...params }));
  }

  /** An unfitted transformer with the same parameters. */
  clone(): this {
    return this.with(this.params);
  }

  private with(params: OptionValues<Spec>): this {
    return new (this.constructor as new (params: OptionValues<Spec>) => this)(params);
  }

  /** How many columns go in. */
  get nFeaturesIn(): number {
    return this.fitted().features;
  }

  /** The names of the columns that go in, where they had names. */
  get featureNamesIn(): string[] | undefined {
    const { names } = this.fitted();
    return names && [...names];
  }

  /** Throws: save a model with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The transformer as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The transformer as plain data. */
  toState(options: StateOptions = {}): State {
    const saved = this.learned ? this.rules.save(this.learned, options) : { learned: {}, arrays: {} };
    return { kind: this.kind, params: this.rules.params?.() ?? savedParams(this.params), ...saved };
  }

  /**
   * Restores a state that was read from a file.
   *
   * @internal
   */
  restore(state: State): this {
    const empty = Object.keys(state.learned).length === 0 && Object.keys(state.arrays).length === 0;
    if (!empty) this.learned = this.rules.revive(state);
    return this;
  }

  /** The learned state; throws before the first fit. */
  protected fitted(): L {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }

  /** The names of the columns that go in: their own, the given ones, or x0, x1, … */
  private namesIn(given?: readonly string[]): readonly string[] {
    const { names, features } = this.fitted();
    if (given !== undefined) requireItems(given, 'the names of the columns');
    if (given && given.length !== features) {
      refuse('E_FEATURE_COUNT', `there are ${given.length} names for ${features} features`, {
        expected: features,
        actual: given.length,
      });
    }
    const stranger = names && given?.find((name, j) => name !== names[j]);
    if (stranger !== undefined) {
      refuse('E_FEATURE_UNKNOWN', `${show(stranger)} is not the name that was learned`, { feature: stranger });
    }
    return names ?? given ?? Array.from({ length: features }, (_, j) => `x${j}`);
  }
}
