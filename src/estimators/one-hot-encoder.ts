import { choice, flag, type Option, type OptionValues } from '../core/options.ts';
import { requireOneEach } from '../data/arguments.ts';
import { type Features, readFeatures } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { hottest, matrixOf, type Numbers, oneHot } from '../features/columns.ts';
import { type Category, groupRare, isMissing } from '../features/encode.ts';
import type { TableRows } from '../features/table.ts';
import { type Coded, type Codes, Coding, coding, INFREQUENT, infrequent } from './encoder.ts';
import { Transformer, type TransformRules } from './transformer.ts';

/** The category of each feature that gets no column: the first, the first of two, or the listed one. */
const drop: Option<null | 'first' | 'if_binary' | readonly Category[]> = {
  kind: 'custom',
  default: null,
  expects: "null, 'first', 'if_binary' or one category for every feature",
  accept: (value) => {
    if (value === null || value === 'first' || value === 'if_binary') return value;
    return Array.isArray(value) ? Object.freeze([...value]) : undefined;
  },
};

const spec = {
  /** The categories of every feature in the order of their codes; 'auto' takes those in the data, sorted. Default: 'auto'. */
  categories: coding.categories,
  /** The category of each feature that gets no column: 'first', 'if_binary' (the first of two), or one per feature. Default: null, none is dropped. */
  drop,
  /** Answer a sparse matrix. Default: true. */
  sparseOutput: flag({ default: true }),
  /** An unknown category: an error, all zeros, or an infrequent one if there are any. Default: 'error'. */
  handleUnknown: choice(['error', 'ignore', 'infrequent_if_exist'], { default: 'error' }),
  /** Categories seen less often are grouped as infrequent: a count, or below 1 a share of the rows. Default: null, no minimum. */
  minFrequency: coding.minFrequency,
  /** The most categories to keep per feature; the infrequent ones count as one. Default: null, no limit. */
  maxCategories: coding.maxCategories,
} as const;

/** Parameters of `OneHotEncoder`. */
export type OneHotEncoderOptions = Partial<OptionValues<typeof spec>>;

/** How one feature is spread: its categories after grouping, the place of each category, and the place that is dropped. */
interface Group {
  readonly labels: readonly Category[];
  readonly place: Int32Array;
  readonly dropped: number; // −1 for none
  readonly rare: boolean;
}

/** One column of 0 and 1 for every category. scikit-learn's class of this name; `null` and NaN are one category here. */
export class OneHotEncoder extends Transformer<typeof spec, Codes, TableRows, Numbers, Category[][]> {
  protected readonly rules: OneHot = new OneHot(this.params, true);

  constructor(options: OneHotEncoderOptions = {}) {
    super('OneHotEncoder', spec, options);
  }

  /** The categories of every feature in the order of their codes. */
  get categories(): Category[][] {
    return this.fitted().columns.map(({ values }) => [...values]);
  }

  /** The infrequent categories of every feature; null where there are none. */
  get infrequentCategories(): (Category[] | null)[] {
    return infrequent(this.fitted());
  }

  /** For every feature the place among its categories of the one without a column, or null; null where none is dropped. */
  get dropIdx(): (number | null)[] | null {
    const groups = this.rules.groups(this.fitted());
    if (this.params.drop === null) return null;
    return groups.map(({ dropped, place }) => (dropped < 0 ? null : place.indexOf(dropped)));
  }
}

type Params = OptionValues<typeof spec>;

class OneHot extends Coding<Params> implements TransformRules<Codes, TableRows, Numbers, Category[][]> {
  protected check(codes: Codes): void {
    this.groups(codes);
  }

