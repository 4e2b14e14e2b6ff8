import type { OptionValues } from '../core/options.ts';
import type { Features } from '../data/input.ts';
import type { LevelFeatures } from '../data/levels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse } from '../errors.ts';
import type { Mixture, mixed } from '../models/mixed.ts';
import type { Blocks } from '../stats/blocks.ts';
import { CountingClassifier } from './classifier.ts';
import { mixedKind } from './kinds/mixed.ts';
import { columnsOf, decodeCell, type MixedColumn, shapeWith, widthOf } from './mixed-columns.ts';
import { MixedColumns } from './mixed-input.ts';

/** Parameters of `MixedNB`. */
export type MixedNBOptions = Partial<OptionValues<typeof mixedKind.spec>>;

/** Rows whose columns are of different kinds; a column may be a matrix, and a cell may be a list. */
export type MixedFeatures =
  | Features
  | LevelFeatures
  | Readonly<Record<string, ArrayLike<unknown> | Matrix | SparseMatrix>>;

/**
 * Naive Bayes over columns of different kinds at once: numbers of several distributions, angles, yes and no, levels, counts and text. Missing cells are
 * ordinary: null, undefined, NaN, or a name that a row does not have.
 */
export class MixedNB extends CountingClassifier<typeof mixedKind.spec, Blocks, Mixture, MixedFeatures> {
  declare readonly model: typeof mixed;
  protected override readonly columnRules: MixedColumns = new MixedColumns({
    families: this.params.columns,
    extra: this.params.extra,
    unknown: this.params.unknown,
  });

  constructor(options: MixedNBOptions = {}) {
    super(mixedKind, options);
  }

  /** What is known of each column: name, family, width of a block, levels. */
  get columns(): MixedColumn[] {
    return structuredClone([...columnsOf(this.fitted().schema)]);
  }

  override get featureNamesIn(): string[] | undefined {
    const names = columnsOf(this.fitted().schema).map(({ name }) => name);
    return names.every((name) => name !== null) ? names : undefined;
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

  /** Adapts to new features of a block; `place` has the new indices of present ones. */
  moveColumn(name: string, features: number, place: Int32Array): this {
    const before = this.fitted();
    const columns = [...columnsOf(before.schema)];
    const k = columns.findIndex((column) => column.name === name && column.width !== undefined);
    if (k < 0 || columns[k].levels)
      refuse('E_FEATURE_UNKNOWN', `there is no block ${name} of numbers`, { feature: name });
    columns[k] = { ...columns[k], width: features };
    const shape = shapeWith(before.classes.length, columns);
    const moves = { parts: { [`${columns[k].family}${k}`]: { features: place } } };
    return this.become({
      ...this.reshaped(before, shape, before.classes, moves),
      schema: columns as unknown as JsonValue,
    });
  }
}
