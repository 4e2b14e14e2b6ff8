import { choice, either, integer, type Option, type OptionValues, optional, real } from '../core/options.ts';
import { logClassPrior } from '../core/prior.ts';
import type { Batch, Shape } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { type CategoricalDice, type CategoricalOptions, categorical } from '../models/categorical.ts';
import { levelsLeaveOneOut } from '../models/categorical-held-out.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import { chooseAlpha, chosenAlpha, uniteAlpha } from './auto-alpha.ts';
import { missing, unknown } from './cell-options.ts';
import { classPriorOf, classPriors } from './class-prior.ts';
import type { Learned } from './learned.ts';
import type { Union } from './lesson.ts';
import { LevelClassifier } from './level-classifier.ts';
import { common, LEAST_ALPHA, smoothing } from './smoothing.ts';

const wholeNumbers: Option<readonly number[]> = {
  kind: 'custom',
  default: [],
  expects: 'a list of them with one per feature',
  accept(value) {
    const whole = Array.isArray(value) && value.length > 0 && value.every((n) => Number.isSafeInteger(n) && n >= 1);
    return whole ? Object.freeze([...value]) : undefined;
  },
};

const spec = {
  /** Pseudo-count of every level; 'auto': the one of least leave-one-out log-loss on the first rows learned. */
  alpha: either(
    real({
      default: 1,
      min: 0,
    }),
    choice(['auto'], { default: 'auto' }),
  ),
  forceAlpha: smoothing.forceAlpha,
  ...classPriors,
  /** How many levels each feature has at least. */
  minCategories: optional(either(integer({ default: 1, min: 1 }), wholeNumbers)),
  unknown,
  missing,
  ...common,
} as const;

/** Parameters of `CategoricalNB`. */
export type CategoricalNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Naive Bayes for columns of levels: words as they come, or whole numbers from 0. Agrees with scikit-learn's class of this name
 * on whole numbers. A level that was never learned is answered by a policy instead of a crash, fractions are refused instead of
 * cut off, and levels come and go with the rows that have them.
 */
export class CategoricalNB extends LevelClassifier<typeof spec, Histogram, CategoricalDice> {
  readonly model: typeof categorical = categorical;

  constructor(options: CategoricalNBOptions = {}) {
    super('CategoricalNB', spec, options);
  }

  /** The pseudo-count in use: as given, or as chosen. */
  get alpha(): number {
    return this.alphaOf(this.fitted().schema);
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

  protected levelWeights({ classes, levels, h }: Histogram): Float64Array {
    const width = levelOffsets(levels)[levels.length];
    return Float64Array.from({ length: width }, (_, v) => {
      let weight = 0;
      for (let c = 0; c < classes; c++) weight += h[c * width + v];
      return weight;
    });
  }

  protected modelOptions(shape: Shape, schema?: JsonValue): CategoricalOptions {
    const { minCategories } = this.params;
    if (typeof minCategories === 'object' && minCategories && minCategories.length !== shape.features) {
      refuse('E_PARAM', `minCategories has ${minCategories.length} values for ${shape.features} features`, {
        name: 'minCategories',
        expected: shape.features,
        actual: minCategories.length,
      });
    }
    const classPrior = classPriorOf(this.params);
    logClassPrior(new Float64Array(shape.classes).fill(1), classPrior);
    this.requireLevels(shape, schema);
    return { alpha: this.alphaOf(schema), classPrior };
  }

  /** The alpha in use; before the first rows have chosen one, 1. */
  private alphaOf(schema: JsonValue | undefined): number {
    const { alpha, forceAlpha } = this.params;
    const settled = Array.isArray(schema) ? undefined : schema;
    if (alpha === 'auto') return chosenAlpha(settled);
    if (settled !== undefined) refuse('E_MODEL_CORRUPT', 'the model file holds a chosen alpha that was not asked for');
    return Math.max(alpha, forceAlpha ? 0 : LEAST_ALPHA);
  }

  override get settles(): boolean {
    return this.params.alpha === 'auto';
  }

  protected override settle(learned: Learned<Histogram>, batch: Batch): Learned<Histogram> {
    if (this.params.alpha !== 'auto') return learned;
    const classPrior = classPriorOf(this.params);
    const alpha = chooseAlpha(levelsLeaveOneOut, this.weighted(learned), this.weighBatch(batch, learned), (chosen) => ({
      alpha: chosen,
      classPrior,
    }));
    return { ...learned, schema: { levels: learned.schema as JsonValue, alpha } };
  }

  protected override unite(mine: Learned<Histogram>, theirs: Learned<Histogram>): Union {
    const union = super.unite(mine, theirs);
    if (this.params.alpha !== 'auto') return union;
    const [n, m] = [mine, theirs].map((learned) => sum(this.rounded(learned).n));
    const alpha = uniteAlpha(chosenAlpha(mine.schema), n, chosenAlpha(theirs.schema), m);
    return { ...union, schema: { levels: union.schema as JsonValue, alpha } };
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
