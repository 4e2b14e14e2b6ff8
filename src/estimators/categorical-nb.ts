import type { OptionValues } from '../core/options.ts';
import type { Level, LevelFeatures } from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import { type CategoricalParameters, type categorical, levelsLeaveOneOut } from '../models/categorical.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import { alphaChoice } from './auto-alpha.ts';
import { CountingClassifier } from './classifier.ts';
import { alphaUnder, categoricalKind } from './kinds/categorical.ts';
import { levelsOf } from './kinds/level-columns.ts';
import type { FirstChoice } from './learning.ts';
import { histogramWeights, LevelColumns } from './levels.ts';
import { classPriorOf, requireChoosable } from './options.ts';

/** Parameters of `CategoricalNB`. */
export type CategoricalNBOptions = Partial<OptionValues<typeof categoricalKind.spec>>;

/**
 * Naive Bayes for columns of levels: words as they come, or whole numbers from 0. Agrees with scikit-learn's class of this name on whole
 * numbers. An unknown level is handled by an option instead of an error, fractions are rejected instead of truncated, and levels are added
 * and removed with the rows that have them.
 */
export class CategoricalNB extends CountingClassifier<
  typeof categoricalKind.spec,
  Histogram,
  CategoricalParameters,
  LevelFeatures
> {
  declare readonly model: typeof categorical;
  protected override readonly columnRules: LevelColumns<Histogram> = new LevelColumns(this.params, histogramWeights);
  protected override readonly firstChoice: FirstChoice<Histogram> | undefined = alphaChoice(
    this.params.alpha === 'auto',
    levelsLeaveOneOut,
    (alpha) => ({ alpha, weights: this.params.columnWeights ?? undefined, classPrior: classPriorOf(this.params) }),
  );

  constructor(options: CategoricalNBOptions = {}) {
    super(categoricalKind, options);
    requireChoosable('CategoricalNB', this.params);
  }

  /** The pseudo-count in use: as given, or as chosen. */
  get alpha(): number {
    return alphaUnder(this.params, this.fitted().schema);
  }

  /** The levels of each column, in order: words by code point, or whole numbers. */
  get categories(): Level[][] {
    return this.columnRules.categories(this.fitted());
  }

  /** How many levels each column has. */
  get nCategories(): Int32Array {
    return levelsOf(this.fitted().counts.shape).slice();
  }

  /** Rows of numbers of levels, such as `sample` draws, as the levels themselves; what is missing is null. */
  decode(X: Matrix): (Level | null)[][] {
    return this.columnRules.decode(this.fitted(), X);
  }

  /** For every feature, how often each of its levels was counted in each class. */
  get categoryCount(): Matrix[] {
    const { classes, levels, h } = this.rounded(this.fitted());
    return byFeature(classes, levels, (c, v, width) => h[c * width + v]);
  }

  /** For every feature, ln θ: the logarithm of the probability of each of its levels in each class. */
  get featureLogProb(): Matrix[] {
    const { classes, levels, logFaces } = this.parameters();
    return byFeature(classes, levels, (c, v) => logFaces[v * classes + c]);
  }
}

/** One matrix of classes × levels for every feature. */
function byFeature(
  classes: number,
  levels: Int32Array,
  cell: (c: number, v: number, width: number) => number,
): Matrix[] {
  const offsets = levelOffsets(levels);
  return Array.from(levels, (count, j) => {
    const matrix = new Matrix(classes, count);
    for (let c = 0; c < classes; c++) {
      for (let v = 0; v < count; v++) matrix.data[c * count + v] = cell(c, offsets[j] + v, offsets[levels.length]);
    }
    return matrix;
  });
}
