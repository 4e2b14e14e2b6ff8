import {
  integer,
  type NoOptions,
  type Option,
  type OptionSpec,
  type OptionValues,
  readOptions,
} from '../core/options.ts';
import { requireKind, requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label, requireLabels } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { isLabelRows, type LabelRows, listsOf } from '../evaluate/label-rows.ts';
import { codesAmong, requireListed } from './learning.ts';

/** The base class of label encoders: the sorted classes found by `fit`. */
abstract class LabelCoder<Given, Spec extends OptionSpec, Out> {
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: OptionValues<Spec>;
  private known: readonly Label[] | undefined;

  protected constructor(kind: string, spec: Spec, options: Partial<OptionValues<Spec>>) {
    this.kind = kind;
    this.params = readOptions(kind, spec, options);
  }

  /** The parameters, as given or by default. */
  getParams(): OptionValues<Spec> {
    return { ...this.params };
  }

  /** Replaces some parameters. What was learned is forgotten: call `fit` again. */
  setParams(params: Partial<OptionValues<Spec>>): this {
    requireOptions(this.kind, Object.keys(this.params), params);
    return Object.assign(this, { known: undefined }, this.with({ ...this.params, ...params }));
  }

  /** An unfitted encoder with the same parameters. */
  clone(): this {
    return this.with(this.params);
  }

  private with(params: OptionValues<Spec>): this {
    return new (this.constructor as new (params: OptionValues<Spec>) => this)(params);
  }

  /** The classes of labels, in the order of their places. */
  protected abstract classesOf(y: Given): readonly Label[];

  /** Learns the classes of these labels. */
  fit(y: Given, options: object = {}): this {
    requireOptions(this.kind, [], options);
    this.known = this.classesOf(y);
    return this;
  }

  /** The labels as numbers. */
  abstract transform(y: Given): Out;

  /** `fit` and `transform` of the same labels. */
  fitTransform(y: Given, options?: object): Out {
    return this.fit(y, options).transform(y);
  }

  /** The classes in the order of their places: sorted, unless they were given. */
  get classes(): Label[] {
    return [...(this.known ?? refuse('E_NOT_FITTED', 'no labels were learned yet; call fit first'))];
  }
}

const sortedClasses = (y: ArrayLike<Label>) => encodeLabels(requireLabels(y)).classes;

/** Labels to their places among the sorted classes, and back. scikit-learn's class of this name. */
export class LabelEncoder extends LabelCoder<ArrayLike<Label>, NoOptions, Int32Array> {
  constructor(options: NoOptions = {}) {
    super('LabelEncoder', {}, options);
  }

  protected classesOf(y: ArrayLike<Label>): readonly Label[] {
    return sortedClasses(y);
  }

  /** The place of each label; refuses one that was not learned. */
  transform(y: ArrayLike<Label>): Int32Array {
    const { classes } = this;
    return codesAmong(encodeLabels(requireLabels(y)), classes).codes;
  }

  /** The label at each place. */
  inverseTransform(codes: ArrayLike<number>): Label[] {
    const { classes } = this;
    return Array.from(
      requireKind(codes, 'a list of places', 'list'),
      (c) => classes[c] ?? refuse('E_CLASS_UNKNOWN', `there is no class at ${show(c)}`, {}),
    );
  }
}

const binarizerSpec = {
  /** The value for rows that are not of the class. */
  negLabel: integer({ default: 0 }),
  /** The value for rows of the class. */
  posLabel: integer({ default: 1 }),
} as const;

/** Labels to a column for every class, one column for two classes. scikit-learn's class of this name. */
export class LabelBinarizer extends LabelCoder<ArrayLike<Label>, typeof binarizerSpec, Matrix> {
  constructor(options: Partial<OptionValues<typeof binarizerSpec>> = {}) {
    super('LabelBinarizer', binarizerSpec, options);
    const { negLabel, posLabel } = this.params;
    if (negLabel >= posLabel) refuse('E_PARAM', `negLabel ${negLabel} is not below posLabel ${posLabel}`, {});
  }

