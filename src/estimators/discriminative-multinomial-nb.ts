import { classFactors } from '../core/class-weight.ts';
import { byClass, type Linear } from '../core/linear.ts';
import type { ExactStats } from '../core/model.ts';
import { choice, flag, integer, type OptionValues } from '../core/options.ts';
import { type Batch, mapCells, type Rows, type Shape, takeRows } from '../data/batch.ts';
import type { Features, Input } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { CountOptions } from '../engines/engine.ts';
import { addBatch } from '../engines/memory.ts';
import { Random } from '../math/random.ts';
import { discriminative, refuseAlgebra, type Sides } from '../models/discriminative.ts';
import { CountingClassifier } from './classifier.ts';
import type { Accepts, Capabilities, Labels, LearnOptions } from './learning.ts';
import { common } from './options.ts';

const spec = {
  /** The number of passes of `fit` over its rows. Default: 1. */
  passes: integer({ default: 1, min: 1, max: 1000 }),
  /** Whether `fit` shuffles its rows; rows sorted by class give a poor model. Default: true. */
  shuffle: flag({ default: true }),
  /** The random seed of the order. Default: 0. */
  seed: integer({ default: 0 }),
  /** Count a word once per row, or as often as it occurs. Default: 'presence'. */
  weighting: choice(['presence', 'frequency'], { default: 'presence' }),
  /** A named column that the model does not know: ignored ('ignore') or an error ('error'). Default: 'error'. */
  extra: common.extra,
  /**
   * Weights by which classes count: 'balanced' makes all classes weigh the same, an object gives a weight for each class. Default: null, all 1.
   */
  classWeight: common.classWeight,
} as const;

/** Parameters of `DiscriminativeMultinomialNB`. */
export type DiscriminativeMultinomialNBOptions = Partial<OptionValues<typeof spec>>;

/** Cells up to here can be multiplied with log-odds and added up. */
const LARGEST = 1e150;

/**
 * Discriminative multinomial naive Bayes (DMNB), as in Weka: a document is counted only to the extent that it is misclassified. It learns
 * online, in the order of the rows; `fit` may pass over them several times in random order, `partialFit` takes each once. Its state is not
 * a sum over rows, so `merge`, `unlearn`, `decay` and `sample` throw E_CONFLICT, and a row of weight 2 is one mistake of double weight
 * rather than two rows.
 */
export class DiscriminativeMultinomialNB extends CountingClassifier<typeof spec, Sides, Linear> {
  readonly model: typeof discriminative = discriminative;
  protected override readonly accepts: Accepts = { sparse: true, nonNegative: true, limit: LARGEST };

  constructor(options: DiscriminativeMultinomialNBOptions = {}) {
    super('DiscriminativeMultinomialNB', spec, options);
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

  protected modelOptions(_shape: Shape): unknown {
    return undefined;
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
