import { inputSchemas, vectorSchemas } from './schema-inputs.ts';
import { curveSchema, scoreSchemas } from './schema-scores.ts';
import { termSchemas } from './schema-terms.ts';
import { choices, describe, list, number, record, ref, type Schema, text, whole } from './schema-words.ts';

/** The JSON Schema (draft 2020-12) of what `toJson` gives. */
export const modelSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'polya/model@1',
  description:
    'A classifier as a scoring plan: a row is read by `inputs`, `vectors` are numbers made of inputs or of vectors before them ' +
    '(a missing number is NaN), `score` is ln p(c | x) for every class. The answer is the class of the greatest, the first of equals.',
  ...record({
    format: { const: 'polya/model@1' },
    model: describe(text, 'The public name of the class of the model.'),
    classes: describe(
      list({ anyOf: [text, whole, { type: 'boolean' }] }, 1),
      'The sorted labels: all strings, all whole numbers or all booleans.',
    ),
    row: describe(
      choices('value', 'list', 'record'),
      'A row is the text itself, a list of cells, or an object with a cell for each name.',
    ),
    inputs: list(ref('input')),
    vectors: list(ref('vector')),
    score: ref('score'),
  }),
  $defs: {
    number,
    input: { oneOf: inputSchemas },
    vector: { oneOf: vectorSchemas },
    term: { oneOf: termSchemas },
    curve: curveSchema,
    score: { oneOf: scoreSchemas },
  },
};
