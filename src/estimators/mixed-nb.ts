import { type OptionValues, optional, real } from '../core/options.ts';
import { logClassPrior } from '../core/prior.ts';
import type { Shape } from '../data/batch.ts';
import { levelMoves, sameDictionaries, shrinkDictionaries, uniteDictionaries } from '../data/dictionaries.ts';
import type { Expectation, Features } from '../data/input.ts';
import type { Level, LevelFeatures } from '../data/levels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { type MixedOptions, type Mixture, mixed } from '../models/mixed.ts';
import type { Blocks } from '../stats/blocks.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import { unknown } from './cell-options.ts';
import { classPriorOf, classPriors } from './class-prior.ts';
import { CountingClassifier } from './classifier.ts';
import type { Learned } from './learned.ts';
import type { Received, Union } from './lesson.ts';
import { weightless } from './level-classifier.ts';
import {
  blocksOf,
  columnFamilies,
  columnsOf,
  decodeCell,
  dictionariesOf,
  featureCell,
  featureNames,
  type MixedColumn,
  outline,
  requireSchema,
  shapeWith,
  widthOf,
  withDictionaries,
} from './mixed-columns.ts';
import { readMixed } from './mixed-input.ts';
import { common } from './smoothing.ts';

const spec = {
  columns: columnFamilies,
  /** Pseudo-count of every level, toss and word. */
  alpha: real({ default: 1, min: 0 }),
  /** Pseudo-count of every word, where it is another than alpha. */
  wordAlpha: optional(real({ default: 1, min: 0 })),
  /** Share of the largest variance that is added to every variance. */
  varSmoothing: real({ default: 1e-9, min: 0 }),
  /** Shape of the Gamma prior of every rate. */
  shape: real({ default: 1, min: 0 }),
  /** Rate of the Gamma prior of every rate. */
  rate: real({ default: 1, min: 0 }),
  ...classPriors,
  unknown,
  ...common,
} as const;

/** Parameters of `MixedNB`. */
export type MixedNBOptions = Partial<OptionValues<typeof spec>>;

/** Rows whose columns are of different kinds; a column may be a matrix, and a cell may be a list. */
export type MixedFeatures =
  | Features
  | LevelFeatures
  | Readonly<Record<string, ArrayLike<unknown> | Matrix | SparseMatrix>>;

/**
 * Naive Bayes over columns of different kinds at once: numbers, yes and no, levels, counts and text. Missing cells are
 * ordinary: null, undefined, NaN, or a name that a row does not have.
 */
export class MixedNB extends CountingClassifier<typeof spec, Blocks, Mixture, MixedFeatures> {
  readonly model: typeof mixed = mixed;

  constructor(options: MixedNBOptions = {}) {
    super('MixedNB', spec, options);
  }

  /** The weight of each class. */
  get classCount(): Float64Array {
    return this.rounded(this.fitted()).n.slice();
  }

  /** ln p(c). */
  get classLogPrior(): Float64Array {
    return this.parameters().logPrior.slice();
  }

  /** What is known of each column: name, family, width of a block, levels. */
  get columns(): MixedColumn[] {
    return structuredClone([...columnsOf(this.fitted().schema)]);
  }

  /** Rows of numbers, such as `sample` draws, as cells: words, true and false, numbers, lists; what is missing is null. */
  decode(X: Matrix): unknown[][] {
    const columns = columnsOf(this.fitted().schema);
    return X.toArray().map((row) => {
      let start = 0;
      return columns.map((column) => {
        const cells = row.slice(start, (start += widthOf(column))).map((cell, j) => decodeCell(cell, column, j));
        return column.width === undefined ? cells[0] : cells;
      });
    });
  }

  /** Columns with families do not move; the features of one block do: see `moveColumn`. */
  override moveFeatures(features: number, _place: Int32Array): this {
    if (!this.learned) return this;
    return refuse('E_FEATURE_COUNT', 'columns with families do not move', { actual: features });
  }

  /** Makes room for features of a block that a step before has come to know; `place` tells where present ones stand. */
  moveColumn(name: string, features: number, place: Int32Array): this {
    const before = this.fitted();
    const columns = [...columnsOf(before.schema)];
    const k = columns.findIndex((column) => column.name === name && column.width !== undefined);
    if (k < 0 || columns[k].levels)
      refuse('E_FEATURE_UNKNOWN', `there is no block ${name} of numbers`, { feature: name });
    columns[k] = { ...columns[k], width: features };
    const shape = shapeWith(before.stats.classes, columns);
    const moves = { parts: { [`${columns[k].family}${k}`]: { features: place } } };
    return this.become({
      ...before,
      stats: this.reshaped(before, shape, before.classes, moves),
      schema: columns as unknown as JsonValue,
    });
  }

