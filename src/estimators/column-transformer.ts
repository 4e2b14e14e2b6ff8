import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { flag, type Option, type OptionValues, readOptions, real } from '../core/options.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireLearning } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { requireWellFormed } from '../data/order.ts';
import { SparseMatrix } from '../data/sparse.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse, show } from '../errors.ts';
import { density, type Numbers, stackColumns } from '../features/columns.ts';
import { type ColumnChoice, isColumnChoice, numbersOf, partOf } from '../features/routes.ts';
import { readTable, type Table, type TableRows } from '../features/table.ts';
import { learnedColumns, planSteps, REMAINDER, readRoutes, type StepOf } from './column-steps.ts';
import { type ColumnNames, damaged } from './learned.ts';
import { saveColumns } from './persist.ts';
import { type Params, setParamsOf } from './with-params.ts';

/** Options of the columns that no step names. */
const remainder: Option<ColumnAction> = {
  kind: 'custom',
  default: 'drop',
  expects: "'drop', 'passthrough' or a transformer",
  accept: (value) => (isAction(value) ? value : undefined),
};

const spec = {
  /** What happens to columns that no step names: 'drop', 'passthrough', or a transformer. Default: 'drop'. */
  remainder,
  /** The density of stored cells below which the result is sparse. Default: 0.3. */
  sparseThreshold: real({ default: 0.3, min: 0, max: 1 }),
  /** Put the name of the step before the name of the column. Default: true. */
  verboseFeatureNamesOut: flag({ default: true }),
} as const;

/** Parameters of `ColumnTransformer` beside its steps. */
export type ColumnTransformerOptions = Partial<OptionValues<typeof spec>>;

/** The most columns of a table, which bounds what a file can claim. */
const MOST_COLUMNS = 1_000_000;

interface Learned extends ColumnNames {
  readonly steps: readonly Step[];
  readonly sparse: boolean;
}

/**
 * Applies transformers to columns and concatenates the results: `new ColumnTransformer([['size', new KBinsDiscretizer(), ['area']],
 * ['kind', new OneHotEncoder(), ['type']]])`. Rows are arrays, or objects whose columns have names. The steps are cloned before they are
 * fitted. scikit-learn's class of this name.
 */
export class ColumnTransformer {
  readonly kind = 'ColumnTransformer';
  private readonly routes: readonly ColumnRoute[];
  private readonly params: OptionValues<typeof spec>;
  private learned: Learned | undefined;

  /** The steps and options; or one object with `transformers` among the options, as `getParams` gives it. */
  constructor(
    transformers: readonly ColumnRoute[] | ({ transformers: readonly ColumnRoute[] } & ColumnTransformerOptions) = [],
    options: ColumnTransformerOptions = {},
  ) {
    if ('transformers' in Object(transformers)) {
      const { transformers: listed, ...rest } = transformers as { transformers: readonly ColumnRoute[] };
      this.routes = checkRoutes(listed);
      this.params = readOptions(this.kind, spec, rest);
    } else {
      this.routes = checkRoutes(transformers);
      this.params = readOptions(this.kind, spec, options);
    }
  }

  /** The steps and the other parameters, as given or by default. */
  getParams(): { transformers: readonly ColumnRoute[] } & OptionValues<typeof spec> {
    return { transformers: this.routes, ...this.params };
  }

  /** Replaces some parameters; `step__name` reaches inside. What was learned is forgotten: call `fit` again. */
  setParams(params: Params): this {
    return setParamsOf(this, params);
  }

  /** An unfitted transformer with clones of the steps. */
  clone(): ColumnTransformer {
    const routes = this.routes.map(([name, action, columns]): ColumnRoute => [name, cloneAction(action), columns]);
    return new ColumnTransformer(routes, { ...this.params, remainder: cloneAction(this.params.remainder) });
  }

  /** Fits every step to its columns. */
  fit(X: TableRows, y?: ArrayLike<Label>, options?: object): this {
    this.fitTransform(X, y, options);
    return this;
  }

