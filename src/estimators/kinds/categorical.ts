import { choice, either, integer, type Option, type OptionValues, optional, real } from '../../core/options.ts';
import { requireOneEach } from '../../data/arguments.ts';
import { isWords } from '../../data/dictionaries.ts';
import type { Dictionary } from '../../data/levels.ts';
import { isList } from '../../data/matrix.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse } from '../../errors.ts';
import { type CategoricalOptions, type CategoricalParameters, categorical } from '../../models/categorical.ts';
import type { Histogram } from '../../stats/histogram.ts';
import { chosenAlpha, classPriorOf, classPriors, estimate, LEAST_ALPHA, levelOptions, smoothing } from '../options.ts';
import type { Kind } from './kind.ts';
import { checkLevels, levelRows, levelsOf } from './level-columns.ts';

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

/** `CategoricalNB` as data. */
export const categoricalKind: Kind<typeof spec, Histogram, CategoricalParameters, CategoricalOptions> = {
  name: 'CategoricalNB',
  spec,
  model: () => categorical,
  accepts: levelRows,
  modelOptions(params, shape, schema) {
    const { minCategories, columnWeights, estimate: point } = params;
    if (Array.isArray(minCategories)) requireOneEach('minCategories', minCategories, shape.features);
    if (columnWeights) requireOneEach('columnWeights', columnWeights, shape.features);
    const classPrior = classPriorOf(params, shape.classes);
    checkLevels(shape, schema, minCategories ?? undefined);
    const alpha = alphaUnder(params, schema);
    const levelAlpha = levelCounts(params, levelsOf(shape), schema, alpha);
    const rule = point === 'mean' ? 'bayes' : point;
    return { alpha, levelAlpha, rule, weights: columnWeights ?? undefined, classPrior };
  },
};

/** The alpha in use; before the first rows have chosen one, 1. */
export function alphaUnder({ alpha, forceAlpha }: OptionValues<typeof spec>, schema: JsonValue | undefined): number {
  const settled = Array.isArray(schema) ? undefined : schema;
  if (alpha === 'auto') return chosenAlpha(settled);
  if (settled !== undefined) refuse('E_MODEL_CORRUPT', 'the model file has a chosen alpha without alpha: auto');
  return Math.max(alpha, forceAlpha ? 0 : LEAST_ALPHA);
}

/** The pseudo-count of every level of every column. */
function levelCounts(
  { levelAlpha, forceAlpha }: OptionValues<typeof spec>,
  levels: Int32Array,
  schema: JsonValue | undefined,
  alpha: number,
): Float64Array | undefined {
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
