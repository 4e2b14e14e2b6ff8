import { type Rows, sliceRows } from '../data/batch.ts';
import { argmax } from '../math/arrays.ts';

/** ln p(c | x), ln p(x), and the rows to which every class gives probability zero. */
export interface Posterior {
  readonly logProba: Float64Array; // row-major: logProba[i * classes + c]
  readonly logEvidence: Float64Array; // one per row
  readonly impossible: readonly number[];
}

/**
 * Scores to posteriors: ln p(c | x) = s[c] − ln Σ exp s[c']. A row that is impossible under every class gets the prior
 * and is marked.
 */
export function posterior(scores: Float64Array, logPrior: Float64Array): Posterior {
  const classes = logPrior.length;
  const rows = classes === 0 ? 0 : scores.length / classes;
  const logProba = new Float64Array(scores.length);
  const logEvidence = new Float64Array(rows);
  const impossible: number[] = [];
  for (let i = 0; i < rows; i++) {
    const at = i * classes;
    logEvidence[i] = normalise(scores, at, logProba, at, classes);
    if (logEvidence[i] > -Infinity) continue;
    impossible.push(i);
    normalise(logPrior, 0, logProba, at, classes);
  }
  return { logProba, logEvidence, impossible };
}

/**
 * Writes s[c] − ln Σ exp s and returns ln Σ exp s. The largest score is subtracted first: scores of long documents are
 * large numbers whose differences are exact, and only the differences affect the posterior.
 */
function normalise(from: Float64Array, start: number, to: Float64Array, at: number, classes: number): number {
  const top = from[start + argmax(from, start, classes)];
  if (top === -Infinity) return top;
  if (top === Infinity) return shareAlike(from, start, to, at, classes);
  let sum = 0;
  for (let c = 0; c < classes; c++) sum += Math.exp(from[start + c] - top);
  const logSum = Math.log(sum);
  for (let c = 0; c < classes; c++) to[at + c] = from[start + c] - top - logSum;
  return top + logSum;
}

/** Classes with an infinite score (possible for complement without smoothing) share the whole mass equally. */
function shareAlike(from: Float64Array, start: number, to: Float64Array, at: number, classes: number): number {
  const certain = from.subarray(start, start + classes).reduce((n, score) => n + Number(score === Infinity), 0);
  for (let c = 0; c < classes; c++) to[at + c] = from[start + c] === Infinity ? -Math.log(certain) : -Infinity;
  return Infinity;
}

/** The class of highest log-posterior in each row; ties go to the first class. */
export function decide(logProba: Float64Array, classes: number): Int32Array {
  const rows = classes === 0 ? 0 : logProba.length / classes;
  return Int32Array.from({ length: rows }, (_, i) => argmax(logProba, i * classes, classes));
}

/** Scores farther apart than this keep their order as posteriors, however ln Σ exp is rounded. */
export const APART = 1e-9;

/** The class that `decide` finds in the posteriors of these scores; for most rows the scores alone determine it. */
export function decideByScores(scores: Float64Array, logPrior: Float64Array): Int32Array {
  const classes = logPrior.length;
  const chosen = new Int32Array(classes === 0 ? 0 : scores.length / classes);
  for (let i = 0; i < chosen.length; i++) {
    const at = i * classes;
    let top = scores[at];
    for (let c = 1; c < classes; c++) top = Math.max(top, scores[at + c]);
    let [best, near] = [0, 0];
    for (let c = 0; c < classes; c++) {
      // also true if both are infinite, or one is NaN
      if (!(top - scores[at + c] > APART)) {
        near++;
        best = c;
      }
    }
    if (near === 1) chosen[i] = best;
    else [chosen[i]] = decide(posterior(scores.subarray(at, at + classes), logPrior).logProba, classes);
  }
  return chosen;
}

/** The number of scores decided at once, chosen to stay in the processor's cache. */
const SCORES_AT_ONCE = 65_536;

/** The class that `decideByScores` finds for every row; only some rows' scores are in memory at a time. */
export function decideRows(
  rows: Rows,
  logPrior: Float64Array,
  score: (rows: Rows, out: Float64Array) => void,
): Int32Array {
  const classes = logPrior.length;
  const chosen = new Int32Array(rows.rows);
  const block = Math.min(rows.rows, Math.max(64, Math.floor(SCORES_AT_ONCE / classes)));
  const scores = new Float64Array(block * classes);
  for (let from = 0; from < rows.rows; from += block) {
    const to = Math.min(rows.rows, from + block);
    const own = scores.subarray(0, (to - from) * classes);
    score(sliceRows(rows, from, to), own);
    chosen.set(decideByScores(own, logPrior), from);
  }
  return chosen;
}