  /** Fits every step to its columns, and transforms them. The options, such as `sampleWeight`, go to every step. */
  fitTransform(X: TableRows, y?: ArrayLike<Label>, options: object = {}): Numbers {
    requireLearning(this.kind, options);
    const table = readTable(X);
    if (table.rows === 0) refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
    const columns = { features: table.columns.length, names: table.names };
    const steps = planSteps(this.routes, this.params.remainder, columns).map((step) => {
      const action = cloneAction(step.action);
      if (typeof action !== 'string' && !isIdle(step)) action.fit(inputOf(table, step), y, options);
      return { ...step, action };
    });
    const parts = runAll(steps, table);
    const sparse = parts.some((part) => !(part instanceof Matrix)) && density(parts) < this.params.sparseThreshold;
    const out = stackColumns(parts, table.rows, sparse);
    this.learned = { ...columns, steps, sparse };
    return out;
  }

  /** Transforms the columns of every step. Named rows may lack columns that are dropped, and have others too. */
  transform(X: TableRows): Numbers {
    const { names, features, steps, sparse } = this.fitted();
    const needed = [...new Set(steps.filter((step) => !isIdle(step)).flatMap(({ columns }) => columns))];
    const table = readTable(X, names ? { names: needed.map((j) => names[j]), extra: 'ignore' } : { features });
    if (names && !table.names && table.columns.length !== features) {
      refuse('E_FEATURE_COUNT', `rows have ${table.columns.length} features, the model has ${features}`, {
        expected: features,
        actual: table.columns.length,
      });
    }
    const place = new Map(needed.map((j, at) => [j, at]));
    const placed = (step: Step) => ({ ...step, columns: step.columns.map((j) => place.get(j) ?? j) });
    return stackColumns(runAll(names && table.names ? steps.map(placed) : steps, table), table.rows, sparse);
  }

  /** `name__column` for every column that comes out. */
  getFeatureNamesOut(inputFeatures?: readonly string[]): string[] {
    const { names, features, steps } = this.fitted();
    const given = names ?? inputFeatures ?? Array.from({ length: features }, (_, j) => `x${j}`);
    const verbose = this.params.verboseFeatureNamesOut;
    const seen = new Set<string>();
    const working = steps.filter((step) => !isIdle(step));
    return working.flatMap((step) =>
      namesOfStep(step, given, names !== undefined).map((column) => {
        if (verbose) return `${step.name}__${column}`;
        if (seen.has(column)) {
          const advice = 'set verboseFeatureNamesOut: true';
          refuse('E_FEATURE_DUPLICATE', `two columns would be called ${show(column)}; ${advice}`, { feature: column });
        }
        seen.add(column);
        return column;
      }),
    );
  }

  /** The fitted steps by name, the remainder among them. */
  get namedTransformers(): ReadonlyMap<string, ColumnAction> {
    return new Map(this.fitted().steps.map(({ name, action }) => [name, action]));
  }

  /** The number of columns that go in. */
  get nFeaturesIn(): number {
    return this.fitted().features;
  }

  /** The names of the columns that go in, where they had names. */
  get featureNamesIn(): string[] | undefined {
    const { names } = this.fitted();
    return names && [...names];
  }

  /** Throws: save a model with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The transformer as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The transformer as plain data, its steps inside. */
  toState(options?: StateOptions): State {
    const actions = new SavedActions(options);
    const fitted = this.learned?.steps.map(({ action }) => action);
    const transformers: JsonValue[] = this.routes.map(([name, action, columns], at) => [
      name,
      actions.save(name, fitted?.[at] ?? action),
      columns as JsonValue,
    ]);
    const rest = actions.save('remainder', fitted?.at(-1) ?? this.params.remainder);
    const learned = this.learned ? { ...saveColumns(this.learned), sparse: this.learned.sparse } : {};
    const params = { transformers, ...this.params, remainder: rest };
    return { kind: this.kind, params, learned, arrays: {}, steps: actions.states };
  }

