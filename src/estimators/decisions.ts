import { integer, readOptions } from '../core/options.ts';
import type { Posterior } from '../core/posterior.ts';
import { requireLike, requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import {
  type AbstainOptions,
  decideByCost,
  decideOrAbstain,
  isNovel,
  type NoveltyThreshold,
} from '../evaluate/decide.ts';

/** When to say nothing: when the best is not probable enough or not far enough ahead, or when the row is unheard of. */
export interface RejectOptions extends AbstainOptions {
  readonly novelty?: NoveltyThreshold | undefined;
}

/** How rows are decided. */
export interface DecisionOptions {
  /** How many of the most probable classes are listed. */
  readonly top?: number | undefined;
  /**
   * What a decision costs: row c is the true class, column d the class that is decided for. One more column is the cost of
   * deciding nothing.
   */
  readonly costs?: Matrix | ArrayLike<ArrayLike<number>> | undefined;
  readonly reject?: RejectOptions | undefined;
}

/** What was decided on a row. */
export interface Decision {
  /** The class, or null where nothing was decided. */
  readonly label: Label | null;
  /** The probability of the label; where nothing was decided, that of the most probable class. */
  readonly probability: number;
  /** p(c | x), in the order of the classes. */
  readonly probabilities: Float64Array;
  /** ln p(x): how ordinary the row is. */
  readonly logEvidence: number;
  readonly abstained: boolean;
  /** The most probable classes, in order. */
  readonly top: readonly { readonly label: Label; readonly probability: number }[];
}

const spec = {
  /** How many of the most probable classes are listed. */
  top: integer({ default: 1, min: 1 }),
} as const;

/** What decides: any classifier that tells probabilities and evidence, or a pipeline that ends in one. */
export interface Decider<Input> {
  readonly classes: readonly Label[];
  classPosterior(X: Input): Posterior;
  predictLogProba(X: Input): Matrix;
}

/** For every row the class to decide for, or null: by probability or cost, with the most probable classes beside it. */
export function decide<Input>(model: Decider<Input>, X: Input, options: DecisionOptions = {}): Decision[] {
  const known = ['costs', 'reject', ...Object.keys(spec)];
  const { costs, reject = {}, ...rest } = requireOptions('decide', known, options);
  requireLike(model, 'a fitted estimator or pipeline', { classPosterior: 'function' });
  const { classes } = model;
  const { top } = readOptions('decide', spec, rest);
  const { logProba, logEvidence, impossible } = model.classPosterior(X);
  if (impossible.length > 0) model.predictLogProba(X); // refuses where impossible rows were to be errors
  const { novelty, ...least } = requireOptions('reject', ['novelty', 'leastProbability', 'leastMargin'], reject);
  const rows = logEvidence.length;
  const table = new Matrix(
    rows,
    classes.length,
    logProba.map((log) => Math.min(1, Math.exp(log))),
  );
  const sure = classes.length > 1 ? decideOrAbstain(table, classes, least) : new Array<Label>(rows).fill(classes[0]);
  const cheap = costs && cheapest(table, costs);
  const strange = novelty ? isNovel(novelty, logEvidence) : [];
  return sure.map((best, i) => {
    const probabilities = table.row(i).slice();
    const order = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a] || a - b);
    const decided = cheap ? (classes[cheap[i]] ?? null) : best;
    const label = best === null || strange[i] ? null : decided;
    return {
      label,
      probability: probabilities[label === null ? order[0] : classes.indexOf(label)],
      probabilities,
      logEvidence: logEvidence[i],
      abstained: label === null,
      top: order.slice(0, top).map((c) => ({ label: classes[c], probability: probabilities[c] })),
    };
  });
}

/** The number of the cheapest class in each row; one past the classes where deciding nothing is cheaper than any. */
function cheapest(table: Matrix, costs: NonNullable<DecisionOptions['costs']>): number[] {
  const cost = costs instanceof Matrix ? costs : Matrix.from(costs);
  const numbers = (length: number) => Array.from({ length }, (_, c) => c);
  if (table.cols === 1)
    return new Array<number>(table.rows).fill(cost.cols === 2 && cost.at(0, 1) < cost.at(0, 0) ? 1 : 0);
  const decisions = numbers(cost.cols === table.cols + 1 ? cost.cols : table.cols);
  return decideByCost(table, numbers(table.cols), cost, { decisions }).decisions as number[];
}
