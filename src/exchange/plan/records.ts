import type { State } from '../../core/artifact.ts';
import { partLevels } from '../../data/cell-date.ts';
import type { CellFormat } from '../../data/cell-format.ts';
import { type Label, placesShown } from '../../data/labels.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import type { Calibration } from '../../evaluate/calibrate.ts';
import { normaliseLogs } from '../../math/logs.ts';
import type { CellGroup, LevelInput, Line, Plan, PlanInput, PlanScore, Pooled, Share } from '../plan.ts';
import { bounded, LEAST, type PlanBuilder, planFrom } from './builder.ts';
import { curveOf } from './calibrated.ts';
import { estimatorJoint } from './estimators.ts';
import { cannotCarry } from './inside.ts';
import { learnerScore } from './learner.ts';
import { type PartScore, textPoolScore } from './pools.ts';
import { levelWords, numberInput } from './sources.ts';

/** The floor of isotonic curves in a pool of columns. */
const FLOOR = 1e-4;

interface SavedCurve {
  readonly calibration: Calibration;
  readonly classes: readonly Label[];
  readonly rows: number;
  readonly ordinary?: number;
}

interface SchemaColumn {
  readonly name: string;
  readonly levels?: readonly string[];
  readonly format?: CellFormat;
}

interface BinnedColumn {
  readonly column: number;
  readonly cuts?: readonly number[];
}

/** How one feature of a model comes from a column of the frame. */
interface ViewFeature extends BinnedColumn {
  readonly level?: number;
  readonly mean?: number;
  readonly scale?: number;
  readonly fill?: number;
  readonly least?: number;
  readonly most?: number;
  readonly with?: BinnedColumn & { readonly size: number };
}

const doubles = (values: unknown) => Float64Array.from(values as readonly number[]);

/** The plan of a classifier of records, or of an ensemble of texts, from its state. */
export function planOfRecords(builder: PlanBuilder, state: State): Plan {
  const own = state.kind === 'TextPool' ? oneText(state) : state;
  const classes = classesOf(own);
  return planFrom(builder, own.kind, [...classes], classifierScore(builder, own, classes));
}

/** An ensemble of text alone, as version 0.1 saved it, as a classifier of records with one column. */
function oneText(state: State): State {
  const classes = state.learned.classes as Label[];
  const report = { classes, schema: { columns: [{ name: 'text' }] } };
  const learned = { report, weights: [1], bias: classes.map(() => 0), columns: [['text']] };
  return { kind: 'Classifier', params: {}, learned, arrays: {}, steps: [state] };
}

/** The classes of the rows that a classifier was fitted to. */
const fittedIn = ({ learned }: State) => (learned.report as unknown as { classes: readonly Label[] }).classes;

/** The classes that a classifier of records has now. */
function classesOf(state: State): readonly Label[] {
  const { kind, params = {}, learned = {}, arrays = {}, steps = [] }: Partial<State> = state.steps?.[0] ?? {};
  if (kind === 'TextBayes') cannotCarry('a text model of file format 1', 'load it and save it again');
  if (kind === 'RecordLearner') return steps.at(-1)?.learned.classes as Label[];
  const ofColumns = kind === 'ColumnPool';
  const labels = ((ofColumns ? params.labels : learned.classes) as readonly Label[] | undefined) ?? fittedIn(state);
  const logs = steps[0]?.learned.logPrior as readonly (number | null)[];
  const weights = ofColumns ? logs.map((log) => (log === null ? 0 : 1)) : arrays.n?.data;
  return placesShown(labels, weights && Float64Array.from(weights as ArrayLike<number>)).map((c) => labels[c]);
}

