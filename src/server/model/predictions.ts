import type { Label } from '../../data/labels.ts';
import type { Matrix } from '../../data/matrix.ts';
import { refuse, show } from '../../errors.ts';
import { type DecisionRule, decideRow } from '../../evaluate/decision-rule.ts';
import { argmax } from '../../math/arrays.ts';
import type { Instance } from './instances.ts';
import type { Reasoning, ServedModel } from './served-model.ts';

/** How labels are decided, and what is returned with them. */
export interface Rules {
  /** Return the k most probable classes only. */
  readonly topK?: number | undefined;
  /** By costs or by thresholds of labels; the most probable label without it. */
  readonly decision?: DecisionRule | undefined;
  /** Mark predictions below this probability. */
  readonly reject?: number | undefined;
  /** Return this many features with the largest weights. */
  readonly explain?: number | undefined;
  /** Whether each prediction is remembered under an id. */
  readonly remember?: boolean | undefined;
  /** Whether records that do not fit the model are refused. */
  readonly strict?: boolean | undefined;
}

/** Why a label was predicted rather than another, in nats. */
export interface Reasons {
  readonly against: Label;
  readonly log_odds: number;
  readonly prior: number;
  readonly contributions: readonly { readonly feature: string; readonly value: unknown; readonly weight: number }[];
}

/** The prediction for one instance. */
export interface Prediction extends Partial<Reasons> {
  /** For feedback. */
  readonly id?: string;
  readonly label: Label;
  readonly probability: number;
  readonly probabilities: Readonly<Record<string, number>>;
  readonly rejected?: boolean | undefined;
}

/** Decides row i of log-probabilities; also returns the index of its class. `instance` is needed for reasons only. */
export function decide(
  model: ServedModel,
  rules: Rules,
  { cols, data }: Matrix,
  i: number,
  instance: Instance,
): { readonly place: number; readonly prediction: Prediction } {
  const { topK, decision, reject, explain, strict } = rules;
  const { classes } = model;
  const shares: number[] = []; // a typed array of this size would be allocated outside of the heap
  for (let c = 0; c < cols; c++) shares.push(shareOf(data[i * cols + c]));
  const place = decision ? decideRow(decision, Float64Array.from(shares)).place : argmax(data, i * cols, cols);
  const probabilities =
    topK === undefined
      ? allOf(classes, shares)
      : bestOf(classes, shares, data.subarray(i * cols, (i + 1) * cols), topK);
  const probability = shares[place];
  const reasons =
    explain === undefined ? {} : reasonsOf(model, model.explain(instance, strict), place, undefined, explain);
  const rejected = reject === undefined ? undefined : probability < reject;
  return { place, prediction: { label: classes[place], probability, probabilities, rejected, ...reasons } };
}

/** e to the logarithm, which rounding may have left a little above 1. */
const shareOf = (log: number): number => Math.min(1, Math.exp(log));

/** Objects with a number for each class, to be copied: a copy has a fixed layout, which is serialized twice as fast as a dictionary. */
const forms = new WeakMap<
  readonly Label[],
  { readonly names: readonly string[]; readonly form: Record<string, number> }
>();

function allOf(classes: readonly Label[], shares: readonly number[]): Record<string, number> {
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
  shares: readonly number[],
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
  { terms, rest, score }: Reasoning,
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
  const sorted = weighed.filter(({ weight }) => weight !== 0).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return {
    against: classes[other],
    log_odds: weigh(score),
    prior: weigh(rest),
    contributions: sorted.slice(0, most),
  };
}

/** JSON has no infinities: what is impossible becomes the largest number, which no sum of logarithms reaches. */
export const finite = (nats: number): number => {
  if (Number.isNaN(nats)) return 0; // impossible under both
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, nats));
};

function nextBest(score: Float64Array, chosen: number): number {
  let other = chosen === 0 && score.length > 1 ? 1 : 0;
  for (let c = 0; c < score.length; c++) if (c !== chosen && score[c] > score[other]) other = c;
  return other;
}

/** The index of a class by its label; refuses one that there is not. */
export function classIndex(classes: readonly Label[], label: Label | undefined): number | undefined {
  if (label === undefined) return undefined;
  const c = classes.indexOf(label);
  return c < 0 ? refuse('E_CLASS_UNKNOWN', `there is no class ${show(label)}`, { class: label }) : c;
}
