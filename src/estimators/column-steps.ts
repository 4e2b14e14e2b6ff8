import type { State } from '../core/artifact.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { type ColumnChoice, chooseColumns } from '../features/routes.ts';
import { type ColumnNames, damaged, readColumns } from './learned.ts';

/** A named action on chosen columns. */
type Route<Action> = readonly [name: string, action: Action, columns: ColumnChoice];

/** A step with the numbers of its columns; a `single` one, given without a list, is passed as a plain list of cells. */
export interface StepOf<Action> {
  readonly name: string;
  readonly action: Action;
  readonly columns: readonly number[];
  readonly single: boolean;
}

/** The name of the step for all columns that no other step takes. */
export const REMAINDER = 'remainder';

/** The steps with the numbers of their columns, and the remainder last. */
export function planSteps<Action>(
  routes: readonly Route<Action>[],
  remainder: Action,
  { features, names }: ColumnNames,
): StepOf<Action>[] {
  const steps = routes.map(([name, action, choice]) => ({
    name,
    action,
    columns: chooseColumns(choice, features, names),
    single: !Array.isArray(choice),
  }));
  const taken = new Set(steps.flatMap(({ columns }) => columns));
  const rest = Array.from({ length: features }, (_, j) => j).filter((j) => !taken.has(j));
  return [...steps, { name: REMAINDER, action: remainder, columns: rest, single: false }];
}

/** The saved actions of a ColumnTransformer, with the steps of the states inside. */
export function readRoutes<Step>(
  { params: { transformers, remainder } }: Pick<State, 'params'>,
  steps: readonly Step[],
): { routes: readonly Route<Step | 'drop' | 'passthrough'>[]; remainder: Step | 'drop' | 'passthrough' } {
  if (!Array.isArray(transformers)) return damaged('its steps are wrong');
  const routes = transformers.map((route) => {
    const [name, action, columns] = Array.isArray(route) ? route : [];
    return [name, readAction(action, steps), columns] as unknown as Route<Step>; // to be checked as a parameter
  });
  return { routes, remainder: readAction(remainder, steps) };
}

/** An action: a word, or a step by its number in the list of states. */
function readAction<Step>(value: JsonValue | undefined, steps: readonly Step[]): Step | 'drop' | 'passthrough' {
  if (value === 'drop' || value === 'passthrough') return value;
  return steps[Number.isSafeInteger(value) ? (value as number) : -1] ?? damaged('it names a step that does not exist');
}

/** The columns that a saved ColumnTransformer has learned. */
export const learnedColumns = (state: State): ColumnNames => readColumns(state, 'sparse');
