import type { OptionSpec, OptionValues } from '../core/options.ts';
import { logClassPrior, requirePseudoLength } from '../core/prior.ts';
import type { Batch, Shape } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { chooseAlpha, chosenAlpha, type HeldOut, uniteAlpha } from './auto-alpha.ts';
import { classPriorOf } from './class-prior.ts';
import { CountingClassifier } from './classifier.ts';
import type { Learned } from './learned.ts';
import type { Union } from './lesson.ts';
import { type Alpha, priorOf, type smoothing } from './smoothing.ts';

/** What naive Bayes of sums has in common: the class prior, and pseudo-counts that may be chosen from the first rows. */
export abstract class DiscreteNB<
  Spec extends OptionSpec & typeof smoothing,
  S extends Shape & { readonly n: Float64Array },
  P extends Shape,
> extends CountingClassifier<Spec, S, P, Features> {
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

  /** For `CountedText`: what was learned, if it is plain counts of columns without names. */
  get wordCounts(): Learned<S> | undefined {
    const { learned } = this;
    const plain = learned && !learned.slim && !learned.names && !('cells' in learned.stats) && !learned.stats.missing;
    return plain ? learned : undefined;
  }

  /** For `CountedText`: what was learned, if its counts were not saved. */
  get slimCounts(): Learned<S> | undefined {
    const { learned } = this;
    return learned?.slim && !learned.names ? learned : undefined;
  }

  /** For `CountedText`: whether this is what was learned. */
  knows(learned: Learned<S> | undefined): boolean {
    return this.learned === learned;
  }

  /** For `CountedText`: the options of the model. */
  wordOptions({ stats, schema }: Learned<S>): unknown {
    return this.modelOptions(stats, schema);
  }

  /** The alpha that the first rows chose, where they had the choice. */
  protected chosen(): number {
    return chosenAlpha(this.fitted().schema);
  }

  override get settles(): boolean {
    return this.params.alpha === 'auto';
  }

  protected modelOptions({ classes, features }: Shape, schema?: JsonValue): unknown {
    if (!this.settles && schema !== undefined) {
      refuse('E_MODEL_CORRUPT', 'the model file is damaged: it holds a chosen alpha, which was not asked for');
    }
    const prior = priorOf(this.smoothing);
    if (prior.rule !== 'mle') requirePseudoLength(prior.a, classes, features);
    logClassPrior(new Float64Array(classes).fill(1), classPriorOf(this.smoothing));
    return this.optionsWith(chosenAlpha(schema));
  }

  protected override get estimatesLater(): boolean {
    return true;
  }

  protected override settle(learned: Learned<S>, batch: Batch): Learned<S> {
    if (!this.settles) return learned;
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
    if (!this.settles) return union;
    const [n, m] = [mine, theirs].map((learned) => sum(this.rounded(learned).n));
    const alpha = uniteAlpha(chosenAlpha(mine.schema), n, chosenAlpha(theirs.schema), m);
    return { ...union, schema: { alpha } };
  }
}
