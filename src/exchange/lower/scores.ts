import type { Calibrated, CellGroup, Curved, Line, PlanCurve, PlanScore, PlanTerm, Share } from '../plan.ts';
import { type Algebra, range, type Tensor } from './algebra.ts';

/** The vectors of a plan as scores use them. */
export interface Source<T> {
  /** The contribution of a term to the score of each class, in a sum that starts with these. */
  term(term: PlanTerm, start: Float64Array): T;
  /** The numbers of a vector. */
  vector(k: number): T;
  /** 1 where a vector of terms has any, else 0. */
  hasTerms(k: number): T;
}

/** A score of each class for every row. */
export function lowerScore<T extends Tensor>(a: Algebra<T>, score: PlanScore, source: Source<T>): T {
  return new Scores(a, source).of(score);
}

/** The height of a rising line at one number. */
function heightAt<T extends Tensor>(a: Algebra<T>, at: T, { x, y }: Line): T {
  const last = x.length - 1;
  const pieces = range(x.length + 1).flatMap((k) => {
    const from = Math.max(0, Math.min(k - 1, last));
    const slope = k === 0 || k > last ? 0 : (y[k] - y[k - 1]) / (x[k] - x[k - 1]);
    return [x[from], y[from], slope, y[Math.min(k, last)]];
  });
  const piece = a.keep(a.pieces(at, [x], false));
  const [start, height, slope, most] = range(4).map((k) =>
    a.reshape(a.lookup(piece, [Float64Array.from(range(x.length + 1), (p) => pieces[p * 4 + k])], 1), 1),
  );
  return a.keep(a.min(most, a.add(height, a.mul(slope, a.sub(at, start)))));
}

/** −ln(1 + exp t) without overflow. */
function minusSoftplus<T extends Tensor>(a: Algebra<T>, t: T): T {
  const kept = a.keep(t);
  return a.keep(a.sub(0, a.add(a.max(kept, 0), a.ln(a.add(a.exp(a.sub(0, a.abs(kept))), 1)))));
}

/** 1 / (1 + exp t) without overflow. */
function logistic<T extends Tensor>(a: Algebra<T>, t: T): T {
  const small = a.keep(a.exp(a.sub(0, a.abs(t))));
  return a.keep(a.div(a.where(a.less(0, t), small, 1), a.add(small, 1)));
}

/** S[c] − ln Σ{d ≠ c} exp S[d]: the log-odds of each class against all others; with one class they are infinite. */
export function logOdds<T extends Tensor>(a: Algebra<T>, scores: T): T {
  const classes = scores.shape[0];
  if (classes === 1) return a.constant([Infinity]);
  const own = a.keep(scores);
  const others = range(classes).flatMap((c) => range(classes).filter((d) => d !== c));
  const rest = a.keep(a.reduce('logSumExp', a.reshape(a.gather(own, 0, others), classes, classes - 1), 1));
  return a.keep(a.where(a.equal(own, rest), 0, a.sub(own, rest)));
}

/** Log-odds beyond this, either way, are certain. */
const CERTAIN = 1e4;

class Scores<T extends Tensor> {
  private readonly a: Algebra<T>;
  private readonly source: Source<T>;

  constructor(a: Algebra<T>, source: Source<T>) {
    this.a = a;
    this.source = source;
  }

  of(score: PlanScore): T {
    const { a, source } = this;
    switch (score.op) {
      case 'sum': {
        const start = a.constant(score.start);
        return a.keep(score.terms.reduce((sum, term) => a.add(sum, source.term(term, score.start)), start));
      }
      case 'add': {
        const parts = score.parts.map(({ of, less }) => (less ? a.sub(this.of(of), a.constant(less)) : this.of(of)));
        return a.keep(parts.reduce((sum, part) => a.add(sum, part), a.constant(score.start)));
      }
      case 'either': // both are the same but for digits far from the data, which no answer within 1e-9 needs
        return this.of(score.first);
      case 'place': {
        const { places, fill, classes } = score;
        const columns = range(classes).map((c) => (places.includes(c) ? places.indexOf(c) : places.length));
        return a.gather(a.concat([this.of(score.of), a.constant([fill])]), 0, columns);
      }
      case 'posterior':
        return this.posterior(score.of, score.prior, score.impossible);
      case 'blank': {
        const own = this.of(score.of);
        return a.keep(a.where(a.equal(this.present(score.cells), 0), a.constant(score.prior), own));
      }
      case 'pool': {
        const { members, weights, bias, share } = score;
        const all = members.map((member) => this.of(member));
        const own = this.share(share);
        const start = this.between(own, a.constant(bias), share && a.constant(share.bias));
        const sum = all.reduce((before, member, m) => {
          const weight = this.between(own, a.constant([weights[m]]), share && a.constant([share.weights[m]]));
          return a.add(before, a.mul(member, weight));
        }, start);
        return a.logSoftmax(sum);
      }
      case 'soften': {
        const { least, tail, share, unmet, unmetScore } = score;
        const bounded = a.keep(a.max(this.of(score.of), least));
        const bent = () => a.mul(a.ln(a.sub(1, a.div(bounded, tail as number))), -(tail as number));
        const soft = tail === null ? bounded : this.between(this.share(share), bent(), bounded);
        return a.keep(a.where(a.constant(Array.from(unmet, Boolean)), unmetScore, soft));
      }
      case 'platt': {
        const line = a.add(a.mul(logOdds(a, this.of(score.of)), a.constant(score.a)), a.constant(score.b));
        return a.logSoftmax(minusSoftplus(a, line));
      }
      case 'curve': {
        const logs = this.of(score.of);
        const fitted = this.onCurve(score, logs);
        const share = this.share(score.share);
        return share ? a.logSoftmax(this.between(share, fitted, logs)) : fitted;
      }
      case 'calibrated': {
        const answers = score.members.map((member) => this.calibrated(member, this.of(member.of)));
        const sum = answers.reduce((all, own) => a.add(all, own));
        return a.keep(a.log(a.min(a.div(sum, answers.length), 1)));
      }
    }
  }