  protected classesOf(y: ArrayLike<Label>): readonly Label[] {
    if (requireLabels(y).length === 0) refuse('E_SHAPE', 'there are no labels to learn', {});
    return sortedClasses(y);
  }

  /** A row of marks for each label; one that was not learned has no mark. */
  transform(y: ArrayLike<Label>): Matrix {
    const { classes, codes: own } = encodeLabels(requireLabels(y));
    const place = classes.map((label) => this.classes.indexOf(label));
    const codes = own.map((c) => place[c]);
    const { negLabel, posLabel } = this.params;
    const count = this.classes.length;
    const cols = count === 2 ? 1 : count;
    const out = new Matrix(codes.length, cols, new Float64Array(codes.length * cols).fill(negLabel));
    for (const [i, c] of codes.entries()) {
      if (cols > 1 && c >= 0) out.data[i * cols + c] = posLabel;
      else if (c === 1) out.data[i] = posLabel;
    }
    return out;
  }

  /** The class of the highest mark of each row; of one column, the second class above the middle. */
  inverseTransform(marks: Matrix | ArrayLike<ArrayLike<number>>): Label[] {
    const { classes } = this;
    const { negLabel, posLabel } = this.params;
    const rows = marks instanceof Matrix ? marks : Matrix.from(marks);
    const cols = classes.length === 2 ? 1 : classes.length;
    if (rows.cols !== cols) {
      refuse('E_SHAPE', `${classes.length} classes have ${cols} columns, got ${rows.cols}`, { expected: cols });
    }
    return Array.from({ length: rows.rows }, (_, i) => {
      const row = rows.row(i);
      const c = classes.length === 2 ? Number(row[0] > (negLabel + posLabel) / 2) : row.indexOf(Math.max(...row));
      return classes[c];
    });
  }
}

/** The labels in the order of their columns; by default those that `fit` finds, sorted. */
const classList: Option<readonly Label[] | null> = {
  kind: 'custom',
  default: null,
  expects: 'a list of different labels, or null',
  accept: (value) =>
    value === null || (Array.isArray(value) && new Set(value).size === value.length) ? (value as Label[]) : undefined,
};
const multiLabelSpec = { classes: classList };

/** Lists of labels to zeros and ones, a column for every label, and back. scikit-learn's class of this name. */
export class MultiLabelBinarizer extends LabelCoder<LabelRows, typeof multiLabelSpec, Matrix> {
  constructor(options: Partial<OptionValues<typeof multiLabelSpec>> = {}) {
    super('MultiLabelBinarizer', multiLabelSpec, options);
  }

  protected classesOf(y: LabelRows): readonly Label[] {
    const labels = requireLists(y).flat();
    const { classes } = this.params;
    const sorted = sortedClasses(classes ?? labels);
    return classes ?? sorted;
  }

  /** A row of zeros and ones for each list. */
  transform(y: LabelRows): Matrix {
    const lists = requireLists(y);
    const { classes } = this;
    requireListed(encodeLabels(requireLabels(lists.flat())).classes, classes);
    return Matrix.from(lists.map((own) => classes.map((label) => (own.includes(label) ? 1 : 0))));
  }

  /** The labels of every row of zeros and ones. */
  inverseTransform(flags: LabelRows): Label[][] {
    const { classes } = this;
    return requireLists(flags).map((row, i) => {
      if (row.length !== classes.length || row.some((cell) => cell !== 0 && cell !== 1)) {
        refuse('E_SHAPE', `row ${i} is not ${classes.length} zeros and ones, one for each class`, { row: i });
      }
      return classes.filter((_, k) => row[k] === 1);
    });
  }
}

function requireLists(y: LabelRows): Label[][] {
  return isLabelRows(y) ? listsOf(y) : refuse('E_SHAPE', `labels are lists, one for each row, got ${show(y)}`, {});
}
