import type { State } from '../../core/artifact.ts';
import type { Label } from '../../data/labels.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import type { Calibration } from '../../evaluate/calibrate.ts';
import type { Line, Normalised, PlanInput, PlanScore, Pooled } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { curveOf } from './calibrated.ts';
import { estimatorJoint } from './estimators.ts';
import { cannotCarry, revive } from './inside.ts';
import { learnerScore } from './learner.ts';
import { LEAST, textBayesScore, textPoolScore, UNMET } from './pools.ts';

/** The floor of isotonic curves in a pool of columns. */
const FLOOR = 1e-4;

interface SavedCurve {
  readonly calibration: Calibration;
  readonly classes: readonly Label[];
  readonly rows: number;
}

interface SavedReport {
  readonly schema: { readonly columns: readonly SchemaColumn[] };
  readonly classWeight?: unknown;
}

interface SchemaColumn {
  readonly name: string;
  readonly levels?: readonly string[];
}

/** How one feature of a model comes from a column of the frame. */
interface ViewFeature {
  readonly column: number;
  readonly cuts?: readonly number[];
  readonly level?: number;
  readonly mean?: number;
  readonly scale?: number;
  readonly fill?: number;
}

const doubles = (values: unknown) => Float64Array.from(values as readonly number[]);

/** A classifier of records, from the state of its file: opinions of columns and of texts, pooled, on a curve. */
export function classifierScore(
  builder: PlanBuilder,
  { learned, steps = [] }: State,
  classes: readonly Label[],
): PlanScore {
  const { schema, classWeight } = learned.report as unknown as SavedReport;
  const place = new Map(schema.columns.map((column, k) => [column.name, k]));
  const names = learned.columns as unknown as readonly (readonly string[])[];
  builder.named = true;
  const opinions = steps.map((step, k) => {
    const placeOf = (name: string) => place.get(name) ?? cannotCarry('this classifier', 'it names no such column');
    if (step.kind === 'RecordLearner') return learnerScore(builder, step, placeOf);
    return opinionScore(
      builder,
      step,
      names[k].map((name) => ({ at: placeOf(name), ...schema.columns[placeOf(name)] })),
    );
  });
  const [first] = opinions;
  const counts = steps[0]?.kind === 'RecordLearner';
  const alone = counts || (opinions.length === 1 && !classWeight);
  const of = alone ? first : pooled(opinions, doubles(learned.weights), doubles(learned.bias));
  return learned.curve === undefined ? of : curvedScore(of, learned.curve, classes);
}

/** A score on the curve that held-out rows have drawn. */
function curvedScore(of: PlanScore, saved: JsonValue, classes: readonly Label[]): PlanScore {
  const { calibration, rows, classes: known } = saved as unknown as SavedCurve;
  if (known.length !== classes.length || known.some((label, c) => label !== classes[c])) {
    cannotCarry('this classifier', 'its curve is of other classes than it has now; calibrate it again');
  }
  return { op: 'curve', of, curve: curveOf(calibration), floor: 1 / (rows + 2) };
}

/** Members of weight 0 say nothing. */
function pooled(members: readonly PlanScore[], weights: Float64Array, bias: Float64Array): Pooled {
  const heard = members.filter((_, m) => weights[m] !== 0);
  return { op: 'pool', members: heard, weights: weights.filter((weight) => weight !== 0), bias };
}

function opinionScore(
  builder: PlanBuilder,
  state: State,
  columns: readonly (SchemaColumn & { at: number })[],
): PlanScore {
  if (state.kind === 'ColumnPool') return columnPoolScore(builder, state, frameOf(builder, columns));
  const [{ name, at }] = columns;
  const input = builder.input({ kind: 'text', name, column: at, lenient: true });
  if (state.kind === 'TextPool') return textPoolScore(builder, state, input);
  if (state.kind === 'TextBayes') return textBayesScore(builder, state, input);
  return cannotCarry(`an opinion of the kind ${state.kind}`, 'no plan is known for it');
}

