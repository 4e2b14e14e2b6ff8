import { type Linear, scoreLinear } from '../core/linear.ts';
import type { Whole } from '../core/model.ts';
import type { OptionSpec, OptionValues } from '../core/options.ts';
import { logClassPrior, requirePseudoLength } from '../core/prior.ts';
import type { Batch, Rows, Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import { asStored } from '../data/stored.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { Sums } from '../stats/sums.ts';
import { chooseAlpha, chosenAlpha, type HeldOut, uniteAlpha } from './auto-alpha.ts';
import { classPriorOf } from './class-prior.ts';
import { CountingClassifier } from './classifier.ts';
import { fewRows } from './few-rows.ts';
import type { Learned } from './learned.ts';
import type { Union } from './lesson.ts';
import { type Alpha, priorOf, type smoothing } from './smoothing.ts';

/** So many rows are scored by their own words before the parameters of all words are derived. */
const MUCH = 500;

/** So many parameters are worth waiting until somebody needs all of them. */
const MANY_PARAMETERS = 1 << 16;

/** What naive Bayes of sums has in common: the class prior, and pseudo-counts that may be chosen from the first rows. */
export abstract class DiscreteNB<
  Spec extends OptionSpec & typeof smoothing,
  S extends Shape & { readonly n: Float64Array },
  P extends Shape,
> extends CountingClassifier<Spec, S, P, Features> {
  /** How many rows were scored; many of them pay for the parameters of all words. */
  private asked = 0;
  private whole: (Whole & { readonly of: Learned<S> }) | undefined;

  /** Scores rows without themselves, to choose alpha by. */
  protected abstract readonly heldOut: HeldOut<S, never>;
  /** The options of the model with this pseudo-count where alpha is 'auto'. */
  protected abstract optionsWith(chosen: number): unknown;

  /** The options of smoothing, which every subclass has. */
  private get smoothing(): OptionValues<typeof smoothing> {
    return this.params as unknown as OptionValues<typeof smoothing>;
  }

  /** The weight of each class. */
  get classCount(): Float64Array {
    return this.rounded(this.fitted()).n.slice();
  }

  /** ln p(c). */
  get classLogPrior(): Float64Array {
    return logClassPrior(this.weighted(this.fitted()).n, classPriorOf(this.smoothing));
  }

  /** The pseudo-counts in use: as given, or as chosen. */
  get alpha(): Exclude<Alpha, 'auto'> {
    const chosen = this.chosen();
    const { alpha } = this.smoothing;
    return alpha === 'auto' ? chosen : alpha;
  }

  /** For words that are learned one by one: what was learned, where that is plain counts of columns without names. */
  get wordCounts(): Learned<S> | undefined {
    const { learned } = this;
    const weighs = this.params.classWeight !== null;
    const plain =
      learned && !weighs && !learned.slim && !learned.names && !('cells' in learned.stats) && !learned.stats.missing;
    return plain && typeof this.params.alpha !== 'object' && this.model.estimatePart ? learned : undefined;
  }

  /** For words that are learned one by one: whether this is what was learned. */
  knows(learned: Learned<S>): boolean {
    return this.learned === learned;
  }

  /** For texts that come one by one: the parameters, where they are known and scores are linear in the counts. */
  get linear(): Linear | undefined {
    const { derived, learned } = this;
    const fits = derived && learned && !learned.names && this.model.score === (scoreLinear as unknown);
    return fits ? (derived as unknown as Linear) : undefined;
  }

  /** For words that are learned one by one: the options of the model. */
  wordOptions({ stats, schema }: Learned<S>): unknown {
    return this.modelOptions(stats, schema);
  }

  protected override derivesLater({ stats }: Learned<S>): boolean {
    return this.model.estimatePart !== undefined && stats.classes * stats.features >= MANY_PARAMETERS;
  }

  /** A few rows of a large model that was just loaded or has just learned are scored without the parameters of all words. */
  protected override parametersFor(rows: Rows): readonly [params: P, rows: Rows] | undefined {
    const learned = this.wordCounts;
    this.asked += rows.rows;
    if (this.derived || !learned || this.asked > MUCH) return undefined;
    const stats = learned.stats as unknown as Sums;
    const few = fewRows(stats, rows);
    const options = this.modelOptions(stats, learned.schema);
    const params = few && this.model.estimatePart?.(few.part as never, this.wholeOf(learned), options);
    return params && [params, few.rows];
  }

  /** What the parameters of some words need to know of all of them. */
  private wholeOf(learned: Learned<S>): Whole {
    if (this.whole?.of === learned) return this.whole;
    const stats = learned.stats as unknown as Sums;
    const { classes, features } = stats;
    const s = asStored(stats, 's');
    const totals = Float64Array.from({ length: classes }, (_, c) => sum(s, c * features, features));
    this.whole = { of: learned, features, totals };
    return this.whole;
  }

  /** The alpha that the first rows chose, where they had the choice. */
  protected chosen(): number {
    return chosenAlpha(this.fitted().schema);
  }

  /** Whether the first rows choose alpha. */
  protected get choosing(): boolean {
    return this.params.alpha === 'auto';
  }

  protected modelOptions({ classes, features }: Shape, schema?: JsonValue): unknown {
    if (!this.choosing && schema !== undefined) {
      refuse('E_MODEL_CORRUPT', 'the model file is damaged: it holds a chosen alpha, which was not asked for');
    }
    const prior = priorOf(this.smoothing);
    if (prior.rule !== 'mle') requirePseudoLength(prior.a, classes, features);
    logClassPrior(new Float64Array(classes).fill(1), classPriorOf(this.smoothing));
    return this.optionsWith(chosenAlpha(schema));
  }

  protected override settle(learned: Learned<S>, batch: Batch): Learned<S> {
    if (!this.choosing) return learned;
    const alpha = chooseAlpha(
      this.heldOut,
      this.weighted(learned),
      this.weighBatch(batch, learned),
      (chosen) => this.optionsWith(chosen) as never,
    );
    return { ...learned, schema: { alpha } };
  }

  protected override unite(mine: Learned<S>, theirs: Learned<S>): Union {
    const union = super.unite(mine, theirs);
    if (!this.choosing) return union;
    const [n, m] = [mine, theirs].map((learned) => sum(this.rounded(learned).n));
    const alpha = uniteAlpha(chosenAlpha(mine.schema), n, chosenAlpha(theirs.schema), m);
    return { ...union, schema: { alpha } };
  }
}
