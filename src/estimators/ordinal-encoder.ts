import { choice, integer, type Option, type OptionValues, optional } from '../core/options.ts';
import { toDense } from '../data/batch.ts';
import { type Features, readFeatures } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { type Category, groupRare, isMissing } from '../features/encode.ts';
import type { TableRows } from '../features/table.ts';
import { type Coded, type Codes, Coding, coding, INFREQUENT, infrequent } from './encoder.ts';
import { Transformer, type TransformRules } from './transformer.ts';

/** A code: a whole number or NaN, which is 'nan' in a model file. */
const code: Option<number> = {
  ...integer({ default: 0 }),
  kind: 'custom',
  expects: 'a whole number or NaN',
  accept: (value) => {
    if (value === 'nan' || Number.isNaN(value)) return Number.NaN;
    return Number.isSafeInteger(value) ? (value as number) : undefined;
  },
};

const spec = {
  /** The categories of every feature in the order of their codes; 'auto' takes those in the data, sorted. Default: 'auto'. */
  categories: coding.categories,
  /** An unknown category: an error, or `unknownValue`. Default: 'error'. */
  handleUnknown: choice(['error', 'use_encoded_value'], { default: 'error' }),
  /** The code of unknown categories. Default: null. */
  unknownValue: optional({ ...code }),
  /** The code of the missing category. Default: NaN. */
  encodedMissingValue: { ...code, default: Number.NaN },
  /** Categories seen less often are grouped as infrequent: a count, or below 1 a share of the rows. Default: null, no minimum. */
  minFrequency: coding.minFrequency,
  /** The most categories to keep per feature; the infrequent ones count as one. Default: null, no limit. */
  maxCategories: coding.maxCategories,
} as const;

/** Parameters of `OrdinalEncoder`. */
export type OrdinalEncoderOptions = Partial<OptionValues<typeof spec>>;

/**
 * Codes categories as 0, 1, 2 … in sorted order: strings by code point, numbers by size. scikit-learn's class of this name,
 * but `null` is the same as NaN here, the missing category, coded `encodedMissingValue` wherever it stood in training.
 */
export class OrdinalEncoder extends Transformer<typeof spec, Codes, TableRows, Matrix, Category[][]> {
  protected readonly rules: Ordinal = new Ordinal(this.params, false);

  constructor(options: OrdinalEncoderOptions = {}) {
    super('OrdinalEncoder', spec, options);
    const { handleUnknown, unknownValue } = this.params;
    if ((handleUnknown === 'use_encoded_value') === (unknownValue === null)) {
      const rule = "is to be given with handleUnknown: 'use_encoded_value', and only then";
      refuse('E_PARAM', `parameter unknownValue of OrdinalEncoder ${rule}`, { name: 'unknownValue' });
    }
  }

  /** The categories of every feature in the order of their codes. */
  get categories(): Category[][] {
    return this.fitted().columns.map(({ values }) => [...values]);
  }

  /** The infrequent categories of every feature; null where there are none. */
  get infrequentCategories(): (Category[] | null)[] {
    return infrequent(this.fitted());
  }
}

type Params = OptionValues<typeof spec>;

class Ordinal extends Coding<Params> implements TransformRules<Codes, TableRows, Matrix, Category[][]> {
  /** The code of every cell. */
  transform(codes: Codes, X: TableRows): Matrix {
    const { columns } = codes;
    const { rows, places } = this.placesIn(codes, X);
    const out = new Matrix(rows, columns.length);
    const unknown = this.options.unknownValue ?? Number.NaN;
    columns.forEach((column, j) => {
      const own = this.codesOf(column);
      for (let i = 0; i < rows; i++) {
        out.data[i * columns.length + j] = places[j][i] < 0 ? unknown : own[places[j][i]];
      }
    });
    return out;
  }

  /** The category of every code: null for the unknown ones, 'infrequent_sklearn' for the infrequent ones. */
  inverse({ columns, features }: Codes, X: Features): Category[][] {
    const { rows, x } = toDense(readFeatures(X, { features, missing: true }).rows);
    const readers = columns.map((column) => this.categoryReader(column));
    return Array.from({ length: rows }, (_, i) => readers.map((read, j) => read(x[i * features + j], i, j)));
  }

  namesOut(_codes: Codes, names: readonly string[]): string[] {
    return [...names];
  }

  /** Refuses codes for unknown and missing categories that stand for something else already. */
  protected check({ columns }: Codes): void {
    const { unknownValue, encodedMissingValue } = this.options;
    columns.forEach((column, j) => {
      const used = usedCodes(column);
      const taken = (value: number | null) => value !== null && value >= 0 && value < used;
      const name = taken(unknownValue) ? 'unknownValue' : 'encodedMissingValue';
      if (!taken(unknownValue) && !(hasMissing(column) && taken(encodedMissingValue))) return;
      refuse('E_PARAM', `${name} is the code of a known category of column ${j}`, { name, column: j });
    });
  }

  /** The code of every category of a feature. */
  private codesOf(column: Coded): Float64Array {
    const present = column.values.length - (hasMissing(column) ? 1 : 0);
    const codes = Array.from(groupRare(present, column.rare));
    return Float64Array.from(hasMissing(column) ? [...codes, this.options.encodedMissingValue] : codes);
  }

  private categoryReader(column: Coded): (code: number, row: number, column: number) => Category {
    const { values, rare } = column;
    const codes = this.codesOf(column);
    const categories = new Map<number, Category>(values.map((value, v) => [codes[v], value]));
    if (rare.length > 0) categories.set(codes[rare[0]], INFREQUENT);
    return (value, i, j) => {
      const found = categories.get(value); // a Map knows NaN
      if (found !== undefined) return found;
      if (this.options.unknownValue !== null && Object.is(value, this.options.unknownValue)) return null;
      return refuse('E_VALUE_RANGE', `row ${i}, column ${j}: no category has the code ${value}`, { row: i, column: j });
    };
  }
}

const hasMissing = ({ values }: Coded) => isMissing(values[values.length - 1]);

/** How many codes from 0 on stand for a category. */
function usedCodes(column: Coded): number {
  const present = column.values.length - (hasMissing(column) ? 1 : 0);
  return present - column.rare.length + (column.rare.length > 0 ? 1 : 0);
}
