import { columnsOf } from '../../src/exchange/names.ts';
import type { PlanInput } from '../../src/exchange/plan.ts';
import { type Exportable, planOf } from '../../src/exchange/plan-of.ts';

/** A cell as a program gives it to a field: null where it is missing, numbers that are written as text as numbers. */
function fieldValue(cell: unknown, { kind }: PlanInput): unknown {
  if (cell === undefined || cell === null || Number.isNaN(cell)) return null;
  if (kind !== 'number') return cell; // an empty word may be a level
  if (cell === '') return null;
  const word = String(cell).toLowerCase();
  const value = word === 'true' ? 1 : word === 'false' ? 0 : Number(cell);
  return Number.isNaN(value) ? null : value;
}

/** The values of the fields of a document for a row of its model. */
export function fieldsOf(model: Exportable, row: unknown): Record<string, unknown> {
  const plan = planOf(model);
  const cells = row as Readonly<Record<string | number, unknown>>;
  const fields = plan.inputs.flatMap((input) =>
    columnsOf(plan, input).map(({ name, column }) => {
      return [name, fieldValue(cells[plan.row === 'list' ? column : name], input)] as const;
    }),
  );
  return Object.fromEntries(fields);
}