  /** Every cell as a 1 in the column of its category. */
  transform(codes: Codes, X: TableRows): Numbers {
    const groups = this.groups(codes);
    const { rows, places } = this.placesIn(codes, X);
    const hot = new Matrix(rows, groups.length);
    groups.forEach(({ labels, place, dropped, rare }, j) => {
      const unknown = rare && this.options.handleUnknown === 'infrequent_if_exist' ? labels.length - 1 : -1;
      for (let i = 0; i < rows; i++) {
        const group = places[j][i] < 0 ? unknown : place[places[j][i]];
        const shifted = dropped >= 0 && group > dropped ? group - 1 : group;
        hot.data[i * groups.length + j] = group === dropped ? -1 : shifted;
      }
    });
    return oneHot(hot, groups.map(width), this.options.sparseOutput);
  }

  /** The category of every group of columns: the dropped one where all are 0, or null where nothing was dropped. */
  inverse(codes: Codes, X: Features): Category[][] {
    const groups = this.groups(codes);
    const features = groups.reduce((sum, group) => sum + width(group), 0);
    const { rows } = readFeatures(X, { sparse: true, features });
    const hot = hottest(matrixOf(rows), groups.map(width));
    return Array.from({ length: rows.rows }, (_, i) =>
      groups.map((group, j) => {
        const { labels, dropped } = group;
        const kept = dropped < 0 ? labels : labels.filter((_, v) => v !== dropped);
        if (hot.at(i, j) >= 0) return kept[hot.at(i, j)];
        return dropped >= 0 ? labels[dropped] : this.nothing(group, i, j);
      }),
    );
  }

  /** `x0_red`, `x0_blue`, … */
  namesOut(codes: Codes, names: readonly string[]): string[] {
    return this.groups(codes).flatMap(({ labels, dropped }, j) => {
      const whole = codes.columns[j].values.every((value) => typeof value !== 'number' || Number.isInteger(value));
      const texts = labels.map((label) => `${names[j]}_${nameOf(label, whole)}`);
      return texts.filter((_, v) => v !== dropped);
    });
  }

  private nothing({ rare }: Group, row: number, column: number): null {
    const { handleUnknown } = this.options;
    if (handleUnknown === 'ignore' || (handleUnknown === 'infrequent_if_exist' && !rare)) return null;
    return refuse('E_VALUE_RANGE', `row ${row}: feature ${column} has no category at all`, { row, column });
  }

  groups({ columns }: Codes): Group[] {
    const given = this.options.drop;
    if (Array.isArray(given)) requireOneEach('drop', given, columns.length);
    return columns.map((column, j) => {
      const { values, rare } = column;
      const place = groupRare(values.length, rare);
      const together = new Set(rare);
      const frequent = values.filter((_, v) => !together.has(v));
      const labels = rare.length > 0 ? [...frequent, INFREQUENT] : frequent;
      return { labels, place, rare: rare.length > 0, dropped: this.droppedPlace(column, place, labels.length, j) };
    });
  }

  private droppedPlace({ values, rare }: Coded, place: Int32Array, size: number, j: number): number {
    const given = this.options.drop;
    if (given === null) return -1;
    if (given === 'first') return 0;
    if (given === 'if_binary') return size === 2 ? 0 : -1;
    const wanted = given[j];
    const found = values.findIndex((value) => value === wanted || (isMissing(value) && isMissing(wanted)));
    if (found >= 0 && !rare.includes(found)) return place[found];
    const why = found < 0 ? 'was never seen in training' : 'is infrequent';
    return refuse('E_PARAM', `the category ${show(wanted)} of column ${j} cannot be dropped: it ${why}`, {
      name: 'drop',
      column: j,
    });
  }
}

const width = ({ labels, dropped }: Group) => labels.length - (dropped >= 0 ? 1 : 0);

/** A category as scikit-learn writes it in a name; among numbers with fractions a whole one ends in `.0`. */
function nameOf(label: Category, whole: boolean): string {
  if (label === null) return 'None';
  if (typeof label === 'boolean') return label ? 'True' : 'False';
  if (typeof label === 'string') return label;
  if (Number.isNaN(label)) return 'nan';
  return Number.isInteger(label) && !whole ? `${label}.0` : String(label);
}
