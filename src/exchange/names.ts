import { refuse } from '../errors.ts';
import type { Plan, PlanInput } from './plan.ts';

/** Whether an input is all of a row that is a list of numbers. A column of a record may be called x as well. */
export function isWholeRow(plan: Plan, input: PlanInput): boolean {
  return plan.row === 'list' && input.kind === 'number' && input.name === 'x';
}

/** The columns that an input reads, in order. */
export function columnsOf(plan: Plan, input: PlanInput): { readonly name: string; readonly column: number }[] {
  const { name, column } = input;
  if (input.kind !== 'number' || !isWholeRow(plan, input)) return [{ name, column }];
  return Array.from({ length: input.width }, (_, j) => ({ name: `${name}${column + j}`, column: column + j }));
}

/** The names of all columns of a model, in its order, and those that are given for them. */
export function columnNames(plan: Plan, given: readonly string[] | undefined): ReadonlyMap<string, string> {
  const read = plan.inputs.flatMap((input) => columnsOf(plan, input));
  const places = new Map(read.map(({ name, column }) => [name, column]));
  if (given && given.length !== places.size) {
    refuse('E_PARAM', `there are ${given.length} names for ${places.size} columns`, {
      name: 'columns',
      expected: places.size,
      actual: given.length,
    });
  }
  const order = [...places].sort(([, a], [, b]) => a - b);
  return new Map(order.map(([name], k) => [name, given?.[k] ?? name]));
}

/** Names for the numbers of a vector: terms and columns by their names, others by their places. */
export function vectorNames(plan: Plan, k: number): (string | number)[] {
  const vector = plan.vectors[k];
  switch (vector.op) {
    case 'inputs':
      return vector.inputs.flatMap((at) => {
        const input = plan.inputs[at];
        const name = plan.row === 'list' ? input.column : input.name;
        if (isWholeRow(plan, input)) return Array.from({ length: vector.width }, (_, j) => j);
        if (input.kind !== 'number' || !input.list) return [name];
        return Array.from({ length: input.width }, (_, j) => `${name}[${j}]`);
      });
    case 'terms':
      return vector.terms ? [...vector.terms] : Array.from({ length: vector.width }, (_, j) => j);
    case 'join':
      return vector.from.flatMap((part) => vectorNames(plan, part));
    case 'pick': {
      const names = vectorNames(plan, vector.from);
      return Array.from(vector.columns, (j) => names[j]);
    }
    case 'onehot': {
      const names = vectorNames(plan, vector.from);
      return names.flatMap((name, j) => Array.from({ length: vector.widths[j] }, (_, v) => `${name}=${v}`));
    }
    default:
      return vectorNames(plan, vector.from);
  }
}