  /** Words of a block are told by their number in it. */
  protected override featureName(j: number): string | number {
    return featureNames(columnsOf(this.fitted().schema))(j);
  }

  protected override cellOf(j: number, value: number): Level | null {
    return featureCell(columnsOf(this.fitted().schema), j, value);
  }

  protected expectation(): Expectation {
    return { missing: true, extra: this.params.extra };
  }

  protected modelOptions(shape: Shape, schema?: JsonValue): MixedOptions {
    const classPrior = classPriorOf(this.params);
    logClassPrior(new Float64Array(shape.classes).fill(1), classPrior);
    requireSchema(schema, shape);
    const { alpha, wordAlpha, varSmoothing, shape: gammaShape, rate } = this.params;
    const options = {
      gaussian: { rule: { rule: 'mle', varSmoothing } },
      bernoulli: { prior: { rule: 'bayes', a: alpha } },
      categorical: { alpha },
      poisson: { prior: { rule: 'bayes', shape: gammaShape, rate } },
      multinomial: { prior: { rule: 'bayes', a: wordAlpha ?? alpha } },
    } as const;
    const blocks = [...blocksOf(columnsOf(schema))].map(
      ([name, { family, places }]) => [name, { options: options[family], places }] as const,
    );
    return { classPrior, blocks: Object.fromEntries(blocks) };
  }

  protected override receive(
    X: MixedFeatures,
    known: Learned<Blocks> | undefined,
    learning: boolean,
    weights?: Weights,
  ): Received {
    const { columns: families, extra, unknown } = this.params;
    const silent = weightless(weights);
    const before = known && columnsOf(known.schema);
    const { rows, columns, peak, moves } = readMixed(X, before, { families, extra, unknown, learning, silent });
    const schema = columns as unknown as JsonValue;
    return { rows, names: undefined, peak, shape: { features: rows.features }, schema, ...(moves && { moves }) };
  }

  protected override unite(mine: Learned<Blocks>, theirs: Learned<Blocks>): Union {
    const [a, b] = [columnsOf(mine.schema), columnsOf(theirs.schema)];
    if (outline(a) !== outline(b)) {
      refuse('E_MERGE_MISMATCH', 'the two estimators have learned from different columns or families', {
        expected: a.length,
        actual: b.length,
      });
    }
    let columns = a;
    const moves: { mine: Record<string, object>; theirs: Record<string, object> } = { mine: {}, theirs: {} };
    for (const [name, block] of blocksOf(a)) {
      if (block.family !== 'categorical') continue;
      const [left, right] = [dictionariesOf(a, block.columns), dictionariesOf(b, block.columns)];
      const united = uniteDictionaries(left, right);
      moves.mine[name] = { levels: levelMoves(left, united) };
      moves.theirs[name] = { levels: levelMoves(right, united) };
      columns = withDictionaries(columns, block, united);
    }
    return {
      shape: shapeWith(mine.stats.classes, columns),
      mine: { parts: moves.mine },
      theirs: { parts: moves.theirs },
      schema: columns as unknown as JsonValue,
    };
  }

  /** A level of which nothing is known any more is gone, as if it had never been there. */
  protected override compact(learned: Learned<Blocks>): Learned<Blocks> | undefined {
    const rest = super.compact(learned);
    if (!rest) return undefined;
    let columns = columnsOf(rest.schema);
    const { parts } = this.rounded(rest);
    const moves: Record<string, object> = {};
    for (const [name, block] of blocksOf(columns)) {
      if (block.family !== 'categorical') continue;
      const before = dictionariesOf(columns, block.columns);
      const kept = shrinkDictionaries(before, levelWeights(parts[name] as Histogram));
      if (sameDictionaries(before, kept)) continue;
      moves[name] = { levels: levelMoves(before, kept) };
      columns = withDictionaries(columns, block, kept);
    }
    if (Object.keys(moves).length === 0) return rest;
    const shape = shapeWith(rest.stats.classes, columns);
    return {
      ...rest,
      stats: this.reshaped(rest, shape, rest.classes, { parts: moves }),
      schema: columns as unknown as JsonValue,
    };
  }
}

/** The weight of every level, feature by feature. */
function levelWeights({ classes, levels, h }: Histogram): Float64Array[] {
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  return Array.from(levels, (count, j) =>
    Float64Array.from({ length: count }, (_, v) => {
      let weight = 0;
      for (let c = 0; c < classes; c++) weight += h[c * width + offsets[j] + v];
      return weight;
    }),
  );
}
