import { ruleFor } from '../../evaluate/decide.ts';
import { type DecisionRule, decideRow } from '../../evaluate/decision-rule.ts';
import { bestThreshold, type DecisionThreshold, type ThresholdGoal } from '../../evaluate/decision-threshold.ts';
import type { ScoredRows } from '../../evaluate/evaluation.ts';
import { pairOf, refuseLabel } from '../data-problems.ts';
import { fail } from '../problem.ts';
import { corrected } from '../shell.ts';
import { refuseChoice, refuseNumber, refuseTogether } from '../usage.ts';

/** The options that decide labels. */
export interface Deciding {
  readonly words: readonly string[];
  readonly options: { readonly threshold: readonly string[]; readonly cost: readonly string[] };
}

/** A threshold chosen on labelled rows. */
export interface FoundThreshold extends DecisionThreshold {
  readonly label: string;
  /** As given: precision:0.95. */
  readonly goal: string;
}

const scores = ['f1', 'accuracy', 'balancedAccuracy', 'matthews', 'youden'] as const;
const goalForms = ['P', 'precision:P', 'recall:P', 'cost:RATIO', ...scores];

/**
 * The rule of `--threshold` and `--cost`. A threshold is a probability or a goal; for a goal it is chosen on `scoredRows`.
 */
export function ruleOf(
  { words, options }: Deciding,
  classes: readonly string[],
  scoredRows?: ScoredRows,
): { rule: DecisionRule; found: FoundThreshold[] } {
  const { threshold, cost } = options;
  if (threshold.length > 0 && cost.length > 0) refuseTogether('--threshold', '--cost');
  const found: FoundThreshold[] = [];
  const thresholds = threshold.map((word): [string, number] => {
    const [label, text] = pairOf('--threshold', 'LABEL=P', word);
    if (!classes.includes(label)) refuseLabel(words, label, classes, { wrong: word, behind: `=${text}` });
    const goal = goalOf(text);
    if (typeof goal === 'number') return [label, goal];
    const instead = 'find it with polya evaluate, and give predict the probability';
    if (!scoredRows)
      return fail('E_USAGE', `A threshold for ${text} needs labelled rows: ${instead}.`, {
        command: corrected(words, 'predict', 'evaluate'),
      });
    const own = { ...findThreshold(scoredRows, label, goal), label, goal: text };
    found.push(own);
    return [label, own.threshold];
  });
  const rule = ruleFor(classes, {
    ...(cost.length > 0 && { costs: costsOf(words, cost, classes) }),
    ...(thresholds.length > 0 && { threshold: Object.fromEntries(thresholds) }),
  });
  return { rule, found };
}

/** A probability, or the goal of a threshold. */
function goalOf(text: string): number | ThresholdGoal {
  const [, kind, amount] = /^(?:(precision|recall|cost):)?(\d.*)$/.exec(text) ?? [];
  const number = Number(amount);
  const inRange = number >= 0 && (kind === 'cost' ? number < Infinity : number <= 1);
  if (amount !== undefined && inRange) {
    if (kind === 'cost') return { costs: { falsePositive: number, falseNegative: 1 } };
    return kind === undefined ? number : { [kind]: number };
  }
  const maximize = scores.find((name) => name === text);
  if (maximize) return { maximize };
  return refuseChoice('--threshold', text, goalForms);
}

function findThreshold(
  { classes, truth, logProba }: ScoredRows,
  label: string,
  goal: ThresholdGoal,
): DecisionThreshold {
  const place = classes.indexOf(label);
  const proba = Float64Array.from({ length: logProba.rows }, (_, i) => Math.exp(logProba.at(i, place)));
  const isLabel = truth.map((own) => own === label);
  return bestThreshold(isLabel, proba, goal);
}

/** The cost of errors, by true and predicted label. */
function costsOf(words: readonly string[], given: readonly string[], classes: readonly string[]) {
  const costs: Record<string, Record<string, number>> = Object.create(null);
  for (const word of given) {
    const [pair, text] = pairOf('--cost', 'TRUE:LABEL=COST', word);
    const cost = Number(text);
    if (text === '' || !(cost >= 0 && cost < Infinity)) refuseNumber('--cost', text, { min: 0 });
    const truth = classes.find((own) => pair.startsWith(`${own}:`)) ?? pair.split(':')[0];
    const label = pair.slice(truth.length + 1);
    for (const own of [truth, label]) if (!classes.includes(own)) refuseLabel(words, own, classes);
    (costs[truth] ??= Object.create(null) as Record<string, number>)[label] = cost;
  }
  return costs;
}

/** The mean cost per row of the labels that the rule decides; undefined without costs. */
export function meanCost({ classes, truth, logProba }: ScoredRows, rule: DecisionRule): number | undefined {
  const { costs } = rule;
  if (!costs || truth.length === 0) return undefined;
  const paid = truth.map((label, i) => {
    const c = classes.indexOf(label);
    return c < 0 ? 1 : costs.at(c, decideRow(rule, logProba.row(i).map(Math.exp)).place);
  });
  return paid.reduce((sum, cost) => sum + cost, 0) / truth.length;
}
