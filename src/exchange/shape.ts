import { refuse, show } from '../errors.ts';

/** A JSON Schema, as plain data. */
export type Schema = { readonly [key: string]: unknown };

/** The sizes on which the tables of a term depend. */
export interface Sizes {
  readonly classes: number;
  /** How many numbers the vector of the term has. */
  readonly features: number;
  /** How many numbers each input and each vector of the plan has; while a plan is read, of those that were read. */
  readonly inputs: number[];
  readonly vectors: number[];
}

/**
 * How a value of a plan is written as JSON: its schema, and conversion in both directions. `owner` is the object that contains the value.
 */
export interface Shape<T> {
  readonly schema: Schema;
  readonly optional?: true;
  write(value: T, sizes: Sizes, owner: unknown): unknown;
  read(json: unknown, sizes: Sizes): T;
}

/** Throws for JSON that does not follow the schema. */
const malformed = (what: string, json: unknown): never =>
  refuse('E_FORMAT', `the JSON of a model has ${show(json)} instead of ${what}`);

function plain<T>(schema: Schema, what: string, fits: (json: unknown) => boolean): Shape<T> {
  return {
    schema,
    write: (value) => value,
    read: (json) => (fits(json) ? (json as T) : malformed(what, json)),
  };
}

export const text: Shape<string> = plain({ type: 'string' }, 'a string', (json) => typeof json === 'string');
export const flag: Shape<boolean> = plain({ type: 'boolean' }, 'true or false', (json) => typeof json === 'boolean');
export const whole: Shape<number> = plain({ type: 'integer' }, 'a whole number', Number.isInteger);
/** A whole number from 0: a count, or the place of something. */
export const place: Shape<number> = plain(
  { type: 'integer', minimum: 0 },
  'a whole number from 0',
  (json) => Number.isInteger(json) && (json as number) >= 0,
);

const placeIn = (known: 'inputs' | 'vectors'): Shape<number> => ({
  ...place,
  read(json, sizes) {
    const k = place.read(json, sizes);
    return k < sizes[known].length ? k : malformed(`a place in ${known}`, json);
  },
});

/** The place of an input, and of a vector that comes before. */
export const inputPlace: Shape<number> = placeIn('inputs');
export const vectorPlace: Shape<number> = placeIn('vectors');

/** Exactly one value. */
export const constant = <const T extends string>(value: T): Shape<T> =>
  plain({ const: value }, show(value), (json) => json === value);

/** One of several words. */
export const choices = <const T extends string | null>(...words: readonly T[]): Shape<T> =>
  plain({ enum: words }, `one of ${words.join(', ')}`, (json) => words.includes(json as T));

const words = ['Infinity', '-Infinity', 'NaN'];

/** The schema of a number that may not be finite. */
export const numberSchema: Schema = {
  description: 'A number; what is not finite is a word.',
  anyOf: [{ type: 'number' }, { enum: words }],
};

const numberToJson = (value: number) => (Number.isFinite(value) ? value + 0 : String(value)); // −0 is 0

function numberFromJson(json: unknown): number {
  if (typeof json === 'number') return json;
  return words.includes(json as string) ? Number(json) : malformed('a number', json);
}

/** A number; what is not finite is a word. */
export const number: Shape<number> = {
  schema: { $ref: '#/$defs/number' },
  write: numberToJson,
  read: numberFromJson,
};

/** A list of anything. */
export const list = <T>(item: Shape<T>, minItems = 0): Shape<readonly T[]> => ({
  schema: { type: 'array', items: item.schema, minItems },
  write: (values, sizes, owner) => values.map((value) => item.write(value, sizes, owner)),
  read: (json, sizes) => listOf(json).map((value) => item.read(value, sizes)),
});

