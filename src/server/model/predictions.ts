import type { Label } from '../../data/labels.ts';
import type { Matrix } from '../../data/matrix.ts';
import { type DecisionRule, decideRow } from '../../evaluate/decision-rule.ts';
import { argmax } from '../../math/arrays.ts';
import type { Instance, ServedModel, Told } from './served-model.ts';

/** How answers are decided and what they tell. */
export interface Rules {
  /** Tell the k most probable classes alone. */
  readonly topK: number | undefined;
  /** By costs or by thresholds of labels; undefined for the most probable label. */
  readonly decision: DecisionRule | undefined;
  /** Mark answers that are less probable. */
  readonly reject: number | undefined;
  /** Tell so many features that decided. */
  readonly explain: number | undefined;
  /** Whether each prediction is remembered under an id. */
  readonly remember?: boolean | undefined;
  /** Whether records that do not fit the model are refused. */
  readonly strict?: boolean | undefined;
}

/** Why an answer was given rather than the next best, in nats. */
export interface Reasons {
  readonly against: Label;
  readonly log_odds: number;
  readonly prior: number;
  readonly contributions: readonly { readonly feature: string; readonly value: unknown; readonly weight: number }[];
}

/** What is answered about one instance. */
export interface Prediction extends Partial<Reasons> {
  /** By which feedback can refer to it. */
  readonly id?: string;
  readonly label: Label;
  readonly probability: number;
  readonly probabilities: Readonly<Record<string, number>>;
  readonly rejected?: boolean;
}

/** Decides row i of log-probabilities; also returns the place of its class. `instance` is needed for reasons only. */
export function decide(
  model: ServedModel,
  rules: Rules,
  { cols, data }: Matrix,
  i: number,
  instance: Instance,
): { readonly place: number; readonly prediction: Prediction } {
  const { topK, decision, reject, explain, strict } = rules;
  const { classes } = model;
  const shares = new Float64Array(cols);
  for (let c = 0; c < cols; c++) shares[c] = shareOf(data[i * cols + c]);
  const place = decision ? decideRow(decision, shares).place : argmax(data, i * cols, cols);
  const probabilities =
    topK === undefined
      ? allOf(classes, shares)
      : bestOf(classes, shares, data.subarray(i * cols, (i + 1) * cols), topK);
  const probability = shares[place];
  const prediction = {
    label: classes[place],
    probability,
    probabilities,
    ...(reject !== undefined && { rejected: probability < reject }),
    ...(explain !== undefined && reasonsOf(model, model.explain(instance, strict), place, undefined, explain)),
  };
  return { place, prediction };
}

/** e to the logarithm, which rounding may have left a little above 1. */
const shareOf = (log: number): number => Math.min(1, Math.exp(log));

/** Objects with a number for each class, to be copied: a copy has a fixed layout, which is written as JSON twice as fast as a table. */
const forms = new WeakMap<
  readonly Label[],
  { readonly names: readonly string[]; readonly form: Record<string, number> }
>();

function allOf(classes: readonly Label[], shares: Float64Array): Record<string, number> {
  let known = forms.get(classes);
  if (!known) {
    const names = classes.map(String);
    // JSON.parse makes a property of its own even of a class that is called __proto__
    const form = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:0.5`).join()}}`) as Record<string, number>;
    forms.set(classes, (known = { names, form }));
  }
  const { names } = known;
  const probabilities = { ...known.form };
  for (let c = 0; c < names.length; c++) probabilities[names[c]] = shares[c];
  return probabilities;
}

/** The k most probable classes. */
function bestOf(
  classes: readonly Label[],
  shares: Float64Array,
  logs: Float64Array,
  k: number,
): Record<string, number> {
  const order = Array.from(logs.keys()).sort((a, b) => logs[b] - logs[a] || a - b);
  const probabilities: Record<string, number> = Object.create(null); // a class may be called __proto__
  for (const c of order.slice(0, k)) probabilities[String(classes[c])] = shares[c];
  return probabilities;
}

/** Why an instance gets class `chosen` rather than `against`, which is the next best unless given. */
export function reasonsOf(
  { classes }: ServedModel,
  { terms, rest, score }: Told,
  chosen: number,
  against: number | undefined,
  most: number,
): Reasons {
  const other = against ?? nextBest(score, chosen);
  const weigh = (values: Float64Array) => finite(values[chosen] - values[other]);
  const weighed = terms.map(({ feature, value, byClass }) => ({
    feature,
    value: value ?? null,
    weight: weigh(byClass),
  }));
  const told = weighed.filter(({ weight }) => weight !== 0).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return {
    against: classes[other],
    log_odds: weigh(score),
    prior: weigh(rest),
    contributions: told.slice(0, most),
  };
}

/** JSON has no infinities; what is impossible is the largest number, which no sum of logarithms reaches. */
const finite = (nats: number): number => {
  if (Number.isNaN(nats)) return 0; // impossible under both
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, nats));
};

function nextBest(score: Float64Array, chosen: number): number {
  let other = chosen === 0 && score.length > 1 ? 1 : 0;
  for (let c = 0; c < score.length; c++) if (c !== chosen && score[c] > score[other]) other = c;
  return other;
}
