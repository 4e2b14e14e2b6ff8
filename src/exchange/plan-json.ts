import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { curveDefinition } from './curves.ts';
import { inputs } from './inputs.ts';
import type { Plan, PlanInput, PlanVector } from './plan.ts';
import { scoreShapes, termDefinition } from './scores.ts';
import {
  choices,
  constant,
  described,
  either,
  flag,
  list,
  numberSchema,
  record,
  type Schema,
  type Shape,
  sized,
  text,
  union,
  whole,
} from './shape.ts';
import { vectors } from './vectors.ts';

/** A model as plain JSON: its scoring plan with every number, by the schema `modelSchema`. */
export interface ModelJson {
  readonly format: 'polya/model@1';
  readonly model: string;
  readonly classes: readonly Label[];
  readonly row: Plan['row'];
  readonly inputs: readonly object[];
  readonly vectors: readonly object[];
  readonly score: object;
}

const shapesOf = <T>(operations: Readonly<Record<string, { readonly shape: Shape<T> }>>) =>
  Object.fromEntries(Object.entries(operations).map(([op, { shape }]) => [op, shape]));

const score = scoreShapes();
const inputOps = shapesOf<PlanInput>(inputs);
const vectorOps = shapesOf<PlanVector>(vectors);
const label = either(text, either(whole, flag, Number.isInteger), (value) => typeof value === 'string');

/** The sizes before anything is read or written. */
export const NOTHING = { classes: 0, features: 0, inputs: [], vectors: [] };

/** How a plan is written as JSON. */
export const planShape = record({
  format: constant('polya/model@1'),
  model: described(text, 'The public name of the class of the model.'),
  classes: described(
    list({ ...label, schema: { anyOf: [text.schema, whole.schema, flag.schema] } }, 1),
    'The sorted labels: all strings, all whole numbers or all booleans.',
  ),
  row: described(
    choices('value', 'list', 'record'),
    'A row is the text itself, a list of cells, or an object with a cell for each name.',
  ),
  inputs: sized(union<PlanInput>('kind', inputOps, 'input'), 'inputs'),
  vectors: sized(union<PlanVector>('op', vectorOps, 'vector'), 'vectors'),
  score: score.shape,
});

/** The JSON Schema (draft 2020-12) of what `toJson` gives. */
export const modelSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'polya/model@1',
  ...planShape.schema,
  description:
    'A classifier as a scoring plan: a row is read by `inputs`, `vectors` are numbers made of inputs or of vectors before them ' +
    '(a missing number is NaN), `score` is ln p(c | x) for every class. The answer is the class of the greatest, the first of equals.',
  $defs: {
    number: numberSchema,
    input: union<PlanInput>('kind', inputOps).schema,
    vector: union<PlanVector>('op', vectorOps).schema,
    term: termDefinition.schema,
    curve: curveDefinition.schema,
    score: score.definition.schema,
  },
};

/**
 * Reads what `toJson` wrote, as a value or as text: a plan for `runPlan`, which every other export takes as well. JSON that does not follow
 * `modelSchema`, or whose parts do not fit together, is refused with E_FORMAT.
 */
export function fromJson(json: ModelJson | string): Plan {
  const value: unknown = typeof json === 'string' ? parse(json) : json;
  return { ...planShape.read(value, { ...NOTHING, inputs: [], vectors: [] }), format: 'polya/plan@1' };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    return refuse('E_FORMAT', `the text is not JSON: ${(cause as Error).message}`, {}, cause);
  }
}
