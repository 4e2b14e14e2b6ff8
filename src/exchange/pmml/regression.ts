import type { Plan, PlanTerm } from '../plan.ts';
import type { Field, Fields } from './fields.ts';
import type { FlatScore } from './flatten.ts';
import { element } from './xml.ts';

/** A polynomial of the columns: constant + Σ linear[j] (xⱼ − origin[j]) + Σ squares[j,k] (xⱼ − origin[j])(xₖ − origin[k]), j ≤ k. */
interface Polynomial {
  constant: number;
  readonly linear: Float64Array;
  readonly squares: Float64Array | undefined; // p × p, the lower half is empty
}

/** Scores that are polynomials of the columns about a point. */
export interface Polynomials {
  readonly own: readonly Field[];
  readonly origin: Float64Array;
  readonly byClass: readonly Polynomial[];
}

/**
 * A score as one polynomial for each class; undefined where its terms are others, or their numbers are not finite. Columns are
 * taken from the point about which the discriminants were written, so that squares of large numbers do not cancel.
 */
export function polynomialsOf(plan: Plan, { start, terms }: FlatScore, fields: Fields): Polynomials | undefined {
  const [term, ...others] = terms;
  const vector = term && plan.vectors[term.vector];
  if (others.length > 0 || vector?.op !== 'inputs') return undefined;
  if ('marginals' in term && term.marginals) return undefined; // rows with missing cells have other scores
  const own = fields.of(vector.inputs);
  const origin = originOf(term, own.length);
  const byClass = origin && Array.from(start, (first, c) => polynomial(term, first, c, start.length, origin));
  if (!byClass?.every((one) => one && [one.constant, ...one.linear].every(Number.isFinite))) return undefined;
  return { own, origin: origin as Float64Array, byClass: byClass as Polynomial[] };
}

function originOf(term: PlanTerm, features: number): Float64Array | undefined {
  if (term.op === 'linear') return new Float64Array(features);
  if (term.op === 'planes') return term.origin;
  return term.op === 'quadrics' ? term.forms.find((form) => form !== null)?.mean : undefined;
}

function polynomial(
  term: PlanTerm,
  start: number,
  c: number,
  classes: number,
  origin: Float64Array,
): Polynomial | undefined {
  const features = origin.length;
  const linear = new Float64Array(features);
  if (term.op === 'linear') {
    return { constant: start, linear: linear.map((_, j) => term.weights[j * classes + c]), squares: undefined };
  }
  if (term.op === 'planes') {
    const { rank, rows, centres } = term;
    let constant = start;
    for (let k = 0; k < rank; k++) {
      const centre = centres[c * rank + k];
      constant -= 0.5 * centre * centre;
      for (let j = 0; j < features; j++) linear[j] += centre * rows[k * features + j];
    }
    return { constant, linear, squares: undefined };
  }
  return term.op === 'quadrics' ? quadratic(term.forms[c], start, origin) : undefined;
}

type Form = Extract<PlanTerm, { op: 'quadrics' }>['forms'][number];

/** −½ ‖A(x − mean) − centre‖² about the origin: with d = x − origin and b = A(origin − mean) − centre it is −½ ‖Ad + b‖². */
function quadratic(form: Form, start: number, origin: Float64Array): Polynomial | undefined {
  if (!form) return undefined;
  const features = origin.length;
  const { rank, rows, mean, centre } = form;
  const linear = new Float64Array(features);
  const squares = new Float64Array(features * features);
  let constant = start;
  for (let k = 0; k < rank; k++) {
    const row = rows.subarray(k * features, (k + 1) * features);
    const b = row.reduce((sum, value, j) => sum + value * (origin[j] - mean[j]), -(centre?.[k] ?? 0));
    constant -= 0.5 * b * b;
    for (let j = 0; j < features; j++) {
      linear[j] -= b * row[j];
      squares[j * features + j] -= 0.5 * row[j] * row[j];
      for (let other = j + 1; other < features; other++) squares[j * features + other] -= row[j] * row[other];
    }
  }
  return { constant, linear, squares };
}

/** The columns about the origin, as derived fields. */
export function centredFields({ own, origin }: Polynomials): string[] {
  return own.flatMap(({ name }, j) => {
    if (origin[j] === 0) return [];
    const apart = element('Apply', { function: '-' }, [
      element('FieldRef', { field: name }),
      `<Constant dataType="double">${origin[j]}</Constant>`,
    ]);
    return [element('DerivedField', { name: centred(name), optype: 'continuous', dataType: 'double' }, [apart])];
  });
}

const centred = (name: string) => `${name} about its centre`;

/** The table of one class. */
export function regressionTable({ own, origin, byClass }: Polynomials, c: number, targetCategory: string): string {
  const { constant, linear, squares } = byClass[c];
  const names = own.map(({ name }, j) => (origin[j] === 0 ? name : centred(name)));
  const first = names.map((name, j) => element('NumericPredictor', { name, coefficient: linear[j] }));
  if (!squares) return element('RegressionTable', { intercept: constant, targetCategory }, first);
  const second = names.map((name, j) =>
    element('NumericPredictor', { name, exponent: 2, coefficient: squares[j * names.length + j] }),
  );
  const mixed = names.flatMap((name, j) =>
    names.slice(j + 1).map((other, k) => {
      const coefficient = squares[j * names.length + j + 1 + k];
      return element('PredictorTerm', { coefficient }, [
        element('FieldRef', { field: name }),
        element('FieldRef', { field: other }),
      ]);
    }),
  );
  return element('RegressionTable', { intercept: constant, targetCategory }, [...first, ...second, ...mixed]);
}