  /**
   * The inverse of `toState`, with the function that makes estimators of the states inside.
   *
   * @internal
   */
  static fromState(state: State, revive: (state: State) => ColumnStep): ColumnTransformer {
    const inside = (state.steps ?? []).map(revive);
    const { transformers: _, ...options } = state.params;
    const { routes, remainder } = readRoutes(state, inside);
    const made = new ColumnTransformer(routes, { ...options, remainder });
    if (Object.keys(state.learned).length === 0) return made;
    const columns = learnedColumns(state);
    if (columns.features > MOST_COLUMNS) refuse('E_MODEL_LIMIT', 'it has too many columns', { limit: MOST_COLUMNS });
    const { sparse } = state.learned;
    if (typeof sparse !== 'boolean') return damaged('it does not say whether its answer is sparse');
    made.learned = { ...columns, steps: planSteps(made.routes, made.params.remainder, columns), sparse };
    return made;
  }

  /**
   * Takes over a state of a transformer with the same steps.
   *
   * @internal
   */
  restore(state: State): this {
    const own = [...this.routes.map(([, action]) => action), this.params.remainder].filter(
      (item) => typeof item !== 'string',
    );
    let next = 0;
    const revive = (inside: State) =>
      (own[next++]?.clone().restore?.(inside) as ColumnStep) ?? damaged('its steps differ');
    this.learned = ColumnTransformer.fromState(state, revive).learned;
    return this;
  }

  private fitted(): Learned {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }
}

function runAll(steps: readonly Step[], table: Table): Numbers[] {
  return steps.filter((step) => !isIdle(step)).map((step) => runStep(step, table));
}

/** The interface of a step: any transformer of Pólya, or your own. */
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

/** A name, an action, and the columns. */
export type ColumnRoute = readonly [name: string, transformer: ColumnAction, columns: ColumnChoice];

/** Whether a value is a column action. */
function isAction(value: unknown): value is ColumnAction {
  const methods = ['fit', 'transform', 'clone'];
  return (
    value === 'drop' || value === 'passthrough' || methods.every((name) => typeof Object(value)[name] === 'function')
  );
}

/** Checks names, actions and columns of the steps. */
function checkRoutes(routes: unknown): readonly ColumnRoute[] {
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
function cloneAction(action: ColumnAction): ColumnAction {
  return typeof action === 'string' ? action : action.clone();
}

/** A step with the numbers of its columns. */
export type Step = StepOf<ColumnAction>;

/** Whether a step produces output. */
function isIdle({ action, columns }: Step): boolean {
  return action === 'drop' || columns.length === 0;
}

/** The part of a table that a step takes. */
function inputOf(table: Table, { columns, single }: Step): unknown {
  return single ? table.columns[columns[0]] : partOf(table, columns);
}

/** The output of a step for its part of a table. */
function runStep(step: Step, table: Table): Numbers {
  const { name, action, columns } = step;
  if (typeof action === 'string') return numbersOf(table, columns);
  const out = action.transform(inputOf(table, step));
  if (out instanceof Matrix || out instanceof SparseMatrix) return out;
  if (Array.isArray(out) && out.every((row) => typeof row === 'object')) return Matrix.from(out as number[][]);
  return refuse('E_TYPE', `the step ${show(name)} returned ${show(out)} instead of a matrix`, { name });
}

/** The output column names of a step, from the names of all input columns. */
function namesOfStep({ name, action, columns }: Step, names: readonly string[], named: boolean): string[] {
  const own = columns.map((j) => names[j]);
  if (typeof action === 'string') return own;
  // named columns reach a step in the order of object keys, where names like "7" come first
  const asGiven = named ? Object.keys(Object.fromEntries(own.map((column) => [column, 0]))) : own;
  const found = action.getFeatureNamesOut?.(asGiven);
  return found ? Array.from(found) : refuse('E_PARAM', `the step ${show(name)} does not name its columns`, { name });
}

/** Actions as they are saved: words as words, steps by their number in the list of states. */
class SavedActions {
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
}
