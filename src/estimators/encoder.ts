import type { State } from '../core/artifact.ts';
import { integer, type Option, type OptionValues, optional } from '../core/options.ts';
import { requireOneEach } from '../data/arguments.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { PolyaError, refuse } from '../errors.ts';
import {
  type Categories,
  type Category,
  type CategoryType,
  countCategories,
  findCategories,
  findRare,
  isMissing,
  placesOf,
  requireKnown,
} from '../features/encode.ts';
import { readTable, type Table, type TableRows } from '../features/table.ts';
import { sum } from '../math/arrays.ts';
import { type ColumnNames, damaged, readColumns } from './learned.ts';
import { saveColumns } from './persist.ts';

/** The categories of every feature in the order of their codes, or 'auto' for those in the data, sorted. */
const categories: Option<'auto' | readonly (readonly Category[])[]> = {
  kind: 'custom',
  default: 'auto',
  expects: "'auto', or a list of categories for every feature",
  accept: (value) => {
    if (value === 'auto') return value;
    const fits = Array.isArray(value) && value.every((list) => Array.isArray(list));
    return fits ? Object.freeze(value.map((list: Category[]) => Object.freeze([...list]))) : undefined;
  },
};

/** Categories seen less often are grouped as infrequent: a count, or below 1 a share of the rows. */
const minFrequency: Option<number> = {
  kind: 'custom',
  default: 1,
  expects: 'a whole number ≥ 1 or a number between 0 and 1',
  accept: (value) => {
    const count = Number.isSafeInteger(value) && (value as number) >= 1;
    return count || ((value as number) > 0 && (value as number) < 1) ? (value as number) : undefined;
  },
};

/** Options of encoders. */
export const coding = {
  categories,
  minFrequency: optional(minFrequency),
  /** The most categories to keep; the infrequent ones count as one. */
  maxCategories: optional(integer({ default: 1, min: 1 })),
} as const;

/** The name of the group of infrequent categories. */
export const INFREQUENT = 'infrequent_sklearn';

/** The categories of one feature and the places of those that are infrequent. */
export interface Coded extends Pick<Categories, 'type' | 'values'> {
  readonly rare: readonly number[];
}

/** Learned categories. */
export interface Codes extends ColumnNames {
  readonly columns: readonly Coded[];
}

type CodingOptions = OptionValues<typeof coding> & { readonly handleUnknown: string };

/** The base class of encoders: learned categories, and the index of every cell among them. */
export abstract class Coding<Options extends CodingOptions> {
  protected readonly options: Options;
  /** Whether the missing category can be grouped with the infrequent ones. */
  private readonly groupsMissing: boolean;

  constructor(options: Options, groupsMissing: boolean) {
    this.options = options;
    this.groupsMissing = groupsMissing;
  }

  /** Throws if learned categories do not fit the other parameters. */
  protected abstract check(codes: Codes): void;

  /**
   * Learns the categories of every feature; labels are ignored. `null`, `undefined` and NaN are one category, the missing one, which comes
   * last.
   */
  learn(X: TableRows, _y: unknown, sampleWeight: Weights | undefined): Codes {
    const { rows, names, columns: cells } = readTable(X);
    if (rows === 0) refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
    if (cells.length === 0) refuse('E_EMPTY_INPUT', 'the rows have no features', { features: 0 });
    const weights = readWeights(sampleWeight, rows);
    const columns = cells.map((column, j) => this.learnColumn(column, weights, j, cells.length));
    return this.checked({ features: cells.length, names, columns });
  }

  /** Categories as plain data. */
  save(codes: Codes): Pick<State, 'learned' | 'arrays'> {
    const columns: JsonValue[] = codes.columns.map(({ type, values, rare }) => ({
      type,
      values: values.map((value) => (isMissing(value) ? null : value)),
      rare: [...rare],
    }));
    return { learned: { ...saveColumns(codes), columns }, arrays: {} };
  }

  /** The inverse of `save`; validates everything. */
  revive(state: State): Codes {
    const own = readColumns(state, 'columns');
    const { columns } = state.learned;
    if (Object.keys(state.arrays).length > 0) damaged('it holds unused arrays');
    if (!Array.isArray(columns) || columns.length !== own.features) return damaged('its categories are wrong');
    return this.checked({ ...own, columns: columns.map(readCoded) });
  }

  /** The place of every cell among the categories of its feature, column by column; −1 for an unknown one. */
  protected placesIn({ names, features, columns }: Codes, X: TableRows): { rows: number; places: Int32Array[] } {
    const table: Table = readTable(X, { names, features });
    return { rows: table.rows, places: table.columns.map((cells, j) => this.placesOf(columns[j], cells, j)) };
  }

  private placesOf(column: Pick<Categories, 'type' | 'values'>, cells: ArrayLike<unknown>, j: number): Int32Array {
    const places = placesOf(column, cells, j);
    if (this.options.handleUnknown === 'error') requireKnown(places, cells, j);
    return places;
  }

  private checked(codes: Codes): Codes {
    this.check(codes);
    return codes;
  }

  private learnColumn(cells: ArrayLike<unknown>, weights: Float64Array, j: number, features: number): Coded {
    const { categories: given, minFrequency, maxCategories } = this.options;
    if (given !== 'auto') requireOneEach('categories', given, features);
    const found = given === 'auto' ? findCategories(cells, weights, j) : countCategories(given[j], cells, weights, j);
    if (given !== 'auto') this.placesOf(found, cells, j);
    const last = found.values.length - 1;
    const apart = !this.groupsMissing && isMissing(found.values[last]);
    const counts = apart ? found.counts.subarray(0, last) : found.counts;
    const rare = findRare(counts, sum(weights), { minFrequency, maxCategories });
    return { type: found.type, values: found.values, rare };
  }
}

/** The infrequent categories of every feature; null where there are none. */
export function infrequent({ columns }: Codes): (Category[] | null)[] {
  return columns.map(({ values, rare }) => (rare.length > 0 ? rare.map((v) => values[v]) : null));
}

/** One saved feature; validates everything. */
function readCoded(value: JsonValue, j: number): Coded {
  const { type, values, rare } = (value ?? {}) as Record<string, JsonValue>;
  const places = Array.isArray(rare) ? rare : [];
  if (!Array.isArray(values) || !Array.isArray(rare)) return damaged('its categories are wrong');
  const inside = places.every(
    (v, k) => Number.isSafeInteger(v) && (v as number) > (k > 0 ? (places[k - 1] as number) : -1),
  );
  if (!inside || Number(places.at(-1) ?? 0) >= values.length) return damaged('its infrequent categories are wrong');
  try {
    const found = countCategories(values, [], new Float64Array(0), j);
    if (found.type === (type as CategoryType))
      return { type: found.type, values: found.values, rare: places as number[] };
  } catch (cause) {
    if (cause instanceof PolyaError) damaged('its categories are wrong', cause);
    throw cause;
  }
  return damaged('its categories are of another type');
}
