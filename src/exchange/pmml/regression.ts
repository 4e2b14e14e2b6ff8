import type { Plan } from '../plan.ts';
import type { Fields } from './fields.ts';
import type { FlatScore } from './flatten.ts';
import { element } from './xml.ts';

/** A score that is linear in the columns as one table for each class; undefined where it is not, or a weight is not finite. */
export function linearTables(plan: Plan, { start, terms }: FlatScore, fields: Fields): string[] | undefined {
  const [term, ...others] = terms;
  const vector = term && plan.vectors[term.vector];
  if (others.length > 0 || term?.op !== 'linear' || vector?.op !== 'inputs') return undefined;
  if (![...start, ...term.weights].every(Number.isFinite)) return undefined;
  const own = fields.of(vector.inputs);
  return plan.classes.map((label, c) => {
    const predictors = own.map(({ name }, j) =>
      element('NumericPredictor', { name, coefficient: term.weights[j * start.length + c] }),
    );
    return element('RegressionTable', { intercept: start[c], targetCategory: String(label) }, predictors);
  });
}
