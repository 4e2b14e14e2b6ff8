import type { NomogramResult } from '../worker/insight.ts';

/** The contest that a nomogram shows: one class against another, or against all others together. */
export interface Contest {
  readonly c: number;
  /** The index of the rival; undefined for all other classes. */
  readonly rival?: number | undefined;
}

/** ln Σ eˣ. */
function logSumExp(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, x) => sum + Math.exp(x - most), 0));
}

/** The scores of all classes for the chosen tick of every axis, optionally without one axis. */
export function scoresAt({ classes, prior, axes }: NomogramResult, chosen: readonly number[], without = -1): number[] {
  return classes.map((_, c) =>
    axes.reduce((sum, { marks }, a) => (a === without ? sum : sum + marks[chosen[a]].byClass[c]), prior[c]),
  );
}

/** The log-odds of the class: against its rival sᶜ − sʳ, against the rest sᶜ − ln Σ_{k ≠ c} exp sᵏ. */
export function logOddsOf(scores: readonly number[], { c, rival }: Contest): number {
  return scores[c] - (rival === undefined ? logSumExp(scores.filter((_, k) => k !== c)) : scores[rival]);
}

/** Probabilities that sum to one. */
export function softmax(scores: readonly number[]): number[] {
  const total = logSumExp(scores);
  return scores.map((score) => Math.exp(score - total));
}

/** Whether the contribution of a value is independent of the other values. */
export const isAdditive = ({ classes }: NomogramResult, { rival }: Contest): boolean =>
  rival !== undefined || classes.length === 2;

/**
 * The contribution of each tick of each axis to the log-odds, given the chosen values of the other axes. Against one rival, or with two
 * classes, it is ln p(x | c) − ln p(x | r) and independent of the other axes; against the rest it depends on them.
 */
export function axisValues(result: NomogramResult, chosen: readonly number[], contest: Contest): number[][] {
  return result.axes.map(({ marks }, a) => {
    const others = scoresAt(result, chosen, a);
    const base = logOddsOf(others, contest);
    return marks.map(
      ({ byClass }) =>
        logOddsOf(
          others.map((score, c) => score + byClass[c]),
          contest,
        ) - base,
    );
  });
}
