import type { State } from '../core/artifact.ts';
import { type Rows, toDense } from '../data/batch.ts';
import { type Expectation, type Features, readFeatures, requireSome } from '../data/input.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import type { Numbers } from '../features/columns.ts';
import { type ColumnNames, readColumns, SavedArrays } from './learned.ts';
import { saveColumns, tensor } from './persist.ts';
import type { TransformRules } from './transformer.ts';

/** What was learned of columns of numbers: arrays by name. */
export interface NumberColumns<Name extends string> extends ColumnNames {
  readonly arrays: Readonly<Record<Name, Float64Array>>;
}

/** What differs between transformers of numbers. */
interface Recipe<Name extends string> {
  readonly expectation: Expectation;
  /** The names of what is learned, each with one number per column. */
  readonly names: readonly Name[];
  learn(rows: Rows, weights: Float64Array): Record<Name, Float64Array>;
  transform(rows: Rows, arrays: Readonly<Record<Name, Float64Array>>): Numbers;
  inverse?(rows: Rows, arrays: Readonly<Record<Name, Float64Array>>): Numbers;
  /** How many columns come out, where `inverse` takes others than went in. */
  width?(arrays: Readonly<Record<Name, Float64Array>>): number;
  namesOut?(arrays: Readonly<Record<Name, Float64Array>>, names: readonly string[]): string[];
  params?(): Record<string, JsonValue>;
}

/** The rules of a transformer that learns one number per column and name. */
export function numberRules<Name extends string>(
  kind: string,
  recipe: Recipe<Name>,
): TransformRules<NumberColumns<Name>, Features, Numbers, Numbers> {
  const { expectation, params } = recipe;
  return {
    stateless: recipe.names.length === 0,
    learn(X, _y, weights: Weights | undefined) {
      const { rows, names } = readFeatures(X, expectation);
      requireSome(rows);
      return { features: rows.features, names, arrays: recipe.learn(rows, readWeights(weights, rows.rows)) };
    },
    transform({ arrays, names, features }, X) {
      return recipe.transform(readFeatures(X, { ...expectation, names, features }).rows, arrays);
    },
    inverse({ arrays, features }, X) {
      if (!recipe.inverse) return refuse('E_CONFLICT', `a ${kind} has no inverseTransform`, {});
      const width = recipe.width?.(arrays) ?? features;
      return recipe.inverse(readFeatures(X, { ...expectation, features: width }).rows, arrays);
    },
    namesOut: ({ arrays }, names) => recipe.namesOut?.(arrays, names) ?? [...names],
    save: (learned) => ({
      learned: saveColumns(learned),
      arrays: Object.fromEntries(recipe.names.map((name) => [name, tensor(learned.arrays[name])])),
    }),
    revive(state: State) {
      const columns = readColumns(state);
      const saved = new SavedArrays(state);
      const arrays = Object.fromEntries(recipe.names.map((name) => [name, saved.take(name, columns.features)]));
      saved.close();
      return { ...columns, arrays: arrays as Record<Name, Float64Array> };
    },
    ...(params && { params: () => params() }),
  };
}

/** Calls `visit` with every cell of every row, zeros included. */
export function eachCell(rows: Rows, visit: (value: number, j: number, i: number) => void): void {
  const { x, features } = toDense(rows);
  for (let k = 0; k < x.length; k++) visit(x[k], k % features, Math.floor(k / features));
}

/** The weighted mean and variance of every column, in two passes; missing cells are left out. */
export function columnMoments(rows: Rows, weights: Float64Array): Record<'n' | 'mean' | 'variance', Float64Array> {
  const [n, mean, variance] = Array.from({ length: 3 }, () => new Float64Array(rows.features));
  eachCell(rows, (value, j, i) => {
    if (Number.isNaN(value)) return;
    n[j] += weights[i];
    mean[j] += weights[i] * value;
  });
  for (let j = 0; j < rows.features; j++) mean[j] /= n[j];
  eachCell(rows, (value, j, i) => {
    if (!Number.isNaN(value)) variance[j] += (weights[i] * (value - mean[j]) ** 2) / n[j];
  });
  return { n, mean, variance };
}
