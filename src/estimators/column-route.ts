import type { State, StateOptions } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { requireWellFormed } from '../data/order.ts';
import { SparseMatrix } from '../data/sparse.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse, show } from '../errors.ts';
import type { Numbers } from '../features/columns.ts';
import { type ColumnChoice, chooseColumns, isColumnChoice, numbersOf, partOf } from '../features/routes.ts';
import type { Table } from '../features/table.ts';
import { type ColumnNames, damaged } from './persist.ts';

/** What a step must be able to do: every transformer of Pólya can, and so can one of your own. */
export interface ColumnStep {
  fit(X: unknown, y?: unknown, options?: object): unknown;
  transform(X: unknown): unknown;
  clone(): ColumnStep;
  getFeatureNamesOut?(inputFeatures?: readonly string[]): ArrayLike<string>;
  toState?(options?: StateOptions): State;
  restore?(state: State): unknown;
}

/** What happens to some columns. */
export type ColumnAction = ColumnStep | 'drop' | 'passthrough';

/** A name, what happens, and to which columns. */
export type ColumnRoute = readonly [name: string, transformer: ColumnAction, columns: ColumnChoice];

/** A step with the numbers of its columns; a `single` one, not given as a list, is passed on as a plain list of cells. */
export interface Step {
  readonly name: string;
  readonly action: ColumnAction;
  readonly columns: readonly number[];
  readonly single: boolean;
}

const REMAINDER = 'remainder';

/** Whether a value is something that can happen to columns. */
export function isAction(value: unknown): value is ColumnAction {
  const methods = ['fit', 'transform', 'clone'];
  return (
    value === 'drop' || value === 'passthrough' || methods.every((name) => typeof Object(value)[name] === 'function')
  );
}

/** Checks names, actions and columns of the steps. */
export function checkRoutes(routes: unknown): readonly ColumnRoute[] {
  const refuseRoute = (what: string): never =>
    refuse('E_PARAM', `parameter transformers of ColumnTransformer ${what}`, { name: 'transformers' });
  if (!Array.isArray(routes)) return refuseRoute('must be a list of [name, transformer, columns]');
  const seen = new Set([REMAINDER]);
  return Object.freeze(
    routes.map((route: unknown): ColumnRoute => {
      const [name, action, columns] = Array.isArray(route) ? route : [];
      if (typeof name !== 'string') return refuseRoute('must be a list of [name, transformer, columns]');
      requireWellFormed(name, 'the name of a step:');
      if (seen.has(name) || name.includes('__')) return refuseRoute(`cannot have the name ${show(name)}, or not again`);
      if (!isAction(action)) return refuseRoute(`has no transformer in ${show(name)}`);
      if (!isColumnChoice(columns)) return refuseRoute(`has no columns in ${show(name)}`);
      seen.add(name);
      return Object.freeze([name, action, columns] as const);
    }),
  );
}

/** A clone of a step; words stay as they are. */
export function cloneAction(action: ColumnAction): ColumnAction {
  return typeof action === 'string' ? action : action.clone();
}

/** The steps with the numbers of their columns, and the remainder last. */
export function plan(
  routes: readonly ColumnRoute[],
  remainder: ColumnAction,
  { features, names }: ColumnNames,
): Step[] {
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

/** Whether a step answers anything. */
export function isIdle({ action, columns }: Step): boolean {
  return action === 'drop' || columns.length === 0;
}

/** The part of a table that a step takes. */
export function inputOf(table: Table, { columns, single }: Step): unknown {
  return single ? table.columns[columns[0]] : partOf(table, columns);
}

/** What a step answers for its part of a table. */
export function runStep(step: Step, table: Table): Numbers {
  const { name, action, columns } = step;
  if (typeof action === 'string') return numbersOf(table, columns);
  const out = action.transform(inputOf(table, step));
  if (out instanceof Matrix || out instanceof SparseMatrix) return out;
  if (Array.isArray(out) && out.every((row) => typeof row === 'object')) return Matrix.from(out as number[][]);
  return refuse('E_TYPE', `the step ${show(name)} answers ${show(out)} instead of a matrix`, { name });
}

/** The names of the columns that a step answers, from the names of all columns that go in. */
export function namesOfStep({ name, action, columns }: Step, names: readonly string[], named: boolean): string[] {
  const own = columns.map((j) => names[j]);
  if (typeof action === 'string') return own;
  // Columns by name reach a step in the order of object keys, in which names like "7" come first.
  const asGiven = named ? Object.keys(Object.fromEntries(own.map((column) => [column, 0]))) : own;
  const found = action.getFeatureNamesOut?.(asGiven);
  return found ? Array.from(found) : refuse('E_PARAM', `the step ${show(name)} does not tell its columns`, { name });
}

/** Actions as they are saved: words as words, steps by their number in the list of states. */
export class SavedActions {
  readonly states: State[] = [];
  private readonly options: StateOptions | undefined;

  constructor(options?: StateOptions) {
    this.options = options;
  }

  save(name: string, action: ColumnAction): JsonValue {
    if (typeof action === 'string') return action;
    const state = action.toState?.(this.options);
    if (!state) return refuse('E_PARAM', `the step ${show(name)} cannot be saved: it has no toState`, { name });
    return this.states.push(state) - 1;
  }

  /** The inverse of `save` for a list of routes, with the steps of the states. */
  static readRoutes(value: JsonValue | undefined, steps: readonly ColumnStep[]): readonly ColumnRoute[] {
    if (!Array.isArray(value)) return damaged('its steps are wrong');
    return value.map((route) => {
      const [name, action, columns] = Array.isArray(route) ? route : [];
      return [name, SavedActions.read(action, steps), columns] as unknown as ColumnRoute; // to be checked as a parameter
    });
  }

  /** The inverse of `save`, with the steps of the states. */
  static read(value: JsonValue | undefined, steps: readonly ColumnStep[]): ColumnAction {
    if (value === 'drop' || value === 'passthrough') return value;
    return steps[Number.isSafeInteger(value) ? (value as number) : -1] ?? damaged('it names a step that is not there');
  }
}
