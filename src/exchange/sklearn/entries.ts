import type { JsonValue } from '../../data/strict-json.ts';
import { refuse, show } from '../../errors.ts';

/** Reads one value or throws; `where` names it in the error. */
export type Read<T> = (value: JsonValue, where: string) => T;

/** Throws for a document that was not written by examples/export_sklearn.py. */
export function refuseFormat(sentence: string, where: string): never {
  return refuse('E_FORMAT', sentence, { name: where });
}

function expect(what: string, value: JsonValue, where: string): never {
  return refuseFormat(`${where} must be ${what}, got ${show(value)}`, where);
}

/** The entries of a table, each read once; `close` refuses entries that were not read. */
export class Entries {
  readonly where: string;
  readonly #rest: Map<string, JsonValue>;

  constructor(value: JsonValue, where: string) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) expect('a table', value, where);
    this.where = where;
    this.#rest = new Map(Object.entries(value));
  }

  /** Whether there is such an entry that was not read yet. */
  has(name: string): boolean {
    return this.#rest.has(name);
  }

  /** One entry; refuses its absence. */
  take<T>(name: string, read: Read<T>): T {
    const value = this.#rest.get(name);
    if (value === undefined) return refuseFormat(`${this.where} has no ${name}`, name);
    this.#rest.delete(name);
    return read(value, `${name} of ${this.where}`);
  }

  /** One entry, or undefined where it is absent. */
  maybe<T>(name: string, read: Read<T>): T | undefined {
    return this.#rest.has(name) ? this.take(name, read) : undefined;
  }

  /** Refuses entries that are not known. */
  close(): void {
    const [name] = this.#rest.keys();
    if (name !== undefined) refuseFormat(`${this.where} has the unknown entry ${show(name)}`, name);
  }
}

/** The value as it is. */
export const anything: Read<JsonValue> = (value) => value;

/** A text. */
export const text: Read<string> = (value, where) => {
  if (typeof value !== 'string') return expect('a text', value, where);
  return value.isWellFormed() ? value : refuse('E_UNICODE', `${where} holds a lone surrogate`, { name: where });
};

/** True or false. */
export const flag: Read<boolean> = (value, where) =>
  typeof value === 'boolean' ? value : expect('true or false', value, where);

const OUTSIDE_JSON = new Map([
  ['inf', Infinity],
  ['-inf', -Infinity],
  ['nan', Number.NaN],
]);

/** A number; the three that JSON lacks are words. */
export const number: Read<number> = (value, where) => {
  const named = typeof value === 'string' ? OUTSIDE_JSON.get(value) : value;
  return typeof named === 'number' ? named : expect('a number', value, where);
};

/** A finite number. */
export const finite: Read<number> = (value, where) => {
  const read = number(value, where);
  return Number.isFinite(read) ? read : expect('a finite number', value, where);
};

/** What `read` reads, or null. */
export function orNull<T>(read: Read<T>): Read<T | null> {
  return (value, where) => (value === null ? null : read(value, where));
}

/** A list of what `read` reads. */
export function list<T>(read: Read<T>): Read<T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) return expect('a list', value, where);
    return value.map((item, k) => read(item, `${where}[${k}]`));
  };
}

/** one of some words; other values of scikit-learn throw, with their name. */
export function word<const T extends string>(...words: readonly T[]): Read<T> {
  return (value, where) => {
    if (words.includes(value as T)) return value as T;
    const allowed = words.map((one) => `'${one}'`).join(', ');
    return refuse('E_PARAM', `${where} is ${show(value)}; Pólya reads ${allowed}`, { name: where });
  };
}

/** A list of numbers of one length. */
export function vector(length: number, read: Read<number> = finite): Read<Float64Array> {
  return (value, where) => {
    if (!Array.isArray(value) || value.length !== length) expect(`a list of ${length} numbers`, value, where);
    return Float64Array.from(value, (item) => read(item, where));
  };
}

/** A matrix of this many rows, row by row in one array; the number of columns is free where it is undefined. */
export function matrix(rows: number, columns: number | undefined, read: Read<number> = finite): Read<Float64Array> {
  return (value, where) => {
    if (!Array.isArray(value) || value.length !== rows) return expect(`${rows} rows`, value, where);
    const width = columns ?? widthOf(value[0]);
    if (!value.every((row) => Array.isArray(row) && row.length === width))
      expect(`rows of ${width} numbers`, value, where);
    const cells = new Float64Array(rows * width);
    value.forEach((row, i) => {
      cells.set(vector(width, read)(row, where), i * width);
    });
    return cells;
  };
}

const widthOf = (row: JsonValue | undefined) => (Array.isArray(row) ? row.length : 0);
