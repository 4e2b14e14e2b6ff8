import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { type OptionSpec, type OptionValues, readOptions } from '../core/options.ts';
import { requireItems } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse, show } from '../errors.ts';

/** What a transformer has learned of its columns, whatever else it learns. */
export interface Columns {
  readonly features: number;
  /** Where rows came with names. */
  readonly names: readonly string[] | undefined;
}

/**
 * What all transformers have in common: parameters checked once, a learned state that follows from one call of `fit`,
 * and the way to bytes. A subclass says what it learns, how it transforms, and how its state is saved.
 */
export abstract class Transformer<Spec extends OptionSpec, L extends Columns, X, Out> {
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: OptionValues<Spec>;
  protected learned: L | undefined;

  protected constructor(kind: string, spec: Spec, given: unknown) {
    this.kind = kind;
    this.params = readOptions(kind, spec, given);
  }

  /** Learns from these rows alone. */
  abstract fit(rows: X, y?: ArrayLike<Label>, options?: object): this;

  /** The rows in their new form. */
  abstract transform(rows: X): Out;

  /** The names of the columns that come out. */
  abstract getFeatureNamesOut(inputFeatures?: readonly string[]): string[];

  /** What was learned, as plain data. */
  protected abstract save(learned: L, options: StateOptions): Pick<State, 'learned' | 'arrays'>;

  /** The inverse of `save`; believes nothing. */
  protected abstract revive(state: State): L;

  /** `fit` and `transform` of the same rows. */
  fitTransform(rows: X, y?: ArrayLike<Label>, options?: object): Out {
    return this.fit(rows, y, options).transform(rows);
  }

  /** The parameters, as given or by default. */
  getParams(): OptionValues<Spec> {
    return { ...this.params };
  }

  /** An unfitted transformer with the same parameters. */
  clone(): this {
    return new (this.constructor as new (params: OptionValues<Spec>) => this)(this.params);
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

  /** The transformer as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The transformer as plain data. */
  toState(options: StateOptions = {}): State {
    const saved = this.learned ? this.save(this.learned, options) : { learned: {}, arrays: {} };
    return { kind: this.kind, params: this.plainParams(), ...saved };
  }

  /** Takes over a state that was read from a file. */
  restore(state: State): this {
    const empty = Object.keys(state.learned).length === 0 && Object.keys(state.arrays).length === 0;
    if (!empty) this.learned = this.revive(state);
    return this;
  }

  /** The parameters as JSON: NaN is written as 'nan', and within a list of categories, where it is missing, as null. */
  protected plainParams(): Record<string, JsonValue> {
    const text = JSON.stringify(this.params, function (this: unknown, _, value) {
      if (!Number.isNaN(value)) return value;
      return Array.isArray(this) ? null : 'nan';
    });
    return JSON.parse(text) as Record<string, JsonValue>;
  }

  /** What was learned; refuses before the first fit. */
  protected fitted(): L {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }

  /** The names of the columns that go in: their own, the given ones, or x0, x1, … */
  protected namesIn(given?: readonly string[]): readonly string[] {
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