/** A classifier of records, from the state of its file: scores of columns and of texts, pooled, on a curve. */
function classifierScore(builder: PlanBuilder, state: State, classes: readonly Label[]): PlanScore {
  const { learned, steps = [] } = state;
  const { schema } = learned.report as unknown as { schema: { columns: readonly SchemaColumn[] } };
  const place = new Map(schema.columns.map((column, k) => [column.name, k]));
  const names = learned.columns as unknown as readonly (readonly string[])[];
  builder.named = true;
  const cells: CellGroup[] = [];
  const parts = steps.map((step, k) => {
    const placeOf = (name: string) =>
      place.get(name) ?? cannotCarry('this classifier', 'it has a column that its schema lacks');
    const own =
      step.kind === 'RecordLearner'
        ? learnerScore(builder, step, placeOf)
        : partScore(
            builder,
            step,
            names[k].map((name) => ({ at: placeOf(name), ...schema.columns[placeOf(name)] })),
            classes,
          );
    cells.push(...own.cells);
    return own;
  });
  const fitted = fittedIn(state);
  const byClass = (values: JsonValue) => {
    const own = doubles(values);
    return own.length === 0 ? own : Float64Array.from(classes, (label) => own[fitted.indexOf(label)] ?? 0);
  };
  const classBias = learned.classBias === undefined ? undefined : byClass(learned.classBias);
  const logPrior = parts.find((part) => part.prior)?.prior;
  const prior = logPrior && classBias ? normaliseLogs(logPrior.map((log, c) => log + classBias[c])) : logPrior;
  const known = { cells, prior };
  const pool = { weights: doubles(learned.weights), bias: byClass(learned.bias), classBias };
  const of = pooledParts(parts, pool, learned.ordinary as number | undefined, known);
  return learned.curve === undefined ? of : curvedScore(of, learned.curve, classes, known);
}

/** The cells of a row, and the score of rows without cells. */
interface Known {
  readonly cells: readonly CellGroup[];
  readonly prior: Float64Array | undefined;
}

/** A score for rows with some cells, and the class prior for those without any, where it is known. */
const unlessBlank = (of: PlanScore, { cells, prior }: Known): PlanScore =>
  prior ? { op: 'blank', of, cells, prior } : of;

/** Scores of different columns, pooled; the fewer cells a row has, the closer to independent scores. */
function pooledParts(
  parts: readonly PartScore[],
  {
    weights,
    bias,
    classBias,
  }: Record<'weights' | 'bias', Float64Array> & { readonly classBias: Float64Array | undefined },
  ordinary: number | undefined,
  known: Known,
): PlanScore {
  if (parts.length === 1 && !classBias) return parts[0].of;
  const of: Pooled = { op: 'pool', members: parts.map((part) => part.of), weights, bias, share: null };
  if (ordinary === undefined) return of;
  const logPrior = parts.find((part) => part.prior)?.prior ?? new Float64Array(bias.length);
  const share = {
    cells: known.cells,
    ordinary,
    weights: weights.map(() => 1),
    bias: logPrior.map((log, c) => (1 - parts.length) * log + (classBias?.[c] ?? 0)),
  };
  return unlessBlank({ ...of, share }, known);
}

/** A score on the curve that was fitted on held-out rows. */
function curvedScore(of: PlanScore, saved: JsonValue, classes: readonly Label[], about: Known): PlanScore {
  const { calibration, rows, classes: known, ordinary } = saved as unknown as SavedCurve;
  if (known.length !== classes.length || known.some((label, c) => label !== classes[c])) {
    cannotCarry('this classifier', 'its curve is of other classes than it has now; calibrate it again');
  }
  const share = ordinary === undefined ? null : { cells: about.cells, ordinary };
  const curved: PlanScore = { op: 'curve', of, curve: curveOf(calibration), floor: 1 / (rows + 2), share };
  return share ? unlessBlank(curved, about) : curved;
}

function partScore(
  builder: PlanBuilder,
  state: State,
  columns: readonly (SchemaColumn & { at: number })[],
  classes: readonly Label[],
): PartScore {
  if (state.kind === 'ColumnPool') {
    return inOrder(columnPoolScore(builder, state, frameOf(builder, columns)), state, classes);
  }
  const [{ name, at }] = columns;
  const input = builder.input({ kind: 'text', name, column: at, lenient: true });
  if (state.kind === 'TextPool') return textPoolScore(builder, state, input);
  return cannotCarry(`a part of the kind ${state.kind}`, 'no export supports it');
}

