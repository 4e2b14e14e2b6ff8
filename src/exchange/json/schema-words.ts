/** A JSON Schema, as plain data. */
export type Schema = { readonly [key: string]: unknown };

/** A finite number, or the word for one that is not. */
export const number: Schema = {
  description: 'A number; what is not finite is a word.',
  anyOf: [{ type: 'number' }, { enum: ['Infinity', '-Infinity', 'NaN'] }],
};

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const whole: Schema = { type: 'integer' };
/** The place of an input or a vector. */
export const place: Schema = { type: 'integer', minimum: 0 };

/** A part of the schema by its name. */
export const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });

/** One of several words. */
export const choices = (...words: readonly (string | null)[]): Schema => ({ enum: words });

/** A list. */
export const list = (items: Schema, minItems = 0): Schema => ({ type: 'array', items, minItems });

/** A list of numbers, or lists in lists of them. */
export function numbers(depth = 1): Schema {
  return depth === 0 ? ref('number') : list(numbers(depth - 1));
}

/** Something, or nothing. */
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** The same with words about it. */
export const describe = (schema: Schema, description: string): Schema => ({ ...schema, description });

/** An object with these entries and no others; names that end in ? may be absent. */
export function record(entries: Readonly<Record<string, Schema>>, description?: string): Schema {
  const pairs = Object.entries(entries);
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(pairs.map(([name, schema]) => [name.replace('?', ''), schema])),
    required: pairs.map(([name]) => name).filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}
