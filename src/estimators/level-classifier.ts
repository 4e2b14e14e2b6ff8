import type { OptionSpec } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import {
  isWords,
  levelMoves,
  readDictionaries,
  sameDictionaries,
  shrinkDictionaries,
  uniteDictionaries,
} from '../data/dictionaries.ts';
import { type Expectation, requireSome, requireWidth } from '../data/input.ts';
import {
  type Dictionary,
  type Level,
  type LevelFeatures,
  type LevelPolicy,
  levelCounts,
  levelsIn,
  readLevels,
  type UnknownPolicy,
} from '../data/levels.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { levelOffsets } from '../stats/layout.ts';
import { CountingClassifier } from './classifier.ts';
import type { Learned } from './learned.ts';
import type { Received, Union } from './lesson.ts';
import { classWeights } from './lesson.ts';

/** What the options of a subclass say about levels. */
interface LevelOptions {
  readonly missing: 'error' | 'ignore';
  readonly unknown: UnknownPolicy;
  readonly extra: 'error' | 'ignore';
  readonly minCategories?: number | readonly number[] | null;
}

/**
 * A classifier of columns of levels: words or whole numbers, as they come. Every column has a dictionary that grows with
 * what is learned and shrinks with what is unlearned, and that is saved with the counts.
 * Subclasses have the options `missing`, `unknown` and `extra`, and perhaps `minCategories`.
 */
export abstract class LevelClassifier<
  Spec extends OptionSpec,
  S extends Shape & { readonly n: Float64Array },
  P extends Shape & { readonly logPrior: Float64Array },
> extends CountingClassifier<Spec, S, P, LevelFeatures> {
  /** The weight of every level of every column: Σ levels cells. */
  protected abstract levelWeights(stats: S): Float64Array;

  /** The weight of each class. */
  get classCount(): Float64Array {
    return classWeights(this.fitted().stats).slice();
  }

  /** ln p(c). */
  get classLogPrior(): Float64Array {
    return this.parameters().logPrior.slice();
  }

  /** The levels of each column, in order: words by code point, or whole numbers. */
  get categories(): Level[][] {
    return dictionariesOf(this.fitted()).map((dictionary) =>
      isWords(dictionary) ? [...dictionary] : Array.from({ length: dictionary ?? 0 }, (_, v) => v),
    );
  }

  /** How many levels each column has. */
  get nCategories(): Int32Array {
    return levelsOf(this.fitted().stats).slice();
  }

  /** Rows of numbers of levels, such as `sample` draws, as the levels themselves; what is missing is null. */
  decode(X: Matrix): (Level | null)[][] {
    const { categories } = this;
    requireWidth({ rows: X.rows, features: X.cols, x: X.data }, categories.length);
    return X.toArray().map((row) => row.map((level, j) => categories[j][level] ?? null));
  }

  protected override cellOf(j: number, level: number): Level | null {
    const dictionary = dictionariesOf(this.fitted())[j];
    return (isWords(dictionary) ? dictionary[level] : level) ?? null;
  }

  /** Columns of levels have dictionaries and do not move. */
  override moveFeatures(features: number, _place: Int32Array): this {
    if (!this.learned) return this;
    return refuse('E_FEATURE_COUNT', 'columns of levels do not move', {
      expected: this.learned.stats.features,
      actual: features,
    });
  }

  protected expectation(): Expectation {
    const { missing, extra } = this.levelOptions;
    return { nonNegative: true, missing: missing === 'ignore', extra };
  }

  private get levelOptions(): LevelOptions {
    return this.params as unknown as LevelOptions;
  }

  /** How many levels each column has at least. */
  protected get leastLevels(): LevelPolicy['least'] {
    return this.levelOptions.minCategories ?? undefined;
  }

  /** Refuses dictionaries that do not fit the counts. */
  protected requireLevels(shape: Shape, schema: JsonValue | undefined): void {
    readDictionaries(columnsOf(schema), levelsOf(shape), this.leastLevels);
  }

  protected override receive(
    X: LevelFeatures,
    known: Learned<S> | undefined,
    learning: boolean,
    weights?: Weights,
  ): Received {
    const { unknown } = this.levelOptions;
    const { missing = false, ...expected } = this.expectation();
    const least = this.leastLevels;
    const features = known?.stats.features;
    const before = known && dictionariesOf(known);
    const { rows, names, dictionaries } = readLevels(
      X,
      { ...expected, names: known?.names, features: learning ? undefined : features },
      X instanceof Matrix && !learning ? before?.map(numbered) : before,
      { missing, grow: learning, unknown, least, silent: weightless(weights) },
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

  protected override unite(mine: Learned<S>, theirs: Learned<S>): Union {
    super.unite(mine, theirs);
    const [a, b, least] = [dictionariesOf(mine), dictionariesOf(theirs), this.leastLevels];
    const united = uniteDictionaries(a, b);
    return {
      shape: { ...mine.stats, levels: levelCounts(united, least) },
      mine: { levels: levelMoves(a, united, least) },
      theirs: { levels: levelMoves(b, united, least) },
      schema: united as JsonValue,
    };
  }

  /** A level of which nothing is known any more is gone, as if it had never been there. */
  protected override compact(learned: Learned<S>): Learned<S> | undefined {
    const rest = super.compact(learned);
    if (!rest) return undefined;
    const [before, least] = [dictionariesOf(rest), this.leastLevels];
    const offsets = levelOffsets(levelsOf(rest.stats));
    const weights = this.levelWeights(this.rounded(rest));
    const kept = shrinkDictionaries(
      before,
      before.map((_, j) => weights.subarray(offsets[j], offsets[j + 1])),
    );
    if (sameDictionaries(before, kept)) return rest;
    const shape = { ...rest.stats, levels: levelCounts(kept, least) };
    const stats = this.reshaped(rest, shape, rest.classes, { levels: levelMoves(before, kept, least) });
    return { ...rest, stats, schema: withDictionaries(rest.schema, kept) };
  }
}

/** What is known of the columns. */
function dictionariesOf<S extends Shape>({ schema }: Learned<S>): readonly Dictionary[] {
  return columnsOf(schema) as unknown as readonly Dictionary[];
}

/** The dictionaries of a schema: all of it, or its entry `levels` where a subclass keeps something else beside them. */
function columnsOf(schema: JsonValue | undefined): JsonValue | undefined {
  return isObject(schema) ? schema.levels : schema;
}

/** A schema with other dictionaries; what a subclass keeps beside them stays. */
function withDictionaries(schema: JsonValue | undefined, dictionaries: readonly Dictionary[]): JsonValue {
  return isObject(schema) ? { ...schema, levels: dictionaries as JsonValue } : (dictionaries as JsonValue);
}

const isObject = (schema: JsonValue | undefined): schema is { [name: string]: JsonValue } =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema);

/** A matrix holds numbers of levels, of words too, as `sample` draws them. */
export function numbered(dictionary: Dictionary): Dictionary {
  return isWords(dictionary) ? levelsIn(dictionary) : dictionary;
}

/** The number of levels of each column. */
export function levelsOf({ levels, features }: Shape): Int32Array {
  return levels ?? new Int32Array(features);
}

/** Which rows weigh nothing. */
export function weightless(weights: Weights | null | undefined): ((row: number) => boolean) | undefined {
  if (weights === undefined || weights === null) return undefined;
  return (row) => (typeof weights === 'number' ? weights : weights[row]) === 0;
}
