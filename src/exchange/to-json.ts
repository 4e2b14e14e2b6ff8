import type { Label } from '../data/labels.ts';
import { scoreToJson } from './json/scores.ts';
import { nested, toJsonNumber } from './json/shape.ts';
import type { Fallback, Plan, PlanInput } from './plan.ts';
import { type Exportable, planOf } from './plan-of.ts';
import type { PlanVector } from './plan-vectors.ts';

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

/**
 * A fitted model as plain JSON, for people and for programs in other languages: how to read a row, how to make vectors of
 * numbers of it, and how to add up the score of each class. Numbers are exact; what is not finite is the word "Infinity",
 * "-Infinity" or "NaN".
 */
export function toJson(model: Exportable): ModelJson {
  const plan = planOf(model);
  const { classes, row, vectors } = plan;
  const widths = vectors.map(({ width }) => width);
  return {
    format: 'polya/model@1',
    model: plan.model,
    classes: [...classes],
    row,
    inputs: plan.inputs.map(inputToJson),
    vectors: vectors.map(vectorToJson),
    score: scoreToJson(plan.score, widths),
  };
}

const fallback = (rule: Fallback) => (typeof rule === 'number' ? toJsonNumber(rule) : rule);

function inputToJson(input: PlanInput): object {
  if (input.kind === 'text') return { ...input };
  if (input.kind === 'number') return { ...input, missing: fallback(input.missing) };
  const { levels, codes, missing, unknown, ...rest } = input;
  return {
    ...rest,
    levels: typeof levels === 'number' ? levels : [...levels],
    ...(codes && { codes: nested(codes, codes.length) }),
    missing: fallback(missing),
    unknown: fallback(unknown),
  };
}

/** Lists of numbers as lists; everything else of a vector is JSON already. */
function vectorToJson(vector: PlanVector): object {
  const list = (values: ArrayLike<number> | null) => values && nested(values, values.length);
  switch (vector.op) {
    case 'weigh':
      return { ...vector, idf: list(vector.idf) };
    case 'pick':
      return { ...vector, columns: list(vector.columns) };
    case 'bin':
      return { ...vector, cuts: vector.cuts.map(list) };
    case 'equal':
      return { ...vector, values: list(vector.values) };
    case 'scale':
      return { ...vector, mean: list(vector.mean), scale: list(vector.scale), fill: list(vector.fill) };
    case 'onehot':
      return { ...vector, widths: list(vector.widths) };
    case 'limit':
      return { ...vector, levels: list(vector.levels) };
    default:
      return { ...vector };
  }
}