  /** If every class is impossible, the prior is used or the row gets no result. */
  private posterior(of: PlanScore, prior: Float64Array | null, impossible: 'prior' | 'refuse'): T {
    const { a } = this;
    const scores = a.keep(this.of(of));
    const top = a.keep(a.reduce('max', scores, 0));
    if (impossible === 'refuse') a.require(a.less(-Infinity, top));
    return a.logSoftmax(prior ? a.where(a.equal(top, -Infinity), a.constant(prior), scores) : scores);
  }

  /** How many cells of a row are present. */
  private present(groups: readonly CellGroup[]): T {
    const { a, source } = this;
    const counts = groups.flatMap(({ vectors, text }) => {
      if (!text) return vectors.map((k) => a.sum(a.unlessMissing(source.vector(k), this.ones(k), 0)));
      return [vectors.map((k) => source.hasTerms(k)).reduce((most, own) => a.max(most, own))];
    });
    return a.keep(counts.reduce((sum, count) => a.add(sum, count)));
  }

  private ones(k: number): T {
    return this.a.constant(new Float64Array(this.source.vector(k).shape[0]).fill(1));
  }

  /** The share of its cells that a row has; undefined where all rows count as complete. */
  private share(share: Share | null): T | undefined {
    const { a } = this;
    return share ? a.keep(a.min(a.div(this.present(share.cells), share.ordinary || 1), 1)) : undefined;
  }

  /** Interpolates between the fitted score and its input. */
  private between(share: T | undefined, fitted: T, before: T | null): T {
    const { a } = this;
    if (!share || !before) return fitted;
    const mixed = a.add(a.mul(share, fitted), a.mul(a.sub(1, share), before));
    return a.keep(a.where(a.lessOrEqual(1, share), fitted, mixed));
  }

  private within(x: T, least: number, most: number): T {
    return this.a.keep(this.a.max(this.a.min(x, most), least));
  }

  /** ln p of every class on its curve, or of both sides of one curve for two classes, normalised. */
  private onCurve({ curve, floor }: Curved, logs: T): T {
    const { a } = this;
    if (curve.method === 'temperature') return a.logSoftmax(a.mul(this.within(logs, -CERTAIN, CERTAIN), curve.beta));
    const odds = this.within(logOdds(a, logs), -CERTAIN, CERTAIN);
    const sides = (k: number, own: T): [yes: T, no: T] => {
      if (curve.method === 'sigmoid') {
        const line = a.add(a.mul(own, curve.a[k]), curve.b[k]);
        return [minusSoftplus(a, line), minusSoftplus(a, a.sub(0, line))];
      }
      const p = this.within(heightAt(a, own, curve.lines[k]), floor, 1 - floor);
      return [a.ln(p), a.ln(a.sub(1, p))];
    };
    const single = logs.shape[0] === 2 && curvesOf(curve) === 1;
    const columns = single
      ? sides(0, a.at(odds, 1)).reverse()
      : range(logs.shape[0]).map((c) => sides(c, a.at(odds, c))[0]);
    return a.logSoftmax(a.concat(columns));
  }

  /** Scores to calibrated probabilities. */
  private calibrated({ over, curve }: Calibrated['members'][number], scores: T): T {
    const { a } = this;
    const apart = over === 'scores' && scores.shape[0] === 2;
    const given = apart ? a.keep(a.sub(scores, a.gather(scores, 0, [1, 0]))) : scores;
    const values = a.keep(over === 'probabilities' ? a.exp(given) : given);
    if (curve.method === 'temperature') {
      const logits = over === 'probabilities' ? a.ln(a.add(values, 1e-12)) : values;
      return a.keep(a.exp(a.logSoftmax(a.mul(logits, curve.beta))));
    }
    const height = (k: number, x: T) =>
      curve.method === 'isotonic'
        ? heightAt(a, x, curve.lines[k])
        : logistic(a, a.keep(a.add(a.mul(x, curve.a[k]), curve.b[k])));
    const classes = values.shape[0];
    if (curvesOf(curve) === 1 && classes === 2) {
      const p = height(0, a.at(values, 1));
      return a.concat([a.keep(a.sub(1, p)), p]);
    }
    const heights = a.concat(range(classes).map((c) => height(c, a.at(values, c))));
    const total = a.keep(a.sum(heights));
    return a.keep(a.where(a.equal(total, 0), 1 / classes, a.div(heights, total)));
  }
}

const curvesOf = (curve: Exclude<PlanCurve, { method: 'temperature' }>): number =>
  curve.method === 'sigmoid' ? curve.a.length : curve.lines.length;
