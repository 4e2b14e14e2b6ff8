import { classFactors } from '../core/class-weight.ts';
import { byClass, type Linear } from '../core/linear.ts';
import type { ExactStats } from '../core/model.ts';
import type { OptionValues } from '../core/options.ts';
import { type Batch, mapCells, type Rows, takeRows } from '../data/batch.ts';
import type { Features, Input } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { CountOptions } from '../engines/engine.ts';
import { addBatch } from '../engines/memory.ts';
import { Random } from '../math/random.ts';
import { type discriminative, refuseAlgebra, type Sides } from '../models/discriminative.ts';
import { CountingClassifier } from './classifier.ts';
import { discriminativeMultinomialKind } from './kinds/discriminative-multinomial.ts';
import type { Capabilities, Labels, LearnOptions } from './learning.ts';

/** Parameters of `DiscriminativeMultinomialNB`. */
export type DiscriminativeMultinomialNBOptions = Partial<OptionValues<typeof discriminativeMultinomialKind.spec>>;

/**
 * Discriminative multinomial naive Bayes (DMNB), as in Weka: a document is counted only to the extent that it is misclassified. It learns
 * online, in the order of the rows; `fit` may pass over them several times in random order, `partialFit` takes each once. Its state is not
 * a sum over rows, so `merge`, `unlearn`, `decay` and `sample` throw E_CONFLICT, and a row of weight 2 is one mistake of double weight
 * rather than two rows.
 */
export class DiscriminativeMultinomialNB extends CountingClassifier<
  typeof discriminativeMultinomialKind.spec,
  Sides,
  Linear
> {
  declare readonly model: typeof discriminative;

  constructor(options: DiscriminativeMultinomialNBOptions = {}) {
    super(discriminativeMultinomialKind, options);
  }

  /** What this estimator can do. */
  override get capabilities(): Capabilities {
    return Object.freeze({ ...super.capabilities, mergeable: false });
  }

  /** The score of each class for a row without words. */
  get classLogOdds(): Float64Array {
    return this.parameters().logPrior.slice();
  }

  /** What each word adds to the score of each class. */
  get featureLogOdds(): Matrix {
    const { classes, features, weights } = this.parameters();
    return new Matrix(classes, features, byClass(weights, classes, features));
  }

  /** Throws: two histories of mistakes cannot be added. */
  override merge(_other: this): this {
    return refuseAlgebra();
  }

  /** Throws: the effect of a row depends on earlier rows and has influenced later ones. */
  override unlearn(_X: Features, _y: Labels, _options?: LearnOptions): this {
    this.fitted();
    return refuseAlgebra();
  }

  /** Throws: half of the counts differs from rows of half the weight. */
  override decay(_halfLife: number, _elapsed?: number): this {
    this.fitted();
    return refuseAlgebra();
  }

  protected override toRows({ rows }: Input): Rows {
    return this.params.weighting === 'presence' ? mapCells(rows, () => 1) : rows;
  }

  protected override add(
    stats: Sides | ExactStats,
    batch: Batch,
    options: CountOptions,
    classes: readonly Label[],
    afresh: boolean,
  ): void {
    const { passes, shuffle, seed, classWeight } = this.params;
    const random = new Random(seed);
    const times = afresh ? passes : 1;
    const { n } = stats as Sides;
    const after = n.slice();
    for (let i = 0; i < batch.rows; i++) after[batch.y[i]] += times * batch.w[i];
    const weighted = classWeight ? withFactors(batch, classFactors(classWeight, classes, after)) : batch;
    for (let pass = 0; pass < times; pass++) {
      const rows = afresh && shuffle ? inOrder(weighted, random.permutation(batch.rows)) : weighted;
      addBatch(this.statisticKind as never, stats as never, rows, options, pass * batch.rows);
    }
    if (classWeight) n.set(after); // the weight of a class is that of its rows
  }

  /**
   * Class weights are applied while rows are learned, since the effect of a row depends on earlier rows: 'balanced' uses the classes up to
   * and including the batch. Parameters are derived from the sums as they are.
   */
  protected override weigh(sums: Sides): Sides {
    return sums;
  }
}

const withFactors = (batch: Batch, factors: Float64Array): Batch => ({
  ...batch,
  w: batch.w.map((weight, i) => weight * factors[batch.y[i]]),
});

function inOrder(batch: Batch, order: Uint32Array): Batch {
  return {
    ...batch,
    ...takeRows(batch, order),
    y: Int32Array.from(order, (i) => batch.y[i]),
    w: Float64Array.from(order, (i) => batch.w[i]),
  };
}
