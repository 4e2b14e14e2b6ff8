import { wordOf } from '../../data/cells.ts';
import { refuse, show } from '../../errors.ts';
import { requireWhole } from '../../text/documents.ts';
import type { Plan } from '../plan.ts';
import { constant, flag, record, type ValueOf } from '../shape.ts';
import { cellAt, columnEntries, type InputOperation } from './cell.ts';

const shape = record(
  { kind: constant('text'), ...columnEntries, lenient: flag },
  'A text; with `lenient` a missing one is empty.',
);

/** A text. */
export type TextInput = ValueOf<typeof shape>;

const run = ({ name }: TextInput): never =>
  refuse('E_TYPE', `column ${show(name)} is a text, not a number`, { feature: name });

export const textInput: InputOperation<TextInput> = { shape, run };

/** The text of an input in a row. */
export function readText(plan: Plan, input: TextInput, row: unknown): string {
  const cell = cellAt(input, row, plan);
  if (input.lenient) return requireWhole(cell === null || cell === undefined ? '' : wordOf(cell), 0);
  if (typeof cell === 'string') return requireWhole(cell, 0);
  return refuse('E_TYPE', `${show(input.name)} is a text, got ${show(cell)}`, { feature: input.name });
}
