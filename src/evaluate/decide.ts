import { integer, type OptionSpec, readOptions, real, unchecked } from '../core/options.ts';
import type { Posterior } from '../core/posterior.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { type Costs, type DecisionRule, decideRow, placeOfName, readCosts } from './decision-rule.ts';
import { abstentionThreshold, bestThreshold, noveltyThreshold, type ThresholdGoal } from './decision-threshold.ts';
import { readScores, requireColumns, requireProbabilities, type Scores, withComplement } from './scores.ts';
import { readClassList } from './targets.ts';

/**
 * Options of `decide`. `threshold`, `reject` and `novelty` take a number, or a goal to reach on the labelled rows of `heldOut`, which the
 * model must not have learned.
 */
export interface DecisionOptions<Input = unknown> {
  /** The costs of decisions; the class with the least expected cost is chosen. Excludes `threshold`. Default: none. */
  readonly costs?: Costs | undefined;
  /** By class the least probability at which it is chosen: `{ spam: 0.9 }`, `{ spam: { precision: 0.99 } }`. Default: none. */
  readonly threshold?: Readonly<Record<string, number | ThresholdGoal>> | undefined;
  /** Predictions less probable than this are abstentions; or the largest share of wrong predictions. Default: none. */
  readonly reject?: number | { readonly errorRate: number } | undefined;
  /** Rows whose two most probable classes are closer than this are abstentions. Default: 0. */
  readonly margin?: number | undefined;
  /** Rows with a lower ln p(x) are abstentions; or the share of ordinary rows that may be flagged as novel. Default: none. */
  readonly novelty?: number | { readonly falseAlarmRate: number } | undefined;
  /** How many of the most probable classes are listed. Default: 1. */
  readonly top?: number | undefined;
  /** Labelled rows for goals; if rows are given as probabilities, X is a table of probabilities too. Default: none. */
  readonly heldOut?: { readonly X: Input; readonly y: ArrayLike<Label> } | undefined;
}

/** The decision for a row. */
export interface Decision {
  /** The class, or null for an abstention. */
  readonly label: Label | null;
  /** The probability of the label; of an abstention, that of the most probable class. */
  readonly probability: number;
  /** p(c | x), in the order of the classes. */
  readonly probabilities: Float64Array;
  /** ln p(x), the log-density of the row; null if the model has none. */
  readonly logEvidence: number | null;
  readonly abstained: boolean;
  /** The expected cost of the decision; null without costs. */
  readonly expectedCost: number | null;
  /** The most probable classes, in order. */
  readonly top: readonly { readonly label: Label; readonly probability: number }[];
}

/** A model that `decide` takes: an estimator, a pipeline, a calibrated classifier, or a `Classifier`. */
export interface Decider<Input> {
  readonly classes: readonly Label[];
  predictLogProba(X: Input): Matrix;
  classPosterior?(X: Input): Posterior;
  logEvidence?(X: Input): Float64Array | undefined;
}

const spec = {
  top: integer({ default: 1, min: 1 }),
  margin: real({ default: 0, min: 0, max: 1 }),
  costs: unchecked<Costs>(),
  threshold: unchecked<NonNullable<DecisionOptions['threshold']>>(),
  reject: unchecked<NonNullable<DecisionOptions['reject']>>(),
  novelty: unchecked<NonNullable<DecisionOptions['novelty']>>(),
  heldOut: unchecked<NonNullable<DecisionOptions['heldOut']>>(),
} satisfies OptionSpec;

interface Answers {
  readonly proba: Matrix;
  readonly logEvidence: Float64Array | undefined;
}

/**
 * For every row the class to decide for, or an abstention: by probability, by thresholds of classes, or by costs. For rows of a model, or
 * for a table of probabilities and its classes.
 */
export function decide<Input>(model: Decider<Input>, X: Input, options?: DecisionOptions<Input>): Decision[];
export function decide(yProba: Scores, classes: ArrayLike<Label>, options?: DecisionOptions<Scores>): Decision[];
export function decide(source: Decider<unknown> | Scores, second: unknown, options: DecisionOptions = {}): Decision[] {
  const read = readOptions('decide', spec, options);
  const model = isModel(source) ? source : undefined;
  const classes = model ? [...model.classes] : readClassList(second as ArrayLike<Label>, 'classes');
  const answersTo = (X: unknown): Answers => (model ? ask(model, X) : tableAnswers(X as Scores, classes));
  const { proba, logEvidence } = answersTo(model ? second : source);
  const held = read.heldOut && { ...answersTo(read.heldOut.X), y: read.heldOut.y };
  const rule: DecisionRule = {
    ...ruleFor(classes, { costs: read.costs, threshold: thresholdsOn(read.threshold, classes, held) }),
    reject: rejectOn(read.reject, classes, held),
    margin: read.margin,
  };
  const leastEvidence = noveltyOn(read.novelty, held);
  if (read.novelty !== null && proba.rows > 0 && !logEvidence) {
    refuse('E_CONFLICT', 'this model has no density p(x), so no row is more novel than another', { name: 'novelty' });
  }
  return Array.from({ length: proba.rows }, (_, i) => {
    const probabilities = proba.row(i).slice();
    const order = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a] || a - b);
    const { place, abstained: unsure, expectedCost } = decideRow(rule, probabilities);
    const abstained = unsure || (logEvidence?.[i] ?? 0) < leastEvidence;
    return {
      label: abstained ? null : classes[place],
      probability: probabilities[abstained ? order[0] : place],
      probabilities,
      logEvidence: logEvidence?.[i] ?? null,
      abstained,
      expectedCost,
      top: order.slice(0, read.top).map((c) => ({ label: classes[c], probability: probabilities[c] })),
    };
  });
}