/** Cells as numbers: numbers as they are, words as their place among the levels of the schema. */
function frameOf(builder: PlanBuilder, columns: readonly (SchemaColumn & { at: number })[]): number {
  const inputs = columns.map(({ name, at, levels }) => {
    const column = { name, column: at };
    const input: PlanInput = levels
      ? { kind: 'level', ...column, levels, match: 'trimmed', missing: 'missing', unknown: levels.length }
      : {
          kind: 'number',
          ...column,
          width: 1,
          list: false,
          least: -Number.MAX_VALUE,
          most: Number.MAX_VALUE,
          bits: false,
          missing: 'missing',
          lenient: true,
        };
    return builder.input(input);
  });
  return builder.vector({ op: 'inputs', inputs, width: inputs.length });
}

function columnPoolScore(builder: PlanBuilder, { learned, steps = [] }: State, frame: number): PlanScore {
  const members = steps.map((step) => memberScore(builder, step, frame));
  const of = pooled(members, doubles(learned.weights), doubles(learned.bias));
  if (!learned.curves) return learned.floor ? lifted(of, learned.floor as number) : of;
  const { parts } = learned.curves as unknown as { parts: readonly { x: number[]; y: number[] }[] };
  const lines = parts.map(({ x, y }): Line => ({ x: doubles(x), y: doubles(y) }));
  return { op: 'steps', of, lines, floor: FLOOR };
}

/** Log-probabilities of which none is below the floor, normalised again. */
function lifted(pool: Pooled, floor: number): Normalised {
  const unmet = new Uint8Array(pool.bias.length);
  const of: PlanScore = { op: 'soften', of: pool, least: Math.log(floor), tail: null, unmet, unmetScore: UNMET };
  return { op: 'posterior', of, prior: null, impossible: 'prior', sum: 'apart' };
}

/** One estimator, or several over different columns whose prior counts once; then a log-posterior without extremes. */
function memberScore(builder: PlanBuilder, { params, learned, steps = [] }: State, frame: number): Normalised {
  const logPrior = Float64Array.from(learned.logPrior as readonly (number | null)[], (value) => value ?? -Infinity);
  const classes = logPrior.length;
  const views = params.views as unknown as readonly (readonly ViewFeature[])[];
  const parts = steps.map((step, k) => {
    const estimator = revive(step);
    const joint = estimatorJoint(builder, estimator, { vector: viewOf(builder, views[k], frame) });
    const places = Int32Array.from(estimator.classes as readonly number[]);
    const less = k > 0 ? logPrior.map((prior) => (prior > -Infinity ? prior : 0)) : null;
    if (places.length === classes) return { of: joint, less };
    return { of: { op: 'place', of: joint, places, classes, fill: -Infinity } as const, less };
  });
  const of: PlanScore = { op: 'add', start: new Float64Array(classes), parts };
  const posterior: PlanScore = { op: 'posterior', of, prior: logPrior, impossible: 'prior', sum: 'apart' };
  const unmet = Uint8Array.from(logPrior, (prior) => (prior > -Infinity ? 0 : 1));
  const tail = (params.tail as number | null) ?? null;
  return { op: 'soften', of: posterior, least: LEAST, tail, unmet, unmetScore: UNMET };
}

/** The features of a model: columns of the frame, put into bins, compared with a level, and scaled. */
function viewOf(builder: PlanBuilder, view: readonly ViewFeature[], frame: number): number {
  const width = view.length;
  let from = builder.vector({
    op: 'pick',
    from: frame,
    columns: Uint32Array.from(view, ({ column }) => column),
    width,
  });
  if (view.some(({ cuts }) => cuts)) {
    const cuts = view.map((feature) => (feature.cuts ? doubles(feature.cuts) : null));
    from = builder.vector({ op: 'bin', from, cuts, missing: 'missing', width });
  }
  if (view.some(({ level }) => level !== undefined)) {
    const values = Float64Array.from(view, ({ level }) => level ?? Number.NaN);
    from = builder.vector({ op: 'equal', from, values, width });
  }
  if (view.every(({ mean, scale, fill }) => mean === undefined && scale === undefined && fill === undefined))
    return from;
  return builder.vector({
    op: 'scale',
    from,
    mean: Float64Array.from(view, ({ mean }) => mean ?? 0),
    scale: Float64Array.from(view, ({ scale }) => scale ?? 1),
    fill: Float64Array.from(view, ({ fill }) => fill ?? Number.NaN),
    width,
  });
}
