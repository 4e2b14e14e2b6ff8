import type { Plan } from '../plan.ts';
import type { InputOperation } from './cell.ts';
import { type LevelInput, levelInput } from './level.ts';
import { type NumberInput, numberInput } from './number.ts';
import { type TextInput, textInput } from './text.ts';

export type { Fallback, PlanDate } from './cell.ts';
export type { LevelInput } from './level.ts';
export type { NumberInput } from './number.ts';
export type { TextInput } from './text.ts';

/** How a column is read. */
export type PlanInput = NumberInput | LevelInput | TextInput;

/** All kinds of inputs, in the order of the schema. */
export const inputs: { readonly [K in PlanInput['kind']]: InputOperation<Extract<PlanInput, { readonly kind: K }>> } = {
  number: numberInput,
  level: levelInput,
  text: textInput,
};

/** The numbers of an input in a row. */
export function readNumbers(plan: Plan, input: PlanInput, row: unknown): number[] {
  return inputs[input.kind].run(input as never, row, plan);
}
