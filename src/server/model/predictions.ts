import type { Label } from '../../data/labels.ts';
import type { Matrix } from '../../data/matrix.ts';
import { type DecisionRule, decideRow } from '../../evaluate/decision-rule.ts';
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

/** The classes of a model as the keys of JSON, made once. */
interface Keys {
  readonly classes: readonly Label[];
  readonly labels: readonly string[];
  readonly keys: readonly string[];
}

const known = new WeakMap<ServedModel, Keys>();

function keysOf(model: ServedModel): Keys {
  const { classes } = model;
  const before = known.get(model);
  if (before && before.classes.length === classes.length && classes.every((own, c) => own === before.classes[c])) {
    return before;
  }
  const keys = {
    classes,
    labels: classes.map((label) => JSON.stringify(label)),
    keys: classes.map((label) => `${JSON.stringify(String(label))}:`),
  };
  known.set(model, keys);
  return keys;
}

/** Writes predictions as JSON, number by number, into one text. */
export class PredictionWriter {
  private readonly model: ServedModel;
  private readonly rules: Rules;
  private readonly keys: Keys;
  private readonly seen: (place: number) => void;

  constructor(model: ServedModel, rules: Rules, seen: (place: number) => void) {
    this.model = model;
    this.rules = rules;
    this.keys = keysOf(model);
    this.seen = seen;
  }

  /** What is said of row i of the log-probabilities, as a JSON object; `instance` is asked for reasons alone. */
  write({ cols, data }: Matrix, i: number, instance: Instance): string {
    const { topK, decision, reject, explain } = this.rules;
    const { labels, keys } = this.keys;
    const start = i * cols;
    const order = topK === undefined ? undefined : ranked(data, start, cols);
    const chosen = decision
      ? decideRow(decision, data.subarray(start, start + cols).map(shareOf)).place
      : best(data, start, cols);
    this.seen(chosen);
    const probability = shareOf(data[start + chosen]);
    let text = `{"label":${labels[chosen]},"probability":${probability},"probabilities":{`;
    if (topK === undefined || order === undefined) {
      for (let c = 0; c < cols; c++) text += `${c > 0 ? ',' : ''}${keys[c]}${shareOf(data[start + c])}`;
    } else {
      text += order
        .slice(0, topK)
        .map((c) => `${keys[c]}${shareOf(data[start + c])}`)
        .join(',');
    }
    text += '}';
    if (reject !== undefined) text += `,"rejected":${probability < reject}`;
    if (explain !== undefined) text += `,${this.reasons(instance, chosen, explain)}`;
    return `${text}}`;
  }

  private reasons(instance: Instance, chosen: number, most: number): string {
    return JSON.stringify(
      reasonsOf(this.model, this.model.explain(instance, this.rules.strict), chosen, undefined, most),
    ).slice(1, -1);
  }
}

/** e to the logarithm, which rounding may have left a little above 1. */
const shareOf = (log: number): number => Math.min(1, Math.exp(log));

function best(data: Float64Array, start: number, cols: number): number {
  let chosen = 0;
  for (let c = 1; c < cols; c++) if (data[start + c] > data[start + chosen]) chosen = c;
  return chosen;
}

function ranked(data: Float64Array, start: number, cols: number): number[] {
  return Array.from({ length: cols }, (_, c) => c).sort((a, b) => data[start + b] - data[start + a] || a - b);
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
