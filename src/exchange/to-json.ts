import { type ModelJson, NOTHING, planShape } from './plan-json.ts';
import { type Exportable, planOf } from './plan-of.ts';

/**
 * A fitted model as plain JSON for programs in other languages: how to read a row, how to compute vectors of numbers from it, and how to
 * add up the score of each class. Numbers are exact; a number that is not finite is the string "Infinity", "-Infinity" or "NaN".
 */
export function toJson(model: Exportable): ModelJson {
  const plan = planOf(model);
  const sizes = { ...NOTHING, classes: plan.classes.length, vectors: plan.vectors.map(({ width }) => width) };
  return planShape.write({ ...plan, format: 'polya/model@1' }, sizes, undefined) as ModelJson;
}