/** Resolves costs and thresholds to numbers; throws if both are given or a class is unknown. */
export function ruleFor(
  classes: readonly Label[],
  { costs, threshold }: { costs?: Costs | null | undefined; threshold?: Readonly<Record<string, number>> | undefined },
): DecisionRule {
  if (costs && threshold) refuse('E_PARAM', 'costs and threshold: give one of them', { name: 'threshold' });
  if (costs) return { costs: readCosts(costs, classes) };
  if (!threshold) return {};
  const thresholds = new Float64Array(classes.length).fill(Number.NaN);
  for (const [name, least] of Object.entries(threshold)) thresholds[placeOfName(classes, name)] = least;
  return { thresholds };
}

const isModel = (source: unknown): source is Decider<unknown> =>
  typeof source === 'object' && source !== null && 'predictLogProba' in source;

/** The method of a model, unless it is a pipeline whose last step does not have it. */
function methodOf<Name extends 'classPosterior' | 'logEvidence'>(model: Decider<unknown>, name: Name) {
  let last: object = model;
  while ('steps' in last && Array.isArray(last.steps)) last = last.steps.at(-1);
  return name in last ? model[name]?.bind(model) : undefined;
}

/** Probabilities and, where the model has a density, ln p(x). */
function ask(model: Decider<unknown>, X: unknown): Answers {
  const known = methodOf(model, 'classPosterior')?.(X) as Posterior | undefined;
  // also for rows that are impossible under every class, which the model may reject
  const logProba = known?.impossible.length === 0 ? undefined : model.predictLogProba(X);
  const logEvidence = known?.logEvidence ?? (methodOf(model, 'logEvidence')?.(X) as Float64Array | undefined);
  if (logProba) return { proba: exponential(logProba), logEvidence };
  const rows = known?.logEvidence.length ?? 0;
  return { proba: exponential(new Matrix(rows, model.classes.length, known?.logProba)), logEvidence };
}

const exponential = ({ rows, cols, data }: Matrix): Matrix =>
  new Matrix(
    rows,
    cols,
    data.map((log) => Math.min(1, Math.exp(log))),
  );

function tableAnswers(yProba: Scores, classes: readonly Label[]): Answers {
  const read = readScores(yProba, 'yProba');
  requireProbabilities(read);
  const { rows, cols, data } = read.cols === 1 && classes.length === 2 ? withComplement(read.data) : read;
  if (rows > 0) requireColumns(classes, cols, 'yProba');
  return { proba: new Matrix(rows, cols, data), logEvidence: undefined };
}

type HeldOut = (Answers & { readonly y: ArrayLike<Label> }) | null;

function requireHeldOut(held: HeldOut, name: string): NonNullable<HeldOut> {
  return held ?? refuse('E_PARAM', `${name} has a goal, which needs the labelled rows of heldOut`, { name: 'heldOut' });
}

const requireShare = (name: string, value: unknown): number =>
  typeof value === 'number' && value >= 0 && value <= 1
    ? value
    : refuse('E_PARAM', `${name} is a probability or a goal, got ${show(value)}`, { name });

function thresholdsOn(
  given: DecisionOptions['threshold'] | null,
  classes: readonly Label[],
  held: HeldOut,
): Readonly<Record<string, number>> | undefined {
  if (!given) return undefined;
  const found = Object.entries(given).map(([name, goal]): [string, number] => {
    const place = placeOfName(classes, name);
    if (typeof goal !== 'object' || goal === null) return [name, requireShare('threshold', goal)];
    const { proba, y } = requireHeldOut(held, 'threshold');
    const own = Float64Array.from({ length: proba.rows }, (_, i) => proba.at(i, place));
    return [name, bestThreshold(y, own, { ...goal, posLabel: classes[place] }).threshold];
  });
  return Object.fromEntries(found);
}

function rejectOn(given: DecisionOptions['reject'] | null, classes: readonly Label[], held: HeldOut): number {
  if (typeof given !== 'object' || given === null) return requireShare('reject', given ?? 0);
  const { proba, y } = requireHeldOut(held, 'reject');
  return abstentionThreshold(y, proba, { ...given, labels: classes }).threshold;
}

function noveltyOn(given: DecisionOptions['novelty'] | null, held: HeldOut): number {
  if (given === null || given === undefined) return -Infinity;
  if (typeof given === 'number') return given;
  const { logEvidence } = requireHeldOut(held, 'novelty');
  return noveltyThreshold(logEvidence ?? [], given.falseAlarmRate).threshold;
}
