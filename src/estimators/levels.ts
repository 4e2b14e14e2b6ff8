import type { Shape } from '../data/batch.ts';
import { isWords, levelMoves, sameDictionaries, shrinkDictionaries, uniteDictionaries } from '../data/dictionaries.ts';
import { requireSome, requireWidth } from '../data/input.ts';
import {
  type Dictionary,
  type Level,
  type LevelFeatures,
  levelCounts,
  levelsIn,
  readLevels,
  type UnknownPolicy,
} from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { Weights } from '../data/weights.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { Pairs } from '../stats/pairs.ts';
import { columnsOf, isObject, levelRows, levelsOf } from './kinds/level-columns.ts';
import type { Learned } from './learned.ts';
import type { ColumnRules, Received, Union } from './learning.ts';

/** The options about levels. */
interface LevelOptions {
  readonly missing: 'error' | 'ignore';
  readonly unknown: UnknownPolicy;
  readonly extra: 'error' | 'ignore';
  readonly minCategories?: number | readonly number[] | null;
}

/**
 * Columns of levels: words or whole numbers, as they come. Every column has a dictionary that grows and shrinks with the learned rows and
 * is saved with the counts.
 */
export class LevelColumns<S extends Shape> implements ColumnRules<S, LevelFeatures> {
  private readonly options: LevelOptions;
  private readonly weights: (counts: S) => Float64Array;

  /** `weights` sums the weight of every level of every column, column by column. */
  constructor(options: LevelOptions, weights: (counts: S) => Float64Array) {
    this.options = options;
    this.weights = weights;
  }

  private get least() {
    return this.options.minCategories ?? undefined;
  }

  receive(X: LevelFeatures, known: Learned<S> | undefined, learning: boolean, weights?: Weights): Received {
    const { least } = this;
    const { missing, extra, unknown } = this.options;
    const features = known?.counts.shape.features;
    const before = known && dictionariesOf(known);
    const { rows, names, dictionaries } = readLevels(
      X,
      { ...levelRows(), extra, names: known?.names, features: learning ? undefined : features },
      X instanceof Matrix && !learning ? before?.map(numbered) : before,
      { missing: missing === 'ignore', grow: learning, unknown, least, silent: weightless(weights) },
    );
    if (learning) {
      requireSome(rows);
      requireWidth(rows, features);
    }
    const grown = learning && before && !sameDictionaries(before, dictionaries);
    return {
      rows,
      names,
      peak: 1,
      shape: { features: rows.features, levels: levelCounts(dictionaries, least) },
      schema: withDictionaries(known?.schema, dictionaries),
      ...(grown && { moves: { levels: levelMoves(before, dictionaries, least) } }),
    };
  }

  unite(mine: Learned<S>, theirs: Learned<S>): Union {
    const [a, b, least] = [dictionariesOf(mine), dictionariesOf(theirs), this.least];
    const united = uniteDictionaries(a, b);
    return {
      shape: { ...mine.counts.shape, levels: levelCounts(united, least) },
      mine: { levels: levelMoves(a, united, least) },
      theirs: { levels: levelMoves(b, united, least) },
      schema: united as JsonValue,
    };
  }

  compact(learned: Learned<S>, counts: S): Omit<Union, 'theirs'> | undefined {
    const [before, least] = [dictionariesOf(learned), this.least];
    const offsets = levelOffsets(levelsOf(counts));
    const weights = this.weights(counts);
    const kept = shrinkDictionaries(
      before,
      before.map((_, j) => weights.subarray(offsets[j], offsets[j + 1])),
    );
    if (sameDictionaries(before, kept)) return undefined;
    return {
      shape: { ...learned.counts.shape, levels: levelCounts(kept, least) },
      mine: { levels: levelMoves(before, kept, least) },
      schema: withDictionaries(learned.schema, kept),
    };
  }

  cell(learned: Learned<S>, j: number, level: number): Level | null {
    const dictionary = dictionariesOf(learned)[j];
    return (isWords(dictionary) ? dictionary[level] : level) ?? null;
  }

  /** The levels of each column, in order: words by code point, or whole numbers. */
  categories(learned: Learned<S>): Level[][] {
    return dictionariesOf(learned).map((dictionary) =>
      isWords(dictionary) ? [...dictionary] : Array.from({ length: dictionary ?? 0 }, (_, v) => v),
    );
  }

  /** Rows of numbers of levels, such as `sample` draws, as the levels themselves; what is missing is null. */
  decode(learned: Learned<S>, X: Matrix): (Level | null)[][] {
    const categories = this.categories(learned);
    requireWidth({ rows: X.rows, features: X.cols, x: X.data }, categories.length);
    return X.toArray().map((row) => row.map((level, j) => categories[j][level] ?? null));
  }
}

/** What is known of the columns. */
function dictionariesOf<S extends Shape>({ schema }: Learned<S>): readonly Dictionary[] {
  return columnsOf(schema) as readonly Dictionary[];
}

/** A schema with other dictionaries; what the first rows chose stays. */
function withDictionaries(schema: JsonValue | undefined, dictionaries: readonly Dictionary[]): JsonValue {
  return isObject(schema) ? { ...schema, levels: dictionaries as JsonValue } : (dictionaries as JsonValue);
}

/** A matrix holds numbers of levels, of words too, as `sample` draws them. */
export function numbered(dictionary: Dictionary): Dictionary {
  return isWords(dictionary) ? levelsIn(dictionary) : dictionary;
}

/** Which rows weigh nothing. */
export function weightless(weights: Weights | null | undefined): ((row: number) => boolean) | undefined {
  if (weights === undefined || weights === null) return undefined;
  return (row) => (typeof weights === 'number' ? weights : weights[row]) === 0;
}

/** The weight of every level of every column. */
export function histogramWeights({ classes, levels, h }: Histogram): Float64Array {
  const width = levelOffsets(levels)[levels.length];
  return Float64Array.from({ length: width }, (_, v) => {
    let weight = 0;
    for (let c = 0; c < classes; c++) weight += h[c * width + v];
    return weight;
  });
}

/** The weight of every level: the diagonal of the table of pairs, over all classes. */
export function diagonal({ classes, levels, p }: Pairs): Float64Array {
  const width = levels.reduce((sum, own) => sum + own, 0);
  const weights = new Float64Array(width);
  for (let c = 0; c < classes; c++) {
    for (let u = 0; u < width; u++) weights[u] += p[(c * width + u) * width + u];
  }
  return weights;
}
