import { choice, either, integer, type Option, type OptionValues, optional, real } from '../core/options.ts';
import { requireOneEach } from '../data/arguments.ts';
import type { Shape } from '../data/batch.ts';
import { isWords } from '../data/dictionaries.ts';
import type { Dictionary, Level, LevelFeatures } from '../data/levels.ts';
import { isList, Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import {
  type CategoricalOptions,
  type CategoricalParameters,
  categorical,
  levelsLeaveOneOut,
} from '../models/categorical.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import { alphaChoice, chosenAlpha } from './auto-alpha.ts';
import { CountingClassifier } from './classifier.ts';
import type { FirstChoice } from './learning.ts';
import { histogramWeights, LevelColumns, levelsOf } from './levels.ts';
import {
  classPriorOf,
  classPriors,
  estimate,
  LEAST_ALPHA,
  levelOptions,
  requireChoosable,
  smoothing,
} from './options.ts';

const wholeNumbers: Option<readonly number[]> = {
  kind: 'custom',
  default: [],
  expects: 'a list of them with one per feature',
  accept(value) {
    const whole = Array.isArray(value) && value.length > 0 && value.every((n) => Number.isSafeInteger(n) && n >= 1);
    return whole ? Object.freeze([...value]) : undefined;
  },
};

/** Pseudo-counts of the levels of one column: by level, in order where levels are whole numbers, or null where all have alpha. */
type ColumnAlpha = Readonly<Record<string, number>> | readonly number[] | null;

const pseudoCount = real({ default: 1, min: 0 });

/** Pseudo-counts of levels, column by column. */
const levelAlphas: Option<readonly ColumnAlpha[]> = {
  kind: 'custom',
  default: [],
  expects: 'a list with one entry per column: finite numbers ≥ 0 by level or in order of the levels, or null',
  accept(value) {
    if (!Array.isArray(value)) return undefined;
    const fits = value.every(
      (own) =>
        typeof own === 'object' && Object.values(own ?? {}).every((count) => pseudoCount.accept(count) !== undefined),
    );
    return fits ? Object.freeze(structuredClone(value)) : undefined;
  },
};

/** A finite number for each column. */
const weights: Option<readonly number[]> = {
  kind: 'custom',
  default: [],
  expects: 'a list of finite numbers with one per column',
  accept(value) {
    const fits = isList(value) && value.length > 0 && Array.from(value, Number.isFinite).every(Boolean);
    return fits ? Object.freeze(Array.from(value as ArrayLike<number>)) : undefined;
  },
};

const spec = {
  /** Pseudo-count of every level; 'auto': the one of least leave-one-out log-loss on the first rows learned. Default: 1. */
  alpha: either(pseudoCount, choice(['auto'], { default: 'auto' })),
  /** Use alpha as it is, even below 1e-10. Default: true. */
  forceAlpha: smoothing.forceAlpha,
  /** Pseudo-counts of single levels, column by column, such as [{ sunny: 2 }, null]; other levels have alpha. Default: null. */
  levelAlpha: optional(levelAlphas),
  /** The point estimate: posterior mean, posterior mode, or maximum likelihood. Default: 'mean'. */
  estimate,
  /** The weight of each column, such as [1, 0.5], by which its log-probabilities are multiplied. Needs an alpha above zero. Default: null, all 1. */
  columnWeights: optional(weights),
  ...classPriors,
  /** The minimum number of levels of each feature. Default: null, those that occur. */
  minCategories: optional(either(integer({ default: 1, min: 1 }), wholeNumbers)),
  ...levelOptions,
} as const;

/** Parameters of `CategoricalNB`. */
export type CategoricalNBOptions = Partial<OptionValues<typeof spec>>;

/**
 * Naive Bayes for columns of levels: words as they come, or whole numbers from 0. Agrees with scikit-learn's class of this name on whole
 * numbers. An unknown level is handled by an option instead of an error, fractions are rejected instead of truncated, and levels are added
 * and removed with the rows that have them.
 */
export class CategoricalNB extends CountingClassifier<typeof spec, Histogram, CategoricalParameters, LevelFeatures> {
  readonly model: typeof categorical = categorical;
  protected override readonly columnRules: LevelColumns<Histogram> = new LevelColumns(this.params, histogramWeights);
  protected override readonly firstChoice: FirstChoice<Histogram> | undefined = alphaChoice(
    this.params.alpha === 'auto',
    levelsLeaveOneOut,
    (alpha) => ({ alpha, weights: this.params.columnWeights ?? undefined, classPrior: classPriorOf(this.params) }),
  );

  constructor(options: CategoricalNBOptions = {}) {
    super('CategoricalNB', spec, options);
    requireChoosable('CategoricalNB', this.params);
  }

  /** The pseudo-count in use: as given, or as chosen. */
  get alpha(): number {
    return this.alphaOf(this.fitted().schema);
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

  protected modelOptions(shape: Shape, schema?: JsonValue): CategoricalOptions {
    const { minCategories, columnWeights } = this.params;
    if (Array.isArray(minCategories)) requireOneEach('minCategories', minCategories, shape.features);
    if (columnWeights) requireOneEach('columnWeights', columnWeights, shape.features);
    const classPrior = classPriorOf(this.params, shape.classes);
    this.columnRules.check(shape, schema);
    const { estimate: point } = this.params;
    const alpha = this.alphaOf(schema);
    const levelAlpha = this.levelCounts(levelsOf(shape), schema, alpha);
    const rule = point === 'mean' ? 'bayes' : point;
    return { alpha, levelAlpha, rule, weights: columnWeights ?? undefined, classPrior };
  }

  /** The pseudo-count of every level of every column. */
  private levelCounts(levels: Int32Array, schema: JsonValue | undefined, alpha: number): Float64Array | undefined {
    const { levelAlpha, forceAlpha } = this.params;
    if (!levelAlpha) return undefined;
    requireOneEach('levelAlpha', levelAlpha, levels.length);
    const dictionaries = schema as readonly Dictionary[];
    const counts = levelAlpha.flatMap((own, j) => {
      const dictionary = dictionaries[j];
      return Array.from({ length: levels[j] }, (_, v) => {
        const level = isWords(dictionary) ? dictionary[v] : String(v);
        return own && Object.hasOwn(own, level) ? (own as Readonly<Record<string, number>>)[level] : alpha;
      });
    });
    return Float64Array.from(counts, (count) => Math.max(count, forceAlpha ? 0 : LEAST_ALPHA));
  }

  /** The alpha in use; before the first rows have chosen one, 1. */
  private alphaOf(schema: JsonValue | undefined): number {
    const { alpha, forceAlpha } = this.params;
    const settled = Array.isArray(schema) ? undefined : schema;
    if (alpha === 'auto') return chosenAlpha(settled);
    if (settled !== undefined)
      refuse('E_MODEL_CORRUPT', 'the model file has a chosen alpha although none was to be chosen');
    return Math.max(alpha, forceAlpha ? 0 : LEAST_ALPHA);
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
