import { refuse } from '../../errors.ts';
import { argmax } from '../../math/arrays.ts';
import { log1mexp, logSoftmaxInto, logSumExp, softplus } from '../../math/logs.ts';
import type {
  CalibratedMember,
  CellGroup,
  Curved,
  EachScore,
  Line,
  PlanScore,
  Platt,
  Posterior,
  Share,
  Softened,
} from '../plan.ts';
import { addTerm } from './terms.ts';
import { type Cells, dense } from './vectors.ts';

type Run = (score: PlanScore) => Float64Array;

const scorers: EachScore<[run: Run, vectors: readonly Cells[]], Float64Array> = {
  sum({ start, terms }, _, vectors) {
    const sum = start.slice();
    for (const term of terms) addTerm(term, vectors[term.vector], sum);
    return sum;
  },
  add: ({ start, parts }, run) =>
    parts.reduce((sum, { of, less }) => {
      const part = run(of);
      return sum.map((value, c) => value + (part[c] - (less?.[c] ?? 0)));
    }, start),
  either({ first, second, needed }, run) {
    const scores = run(first);
    return scores.every((value, c) => Number.isFinite(value) || !needed[c]) ? scores : run(second);
  },
  place({ of, places, classes, fill }, run) {
    const all = new Float64Array(classes).fill(fill);
    run(of).forEach((value, c) => {
      all[places[c]] = value;
    });
    return all;
  },
  opposed({ of }, run) {
    const [a, b] = run(of);
    return Float64Array.of(a - b, b - a);
  },
  blank: ({ of, cells, prior }, run, vectors) => (presentIn(cells, vectors) === 0 ? prior : run(of)),
  pool({ members, weights, bias, share }, run, vectors) {
    const r = shareOf(share, vectors);
    const sum = bias.map((value, c) => between(r, value, share?.bias[c] ?? 0));
    members.forEach((member, m) => {
      const weight = between(r, weights[m], share?.weights[m] ?? 0);
      run(member).forEach((value, c) => {
        sum[c] += weight * value;
      });
    });
    return softmax(sum);
  },
  posterior: (score, run) => posterior(score, run(score.of)),
  soften(score, run, vectors) {
    const r = shareOf(score.share, vectors);
    return run(score.of).map((value, c) => soften(score, value, c, r));
  },
  platt: (score, run) => platt(score, run(score.of)),
  curve(score, run, vectors) {
    const log = run(score.of);
    return curveBetween(shareOf(score.share, vectors), onCurve(score, log), log);
  },
  calibrated: ({ members }, run) => average(members.map((member) => calibrate(member, run(member.of)))),
};

/** The scores of one row. */
export function runScore(score: PlanScore, vectors: readonly Cells[]): Float64Array {
  return scorers[score.op](score as never, (inner) => runScore(inner, vectors), vectors);
}

/** How many cells of a row are present. */
function presentIn(groups: readonly CellGroup[], vectors: readonly Cells[]): number {
  return groups.reduce((count, { vectors: own, text }) => {
    if (text) return count + Number(own.some((k) => vectors[k].indices.length > 0));
    return own.reduce((sum, k) => sum + dense(vectors[k]).filter((value) => !Number.isNaN(value)).length, count);
  }, 0);
}

/** The share of its cells that a row has; all of it where nothing is said of that. */
function shareOf(share: Share | null, vectors: readonly Cells[]): number {
  if (!share) return 1;
  const count = presentIn(share.cells, vectors);
  return count === 0 ? 0 : Math.min(1, count / share.ordinary);
}

const between = (share: number, fitted: number, before: number): number =>
  share >= 1 ? fitted : share * fitted + (1 - share) * before;

function curveBetween(share: number, fitted: Float64Array, before: Float64Array): Float64Array {
  if (share >= 1) return fitted;
  return softmax(share === 0 ? before : fitted.map((value, c) => between(share, value, before[c])));
}

/** S − ln Σ exp S. */
function softmax(score: Float64Array): Float64Array {
  const out = new Float64Array(score.length);
  logSoftmaxInto(score, 0, score.length, out);
  return out;
}

