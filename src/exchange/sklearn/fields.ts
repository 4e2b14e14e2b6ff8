import { checkNames } from '../../data/input.ts';
import { compareLabels, type Label, sortClasses } from '../../data/labels.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse, show } from '../../errors.ts';
import type { Step } from '../../estimators/pipeline-step.ts';
import { sum } from '../../math/arrays.ts';

/** Classes and columns of a fitted model. */
export interface Known {
  readonly classes: readonly Label[];
  readonly features: number;
  readonly names?: readonly string[] | undefined;
}

/** A fitted class of Pólya, which has its attributes by the names of scikit-learn in camel case. */
export type Fitted = Readonly<Record<string, unknown>> & {
  readonly kind: string;
  getParams(): Readonly<Record<string, unknown>>;
};

/** One entry of a document: reads its value or throws (`where` names it in the error), and gives it for a document. */
export interface Field<T> {
  (value: JsonValue, where: string, known: Known): T;
  /** What stands for an absent entry, in a list of one; without it an absent entry is refused. */
  readonly absent?: readonly [T];
  /** The value in a document, if it is not that of the parameter or attribute of the same name; undefined leaves it out. */
  readonly give?: (model: Fitted) => unknown;
}

/** Entries by their names in camel case. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of entries. */
export type ValuesOf<F> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** A class of scikit-learn. */
export interface SklearnClass {
  /** Parameters that are options of the class of Pólya. */
  readonly params: Fields;
  /** Parameters that scikit-learn has alone. */
  readonly fixed: Fields;
  readonly learned: Fields;
  /** Whether it has classes and a number of features. */
  readonly classifies: boolean;
  readonly make: (params: never, learned: never, known: Known) => Step;
}

/** A class whose values have the types of its fields. */
export const sklearnClass = <P extends Fields, L extends Fields>(own: {
  readonly params: P;
  readonly fixed?: Fields;
  readonly learned: L;
  readonly classifies?: boolean;
  readonly make: (params: ValuesOf<P>, learned: ValuesOf<L>, known: Known) => object;
}): SklearnClass => ({ fixed: {}, classifies: true, ...own }) as SklearnClass;

/** The same field with more about it. */
export const field = <T>(read: Field<T>, about: Pick<Field<T>, 'absent' | 'give'>): Field<T> =>
  Object.assign((...given: Parameters<Field<T>>) => read(...given), { ...read, ...about });

/** A field that is `instead` where it is absent. */
export const optional = <T, D>(read: Field<T>, instead: D): Field<T | D> =>
  field<T | D>(read as Field<T | D>, { absent: [instead] });

/** A parameter that is always written as this value. */
export const fixed = (read: Field<unknown>, value: unknown): Field<unknown> => field(read, { give: () => value });

/** Throws for a document that was not written by examples/export_sklearn.py. */
export function refuseFormat(sentence: string, where: string): never {
  return refuse('E_FORMAT', sentence, { name: where });
}

function expect(what: string, value: JsonValue, where: string): never {
  return refuseFormat(`${where} must be ${what}, got ${show(value)}`, where);
}

const NOTHING_KNOWN: Known = { classes: [], features: 0 };

/** The entries of a table, each read once; `close` refuses entries that were not read. */
export class Entries {
  readonly #where: string;
  readonly #rest: Map<string, JsonValue>;

  constructor(value: JsonValue, where: string) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) expect('a table', value, where);
    this.#where = where;
    this.#rest = new Map(Object.entries(value));
  }

  /** One entry. */
  take<T>(name: string, read: Field<T>, known: Known = NOTHING_KNOWN): T {
    const value = this.#rest.get(name);
    if (value === undefined) return read.absent ? read.absent[0] : refuseFormat(`${this.#where} has no ${name}`, name);
    this.#rest.delete(name);
    return read(value, `${name} of ${this.#where}`, known);
  }

  /** Fields by their names in snake case with this ending. */
  all(fields: Fields, ending: string, known: Known): unknown {
    const read = Object.entries(fields).map(([name, own]) => [name, this.take(snake(name) + ending, own, known)]);
    return Object.fromEntries(read);
  }

  /** Refuses entries that are not known. */
  close(): void {
    const [name] = this.#rest.keys();
    if (name !== undefined) refuseFormat(`${this.#where} has the unknown entry ${show(name)}`, name);
  }
}

/** A name of Pólya as scikit-learn writes it. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The value as it is. */
export const anything: Field<JsonValue> = (value) => value;

/** A text. */
export const text: Field<string> = (value, where) => {
  if (typeof value !== 'string') return expect('a text', value, where);
  return value.isWellFormed() ? value : refuse('E_UNICODE', `${where} holds a lone surrogate`, { name: where });
};

/** True or false. */
export const flag: Field<boolean> = (value, where) =>
  typeof value === 'boolean' ? value : expect('true or false', value, where);

const OUTSIDE_JSON = new Map([
  ['inf', Infinity],
  ['-inf', -Infinity],
  ['nan', Number.NaN],
]);

/** A number; the three that JSON lacks are words. */
export const number: Field<number> = (value, where) => {
  const named = typeof value === 'string' ? OUTSIDE_JSON.get(value) : value;
  return typeof named === 'number' ? named : expect('a number', value, where);
};