/** The inputs or vectors of a plan, which are known from then on. */
export const sized = <T extends object>(item: Shape<T>, known: 'inputs' | 'vectors'): Shape<readonly T[]> => ({
  ...list(item),
  read: (json, sizes) =>
    listOf(json).map((value) => {
      const own = item.read(value, sizes);
      sizes[known].push('width' in own ? Number(own.width) : 1);
      return own;
    }),
});

const listOf = (json: unknown): unknown[] => (Array.isArray(json) ? json : malformed('a list', json));

/** Two of the same. */
export const pair = <T>(item: Shape<T>): Shape<readonly [T, T]> => ({
  schema: { type: 'array', prefixItems: [item.schema, item.schema], minItems: 2, maxItems: 2 },
  write: ([first, second], sizes, owner) => [item.write(first, sizes, owner), item.write(second, sizes, owner)],
  read(json, sizes) {
    const [first, second] = listOf(json);
    return [item.read(first, sizes), item.read(second, sizes)];
  },
});

/** A list in a typed array. */
function packed<T extends ArrayLike<number>>(item: Shape<number>, make: (values: number[]) => T): Shape<T> {
  const values = list(item);
  return {
    schema: values.schema,
    write: (array, sizes, owner) => values.write(Array.from(array), sizes, owner),
    read: (json, sizes) => make(values.read(json, sizes) as number[]),
  };
}

export const numbers: Shape<Float64Array> = packed(number, (values) => Float64Array.from(values));
/** Whole numbers of any size. */
export const counts: Shape<Float64Array> = packed(place, (values) => Float64Array.from(values));
export const places: Shape<Int32Array> = packed(place, (values) => Int32Array.from(values));
export const columns: Shape<Uint32Array> = packed(place, (values) => Uint32Array.from(values));
export const integers: Shape<Int32Array> = packed(whole, (values) => Int32Array.from(values));

/** One bit for each class. */
export const flags: Shape<Uint8Array> = {
  schema: list(flag).schema,
  write: (values) => Array.from(values, Boolean),
  read: (json, sizes) => Uint8Array.from(list(flag).read(json, sizes), Number),
};

const numbersSchema = (depth: number): Schema =>
  depth === 0 ? number.schema : { ...listSchema, items: numbersSchema(depth - 1) };
const listSchema = { type: 'array', minItems: 0 } as const;

/** A flat table as lists in lists: the last length is that of the innermost ones. */
export function nested(values: ArrayLike<number>, lengths: readonly number[]): unknown[] {
  const [first, ...rest] = lengths;
  if (rest.length === 0) return Array.from(values, numberToJson);
  const size = rest.reduce((product, length) => product * length, 1);
  const all = Array.from(values);
  return Array.from({ length: first }, (_, k) => nested(all.slice(k * size, (k + 1) * size), rest));
}

const flat = (json: unknown, depth: number): number[] =>
  depth === 0 ? [numberFromJson(json)] : listOf(json).flatMap((inner) => flat(inner, depth - 1));

/** A table of numbers, as lists in lists of these lengths. */
export const table = <O>(
  depth: number,
  lengths: (sizes: Sizes, owner: O) => readonly number[],
): Shape<Float64Array> => ({
  schema: numbersSchema(depth),
  write: (values, sizes, owner) => nested(values, lengths(sizes, owner as O)),
  read: (json) => Float64Array.from(flat(json, depth)),
});
export const byClass: Shape<Float64Array> = table(2, ({ classes, features }) => [classes, features]);
export const byFeature: Shape<Float64Array> = table(2, ({ classes, features }) => [features, classes]);

/** Tables of different lengths in a list. */
export const tables = <O>(
  depth: number,
  lengths: (sizes: Sizes, owner: O, j: number) => readonly number[],
): Shape<readonly Float64Array[]> => ({
  schema: numbersSchema(depth + 1),
  write: (all, sizes, owner) => all.map((values, j) => nested(values, lengths(sizes, owner as O, j))),
  read: (json) => listOf(json).map((inner) => Float64Array.from(flat(inner, depth))),
});

