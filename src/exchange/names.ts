import type { Plan, PlanInput } from './plan.ts';

/** Whether an input is all of a row that is a list of numbers. A column of a record may be called x as well. */
export function isWholeRow(plan: Plan, input: PlanInput): boolean {
  return plan.row === 'list' && input.kind === 'number' && input.name === 'x';
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
