import { encodeState, type State } from '../core/artifact.ts';
import type { ExactStats, Model, Moves } from '../core/model.ts';
import { type OptionSpec, type OptionValues, readOptions } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import { type Label, moves } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { PolyaError, refuse } from '../errors.ts';
import { fromState, type Keeper, type Learned, toState } from './learned.ts';
import { largestCount } from './overflow.ts';

/**
 * What an estimator that counts keeps: its parameters as given, and what it has learned, from which the parameters of its
 * model are derived when they are needed. A subclass names its model and its options.
 */
export abstract class Keeping<Spec extends OptionSpec, S extends Shape, P extends Shape> {
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: OptionValues<Spec>;
  protected learned: Learned<S> | undefined;
  protected derived: P | undefined;
  protected ceiling = 0; // no count is larger than this

  /** The model behind the estimator: which statistic, how to estimate, how to score. */
  // biome-ignore lint/suspicious/noExplicitAny: only the subclass knows the options of its model, and it provides them
  abstract readonly model: Model<S, P, any>;
  /** The options of the model for this shape and what is known of the columns; refuses parameters that do not fit. */
  protected abstract modelOptions(shape: Shape, schema?: JsonValue): unknown;

  protected constructor(kind: string, spec: Spec, given: unknown) {
    this.kind = kind;
    this.params = readOptions(kind, spec, given);
  }

  /** The parameters, as given or by default. */
  getParams(): OptionValues<Spec> {
    return { ...this.params };
  }

  /** An unfitted estimator with the same parameters. */
  clone(): this {
    return new (this.constructor as new (params: OptionValues<Spec>) => this)(this.params);
  }

  /** How many features the rows have. */
  get nFeaturesIn(): number {
    return this.fitted().stats.features;
  }

  /** The names of the columns, where rows came with names. */
  get featureNamesIn(): string[] | undefined {
    const { names } = this.fitted();
    return names && [...names];
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.fitted().classes];
  }

  /** The estimator as the bytes of a model file. Before the first fit it holds parameters alone. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return encodeState(this.toState());
  }

  /** The estimator as plain data. */
  toState(): State {
    const params = JSON.parse(JSON.stringify(this.params)) as Record<string, JsonValue>;
    const learned = this.learned ? toState(this.keeper, this.learned) : { learned: {}, arrays: {} };
    return { kind: this.kind, params, ...learned };
  }

  /** Takes over a state that was read from a file. */
  restore(state: State): this {
    if (Object.keys(state.learned).length === 0 && Object.keys(state.arrays).length === 0) return this;
    const learned = fromState(this.keeper, state);
    const derived = this.deriveIfEnough(learned);
    this.become(learned, largestCount(this.keeper, learned.stats));
    this.derived = derived;
    return this;
  }

  /** The statistic in the arithmetic that was asked for. */
  protected get keeper(): Keeper<S> {
    return this.params.reproducible ? this.model.statistic.exact : this.model.statistic;
  }

  /** The statistic as plain numbers, as models read it. */
  protected rounded({ stats }: Learned<S>): S {
    return 'cells' in stats ? this.model.statistic.exact.round(stats) : stats;
  }

  /** What was learned; refuses before the first fit. */
  protected fitted(): Learned<S> {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }

  /** The parameters that follow from what was learned. */
  protected parameters(): P {
    this.derived ??= this.derive(this.fitted());
    return this.derived;
  }

  /** Statistic → parameters; a subclass may put names into the refusals of its model. */
  protected derive(learned: Learned<S>): P {
    return this.model.estimate(this.rounded(learned), this.modelOptions(learned.stats, learned.schema));
  }

  /** The parameters, or nothing where the rows so far do not suffice for them: a first lesson may be saved as well. */
  private deriveIfEnough(learned: Learned<S>): P | undefined {
    try {
      return this.derive(learned);
    } catch (cause) {
      if (cause instanceof PolyaError && /^E_CLASS(ES)?_TOO/.test(cause.code)) return undefined;
      throw cause;
    }
  }

  /** What was learned, in another shape; always a copy. */
  protected reshaped(
    { stats, classes: from }: Learned<S>,
    shape: Shape,
    classes: readonly Label[],
    others: Moves = {},
  ): S | ExactStats {
    return this.keeper.reshape(stats as never, shape, { ...others, classes: moves(from, classes) }) as S | ExactStats;
  }

  /** Takes over what was learned; parameters are derived anew when they are needed. */
  protected become(learned: Learned<S> | undefined, ceiling: number = this.ceiling): this {
    this.learned = learned;
    this.ceiling = ceiling;
    this.derived = undefined;
    return this;
  }

  /** What was learned, as a copy. */
  protected copyOf(learned: Learned<S>): Learned<S> {
    return { ...learned, stats: this.reshaped(learned, learned.stats, learned.classes) };
  }
}