/** A value or null. */
export const orNull = <T>(shape: Shape<T>): Shape<T | null> => ({
  schema: { anyOf: [shape.schema, { type: 'null' }] },
  write: (value, sizes, owner) => (value === null ? null : shape.write(value, sizes, owner)),
  read: (json, sizes) => (json === null ? null : shape.read(json, sizes)),
});

/** One of several shapes, the first that takes the value. */
export const either = <A, B>(
  first: Shape<A>,
  second: Shape<B>,
  isFirst: (value: unknown) => boolean,
): Shape<A | B> => ({
  schema: { anyOf: [first.schema, second.schema] },
  write: (value, sizes, owner) =>
    isFirst(value) ? first.write(value as A, sizes, owner) : second.write(value as B, sizes, owner),
  read: (json, sizes) => (isFirst(json) ? first.read(json, sizes) : second.read(json, sizes)),
});

/** The same with a description. */
export const described = <T>(shape: Shape<T>, description: string): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, description },
});

/** An entry of a record that may be absent. */
export const optional = <T>(shape: Shape<T>): Shape<T> & { readonly optional: true } => ({ ...shape, optional: true });

/** The value that a shape describes. */
export type ValueOf<S> = S extends Shape<infer T> ? T : never;

/** Shapes by the names of entries. */
export type Fields = Readonly<Record<string, Shape<unknown>>>;

type Optional = { readonly optional: true };

/** The record that has these entries. */
export type RecordOf<E extends Fields> = {
  readonly [K in keyof E as E[K] extends Optional ? never : K]: ValueOf<E[K]>;
} & { readonly [K in keyof E as E[K] extends Optional ? K : never]?: ValueOf<E[K]> };

/** An object with these entries and no others. */
export function record<E extends Fields>(entries: E, description?: string): Shape<RecordOf<E>> {
  const pairs = Object.entries(entries) as [string, Shape<unknown>][];
  const required = pairs.filter(([, shape]) => !shape.optional).map(([name]) => name);
  return {
    schema: {
      type: 'object',
      ...(description !== undefined && { description }),
      properties: Object.fromEntries(pairs.map(([name, { schema }]) => [name, schema])),
      required,
      additionalProperties: false,
    },
    write(value, sizes) {
      const own = value as Readonly<Record<string, unknown>>;
      const written = pairs.filter(([name]) => own[name] !== undefined);
      return Object.fromEntries(written.map(([name, shape]) => [name, shape.write(own[name], sizes, value)]));
    },
    read(json, sizes) {
      if (typeof json !== 'object' || json === null || Array.isArray(json)) return malformed('an object', json);
      const own = json as Readonly<Record<string, unknown>>;
      for (const name of Object.keys(own)) if (!Object.hasOwn(entries, name)) malformed('its entries', name);
      for (const name of required) if (!Object.hasOwn(own, name)) malformed(`an object with ${name}`, json);
      const present = pairs.filter(([name]) => Object.hasOwn(own, name));
      return Object.fromEntries(present.map(([name, shape]) => [name, shape.read(own[name], sizes)])) as RecordOf<E>;
    },
  };
}

/** Records that one of their entries distinguishes; `name` is that of the definition in the schema, if there is one. */
export function union<T extends object>(
  key: keyof T & string,
  variants: Readonly<Record<string, Shape<T>>>,
  name?: string,
): Shape<T> {
  const variantOf = (value: T) => {
    const kind = String(value?.[key]);
    return Object.hasOwn(variants, kind) ? variants[kind] : malformed(`a known ${key}`, kind);
  };
  return {
    schema: name ? { $ref: `#/$defs/${name}` } : { oneOf: Object.values(variants).map(({ schema }) => schema) },
    write: (value, sizes, owner) => variantOf(value).write(value, sizes, owner),
    read: (json, sizes) => variantOf(json as T).read(json, sizes),
  };
}
