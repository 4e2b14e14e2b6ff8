import type { ExactStats, Moves, ScoringModel } from '../core/model.ts';
import { type OptionSpec, type OptionValues, readOptions } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import { type Label, moves } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import type { Keeper, Learned } from './learned.ts';

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

  /** The model behind the estimator: which statistic, how to estimate, how to score. */
  // biome-ignore lint/suspicious/noExplicitAny: only the subclass knows the options of its model, and it provides them
  abstract readonly model: ScoringModel<S, P, any>;
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

  /** For functions beside the estimator: takes over what they make of what was learned, and of parameters that came along. */
  adopt(
    make: (keeper: Keeper<S>, learned: Learned<S> | undefined) => Learned<S> | undefined,
    derive?: (learned: Learned<S>, options: unknown) => P | undefined,
  ): this {
    const learned = make(this.keeper, this.learned);
    const derived = learned && derive?.(learned, this.modelOptions(learned.stats, learned.schema));
    return this.become(learned, derived);
  }

  /** Takes over the counts of another estimator with the same statistic, without a copy: they must not be added to afterwards. */
  share(other: Keeping<OptionSpec, S, Shape>): this {
    return this.become(other.learned);
  }

  /** The statistic in the arithmetic that was asked for. */
  protected get keeper(): Keeper<S> {
    return this.model.statistic;
  }

  /** The statistic as plain numbers, as models read it. */
  protected rounded({ stats }: Learned<S>): S {
    return stats as S;
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
    return this.model.estimate(this.weighted(learned), this.modelOptions(learned.stats, learned.schema));
  }

  /** The statistic that parameters are estimated from: the counts, or what a subclass makes of them. */
  protected weighted(learned: Learned<S>): S {
    return this.rounded(learned);
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

  /** Takes over what was learned; parameters that are not given are derived anew when they are needed. */
  protected become(learned: Learned<S> | undefined, derived?: P): this {
    this.learned = learned;
    this.derived = derived;
    return this;
  }
}