/** Scores by class code as scores by class, if classes were not learned in order. */
function inOrder({ of, cells, prior }: PartScore, { params }: State, classes: readonly Label[]): PartScore {
  const labels = params.labels as readonly Label[] | undefined;
  const size = prior?.length ?? classes.length;
  if (size !== classes.length) cannotCarry('this classifier', 'all rows of a class were unlearned; fit it again');
  if (!labels) return { of, cells, prior };
  const places = Int32Array.from(labels, (label) => classes.indexOf(label));
  const sorted = prior && Float64Array.from(classes, (label) => prior[labels.indexOf(label)]);
  return { of: { op: 'place', of, places, classes: classes.length, fill: -Infinity }, cells, prior: sorted };
}

/**
 * Cells as numbers: numbers as they are, words as their place among the levels of the schema, dates as their parts. Columns that are
 * `typed` hold numbers and nothing that spells one.
 */
export function frameOf(
  builder: PlanBuilder,
  columns: readonly (SchemaColumn & { readonly at: number; readonly typed?: boolean })[],
): number {
  const inputs = columns.flatMap(({ name, at, levels, format = {}, typed = false }): PlanInput[] => {
    const column = { name, column: at };
    const level = (own: readonly string[], more: Partial<LevelInput>): LevelInput => {
      const reading = { match: 'trimmed', missing: 'missing', unknown: own.length } as const;
      return { kind: 'level', ...column, levels: own, ...reading, ...more };
    };
    const { dates: order, parts = [], numbers } = format;
    if (order) {
      return parts.map((part) =>
        part === 'days'
          ? numberInput({ ...column, date: { order, part } }, { lenient: !typed })
          : level(partLevels[part], { date: { order, part } }),
      );
    }
    if (levels) return [level(levels, levelWords(format, levels))];
    return [numberInput(column, { lenient: !typed, ...(numbers && { spelling: numbers }) })];
  });
  return builder.read(inputs);
}

/** Members of weight 0 are left out. */
function columnPoolScore(builder: PlanBuilder, { learned, steps = [] }: State, frame: number): PartScore {
  const all = doubles(learned.weights);
  const weights = all.filter((weight) => weight !== 0);
  const bias = doubles(learned.bias);
  const cells = [{ vectors: [frame], text: false }];
  const prior = logPriorOf(steps[0]);
  const ordinary = learned.ordinary as number | undefined;
  const share = ordinary === undefined ? null : { cells, ordinary };
  const used = steps.filter((_, m) => all[m] !== 0);
  const members = used.map((step) => memberScore(builder, step, frame, share));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = { weights: weights.map((weight) => weight / total), bias: new Float64Array(bias.length) };
  const of: Pooled = { op: 'pool', members, weights, bias, share: share && { ...share, ...mean } };
  const answer = learned.curves ? steppedScore(of, learned.curves, share) : lifted(of, learned.floor as number);
  return { of: share ? unlessBlank(answer, { cells, prior }) : answer, cells, prior };
}

function steppedScore(of: Pooled, curves: JsonValue, share: Share | null): PlanScore {
  const { classes, parts } = curves as unknown as { classes: number; parts: readonly { x: number[]; y: number[] }[] };
  if (classes !== of.bias.length) {
    cannotCarry('this classifier', 'its curves are of fewer classes than it has now; fit it again');
  }
  const lines = parts.map(({ x, y }): Line => ({ x: doubles(x), y: doubles(y) }));
  return { op: 'curve', of, curve: { method: 'isotonic', lines }, floor: FLOOR, share };
}