function posterior({ prior, impossible }: Posterior, score: Float64Array): Float64Array {
  if (score.some((value) => value > -Infinity)) return softmax(score);
  if (impossible === 'refuse') return refuse('E_ZERO_EVIDENCE', 'the row is impossible under every class');
  return softmax(prior ?? score);
}

function soften({ least, tail, unmet, unmetScore }: Softened, value: number, c: number, share: number): number {
  if (unmet[c]) return unmetScore;
  const bounded = Math.max(least, value);
  return tail === null ? bounded : between(share, -tail * Math.log1p(-bounded / tail), bounded);
}

/** ln p / (1 − p) of every class; that of the most probable one comes from the others, which have all their digits. */
function logOdds(log: Float64Array): Float64Array {
  const first = argmax(log);
  const others = log.filter((_, c) => c !== first);
  return log.map((value, c) => value - (c === first ? logSumExp(others) : log1mexp(value)));
}

function platt({ a, b }: Platt, score: Float64Array): Float64Array {
  return softmax(logOdds(softmax(score)).map((value, c) => -softplus(a[c] * value + b[c])));
}

/** Log-odds beyond this, either way, are certain. */
const CERTAIN = 1e4;

function onCurve({ curve, floor }: Curved, log: Float64Array): Float64Array {
  const bounded = (value: number) => Math.max(-CERTAIN, Math.min(CERTAIN, value));
  if (curve.method === 'temperature') return softmax(log.map((value) => curve.beta * bounded(value)));
  const sides = (k: number, odds: number): [yes: number, no: number] => {
    if (curve.method === 'sigmoid') {
      const line = curve.a[k] * odds + curve.b[k];
      return [-softplus(line), -softplus(-line)];
    }
    const p = Math.min(1 - floor, Math.max(floor, heightAt(curve.lines[k], odds)));
    return [Math.log(p), Math.log1p(-p)];
  };
  const odds = logOdds(log).map(bounded);
  if (log.length !== 2) return softmax(odds.map((value, c) => sides(c, value)[0]));
  const [yes, no] = sides(0, odds[1]);
  return softmax(Float64Array.of(no, yes));
}

/** The height of a line. */
function heightAt({ x, y }: Line, score: number): number {
  const last = x.length - 1;
  if (score <= x[0]) return y[0];
  if (score >= x[last]) return y[last];
  const k = x.findIndex((point) => point >= score);
  return Math.min(y[k], y[k - 1] + ((y[k] - y[k - 1]) / (x[k] - x[k - 1])) * (score - x[k - 1]));
}

/** A curve for each class, normalised; or one for the second of two classes. */
function curved(scores: Float64Array, curves: number, height: (curve: number, score: number) => number): Float64Array {
  if (curves === 1 && scores.length === 2) {
    const p = height(0, scores[1]);
    return Float64Array.of(1 - p, p);
  }
  const heights = scores.map((score, c) => height(c, score));
  const total = heights.reduce((sum, value) => sum + value, 0);
  return heights.map((value) => (total === 0 ? 1 / scores.length : value / total));
}

/** Scores to calibrated probabilities. */
function calibrate({ over, curve }: CalibratedMember, score: Float64Array): Float64Array {
  const values = over === 'probabilities' ? score.map(Math.exp) : score;
  if (curve.method === 'temperature') {
    const logits = over === 'probabilities' ? values.map((p) => Math.log(p + 1e-12)) : values;
    return softmax(logits.map((value) => curve.beta * value)).map(Math.exp);
  }
  if (curve.method === 'isotonic') {
    return curved(values, curve.lines.length, (line, value) => heightAt(curve.lines[line], value));
  }
  return curved(values, curve.a.length, (k, value) => 1 / (1 + Math.exp(curve.a[k] * value + curve.b[k])));
}

function average(answers: readonly Float64Array[]): Float64Array {
  return answers[0].map((_, c) => {
    const mean = answers.reduce((sum, answer) => sum + answer[c], 0) / answers.length;
    return Math.log(Math.min(1, mean));
  });
}