/** A finite number. */
export const finite: Field<number> = (value, where, known) => {
  const read = number(value, where, known);
  return Number.isFinite(read) ? read : expect('a finite number', value, where);
};

/** A weight: a finite number that is not negative. */
export const weight: Field<number> = (value, where, known) => {
  const read = finite(value, where, known);
  return read >= 0 ? read : refuseFormat(`${where} holds ${read}; Pólya counts nothing negative`, where);
};

/** What `read` reads, or null. */
export const orNull =
  <T>(read: Field<T>): Field<T | null> =>
  (value, where, known) =>
    value === null ? null : read(value, where, known);

/** A list of what `read` reads. */
export const list =
  <T>(read: Field<T>): Field<T[]> =>
  (value, where, known) => {
    if (!Array.isArray(value)) return expect('a list', value, where);
    return value.map((item, k) => read(item, `${where}[${k}]`, known));
  };

/** What `read` reads, or a list of it. */
export const oneOrList =
  <T>(read: Field<T>): Field<T | T[]> =>
  (value, where, known) =>
    (Array.isArray(value) ? list(read) : read)(value, where, known);

/** One of some words; other values of scikit-learn throw, with their name. */
export const word =
  <const T extends string>(...words: readonly T[]): Field<T> =>
  (value, where) => {
    if (words.includes(value as T)) return value as T;
    const allowed = words.map((one) => `'${one}'`).join(', ');
    return refuse('E_PARAM', `${where} is ${show(value)}; Pólya reads ${allowed}`, { name: where });
  };

/** A length: that of the classes (or of one, for two classes), of the features, or any. */
type Length = 'classes' | 'sides' | 'features' | 'any';

function lengthOf(length: Length, { classes, features }: Known, value: readonly JsonValue[]): number {
  if (length === 'any') return value.length;
  if (length === 'features') return features;
  return length === 'sides' && classes.length === 2 ? 1 : classes.length;
}

/** A list of numbers. */
export const vector =
  (length: Length, read: Field<number> = finite): Field<Float64Array> =>
  (value, where, known) => {
    const wanted = Array.isArray(value) ? lengthOf(length, known, value) : 0;
    if (!Array.isArray(value) || value.length !== wanted) return expect(`a list of ${wanted} numbers`, value, where);
    return Float64Array.from(value, (item) => read(item, where, known));
  };

/** A matrix, row by row in one array. */
export const matrix =
  (rows: Length, columns: Length, read: Field<number> = finite): Field<Float64Array> =>
  (value, where, known) => {
    const wanted = Array.isArray(value) ? lengthOf(rows, known, value) : 0;
    if (!Array.isArray(value) || value.length !== wanted) return expect(`${wanted} rows`, value, where);
    const [first] = value;
    const width = lengthOf(columns, known, Array.isArray(first) ? first : []);
    if (!value.every((row) => Array.isArray(row) && row.length === width))
      return expect(`rows of ${width} numbers`, value, where);
    return Float64Array.from(value.flatMap((row) => Array.from(vector('any', read)(row, where, known))));
  };

/** Sums this close to 1 count as 1, as for the priors of estimators. */
const PRIOR_SUM_TOLERANCE = 1e-8;

/**
 * Given class priors. scikit-learn takes any numbers: those that do not sum to 1 are divided by their sum, which leaves
 * every posterior as it is, and negative ones are refused.
 */
export const classPriors: Field<readonly number[] | null> = orNull((value, where, known) => {
  const priors = vector('classes')(value, where, known);
  const total = sum(priors);
  if (!(priors.every((prior) => prior >= 0) && total > 0)) {
    refuse('E_PARAM', `${where} are not probabilities: they are negative or sum to ${total}`, { name: where });
  }
  return Array.from(priors, (prior) => (Math.abs(total - 1) > PRIOR_SUM_TOLERANCE ? prior / total : prior));
});

const label: Field<Label> = (value, where, known) => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return text(value, where, known);
  return Number.isSafeInteger(value)
    ? (value as number)
    : refuse('E_LABEL_TYPE', `${where} is ${show(value)}; labels are texts, whole numbers or booleans`, {
        name: where,
      });
};

const sorted: Field<readonly Label[]> = (value, where, known) => {
  const given = list(label)(value, where, known);
  const classes = sortClasses(given);
  if (classes.every((own, c) => compareLabels(own, given[c]) === 0)) return classes;
  return refuseFormat(`the classes of ${where} are not in order`, 'classes_');
};

/** The most columns accepted if the document contains only their number. */
const MOST_FEATURES = 2 ** 24;

/** A number of features. */
export const featureCount: Field<number> = (value, where, known) => {
  const read = finite(value, where, known);
  if (Number.isSafeInteger(read) && read > 0 && read <= MOST_FEATURES) return read;
  return refuseFormat(`${where} is ${read}; there are 1 to ${MOST_FEATURES} features`, where);
};

/** Classes, the number of columns and their names. */
export const about = {
  classes: sorted,
  nFeaturesIn: featureCount,
  featureNamesIn: optional(list(text), undefined),
};

/** What the fields `about` hold. */
export function knownOf({ classes, nFeaturesIn: features, featureNamesIn: names }: ValuesOf<typeof about>): Known {
  if (names && names.length !== features)
    refuseFormat(`there are ${names.length} names for ${features} features`, 'feature_names_in_');
  return { classes, features, names: names && checkNames(names) };
}