/** ln p(c) of a member; −Infinity is null in a file. */
const logPriorOf = ({ learned }: State) =>
  Float64Array.from(learned.logPrior as readonly (number | null)[], (value) => value ?? -Infinity);

/** Log-probabilities of which none is below the floor, normalised again. */
function lifted(pool: Pooled, floor: number | undefined): PlanScore {
  if (!floor) return pool;
  const of = bounded(pool, Math.log(floor), new Uint8Array(pool.bias.length));
  return { op: 'posterior', of, prior: null, impossible: 'prior', sum: 'apart' };
}

/** One estimator, or several over different columns whose prior counts once; then a bounded log-posterior. */
function memberScore(builder: PlanBuilder, state: State, frame: number, share: Share | null): PlanScore {
  const { params, steps = [] } = state;
  const logPrior = logPriorOf(state);
  const classes = logPrior.length;
  const views = params.views as unknown as readonly (readonly ViewFeature[])[];
  const parts = steps.map((step, k) => {
    const estimator = builder.open(step);
    const joint = estimatorJoint(builder, estimator, { vector: viewOf(builder, views[k], frame) });
    const places = Int32Array.from(estimator.learned.classes as readonly number[]);
    const less = k > 0 ? logPrior.map((prior) => (prior > -Infinity ? prior : 0)) : null;
    if (places.length === classes) return { of: joint, less };
    return { of: { op: 'place', of: joint, places, classes, fill: -Infinity } as const, less };
  });
  const of: PlanScore = { op: 'add', start: new Float64Array(classes), parts };
  const posterior: PlanScore = { op: 'posterior', of, prior: logPrior, impossible: 'prior', sum: 'apart' };
  const unmet = Uint8Array.from(logPrior, (prior) => (prior > -Infinity ? 0 : 1));
  const tail = (params.tail as number | null) ?? null;
  return bounded(posterior, LEAST, unmet, { tail, share: tail === null ? null : share });
}

/** The features of a model, pairs of levels last: columns of the frame, put into bins, compared with a level, and scaled. */
export function viewOf(builder: PlanBuilder, view: readonly ViewFeature[], frame: number): number {
  const pairs = view.filter((feature) => feature.with);
  if (pairs.length === 0) return plainView(builder, view, frame);
  const width = pairs.length;
  const seconds = pairs.map((feature) => feature.with!);
  const from = plainView(builder, [...pairs, ...seconds], frame);
  const [first, second] = [0, width].map((start) => Uint32Array.from(pairs, (_, k) => start + k));
  const sizes = Float64Array.from(seconds, ({ size }) => size);
  const crossed = builder.vector({ op: 'cross', from, first, second, sizes });
  return builder.joined([plainView(builder, view.slice(0, -width), frame), crossed]);
}

function plainView(builder: PlanBuilder, view: readonly ViewFeature[], frame: number): number {
  type Numeric = 'level' | 'mean' | 'scale' | 'fill' | 'least' | 'most';
  const has = (...names: readonly (Numeric | 'cuts')[]) =>
    view.some((feature) => names.some((name) => feature[name] !== undefined));
  const each = (name: Numeric, instead: number) => Float64Array.from(view, (feature) => feature[name] ?? instead);
  let from = builder.vector({ op: 'pick', from: frame, columns: Uint32Array.from(view, ({ column }) => column) });
  if (has('least'))
    from = builder.vector({ op: 'within', from, least: each('least', -Infinity), most: each('most', Infinity) });
  if (has('cuts')) {
    const cuts = view.map((feature) => (feature.cuts ? doubles(feature.cuts) : null));
    from = builder.vector({ op: 'bin', from, cuts, missing: 'missing' });
  }
  if (has('level')) from = builder.vector({ op: 'equal', from, values: each('level', Number.NaN) });
  if (!has('mean', 'scale', 'fill')) return from;
  const fill = each('fill', Number.NaN);
  return builder.vector({ op: 'scale', from, mean: each('mean', 0), scale: each('scale', 1), fill });
}
