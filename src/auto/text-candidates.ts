import { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { scaleInto } from '../math/arrays.ts';
import { someRows } from './ensemble.ts';
import { fitPool, type PoolOptions } from './pool.ts';
import type { Candidate, Trial } from './race.ts';
import { ClassCells, type EventModel, type TermCounts, without } from './text-counts.ts';
import { learnMistakes } from './text-mistakes.ts';
import { scoreRows, type Weighting, weigh } from './text-pool.ts';
import { readView, type View } from './text-views.ts';

/** One view of all texts, counted once: every candidate of the view takes its counts from here. */
export class CountedView {
  readonly name: string;
  readonly vectorizer: CountVectorizer;
  /** How often each term occurs in each text. */
  readonly counts: SparseMatrix;
  /** The same as √tf on rows of length 1, by class. */
  readonly cells: ClassCells;
  readonly whole: TermCounts;
  private last: { trial: Trial; rest: TermCounts } | undefined;

  constructor(name: string, vectorizer: CountVectorizer, counts: SparseMatrix, y: Int32Array, classes: number) {
    this.name = name;
    this.vectorizer = vectorizer;
    this.counts = counts;
    this.cells = new ClassCells(weigh(counts, 'root'), y, classes);
    this.whole = this.cells.count(Int32Array.from(y.keys()));
  }

  /** Counts the texts in a view; undefined where they hold no term of it. */
  static read(view: View, documents: readonly string[], y: Int32Array, classes: number): CountedView | undefined {
    const read = readView(view, documents, Math.max(1, Math.floor(MOST_CELLS / classes)));
    return read && new CountedView(view.name, read.vectorizer, read.counts, y, classes);
  }

  /** The counts of the training rows of a split. */
  rest(trial: Trial): TermCounts {
    if (this.last?.trial === trial) return this.last.rest;
    const learned = new Set(trial.learn);
    const part = this.cells.count(Int32Array.from(this.cells.y.keys()).filter((i) => !learned.has(i)));
    this.last = { trial, rest: without(this.whole, part) };
    return this.last.rest;
  }
}

/** A member of an ensemble of text: a view of the text, a model of its counts, and the parameters of the model. */
export interface TextMember {
  readonly name: string;
  readonly view: string;
  readonly weighting: Weighting;
  /** By what its scores are multiplied to be log-posteriors. */
  readonly scale: number;
  /** Fits the member to all rows of a counted view. */
  fit(view: CountedView): TermWeights;
}

/** Linear scores of terms: those of no term in particular, and what a term adds. */
export interface TermWeights {
  readonly start: Float64Array;
  /** Adds `factor` times the weights of term j to a row. */
  addTo(row: Float64Array, j: number, factor: number): void;
}

/** A candidate of text, and its members by name. */
export interface TextCandidate extends Candidate {
  readonly members: ReadonlyMap<string, TextMember>;
}

/** Terms times classes of one view: a table of weights of at most 200 MB. */
const MOST_CELLS = 25e6;

/** Pseudo-counts to try, each about three times the one before. */
const ALPHAS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3];
const FIRST = 4;

/** How often rows may be gone over by the discriminative model, and how many cells times classes one pass and several may take. */
const PASSES = [1, 2, 4, 8];
const MOST_ONCE = 40e6;
const MOST_OFTEN = 16e6;
/** Terms times classes of its tables: about 100 MB. */
const MOST_TABLE = 4e6;

/** Scores of text are in units of their own: their weights are small in terms of their spread, no more is known. */
const scalePrior: PoolOptions = { prior: { strength: 1, centre: 0, unit: 'spread' }, bias: true, tolerance: 1e-4 };

/** The log-loss of scores at their best temperature and with class biases, and that temperature. */
function temper({ data, cols }: Matrix, codes: Int32Array): { loss: number; scale: number } {
  const problem = { scores: [data], y: codes, classes: cols, rows: someRows(codes, cols) };
  const { logLoss, weights } = fitPool(problem, scalePrior);
  return { loss: logLoss, scale: weights[0] };
}

const codesOf = (y: Int32Array, rows: Int32Array) => Int32Array.from(rows, (i) => y[i]);

/**
 * Naive Bayes of one view. The first split chooses the pseudo-count, walking downhill from the middle of the grid: losses have one
 * valley.
 */
function eventCandidate(view: CountedView, model: EventModel): TextCandidate {
  const members = new Map<string, TextMember & { readonly alpha: number }>();
  const scoresOf = (trial: Trial, alpha: number, rows = trial.held) =>
    view.cells.score(view.cells.scorer(model, view.rest(trial), alpha), rows);
  const choose = (trial: Trial) => {
    const rows = someRows(trial.held, view.cells.classes).map((k) => trial.held[k]);
    const codes = codesOf(view.cells.y, rows);
    const known = new Map<number, { loss: number; scale: number }>();
    const at = (k: number): { loss: number; scale: number } => {
      if (ALPHAS[k] === undefined) return { loss: Infinity, scale: 1 };
      if (!known.has(k)) known.set(k, temper(scoresOf(trial, ALPHAS[k], rows), codes));
      return known.get(k)!;
    };
    const step = at(FIRST - 1).loss < at(FIRST).loss ? -1 : 1;
    let best = FIRST;
    while (at(best + step).loss < at(best).loss) best += step;
    const alpha = ALPHAS[best];
    const name = `${view.name}: ${model}, alpha ${alpha}`;
    const fit = (own: CountedView): TermWeights => {
      const { start, base, cells } = own.cells.scorer(model, own.whole, alpha);
      const { indptr, classOf } = own.cells;
      return {
        start,
        addTo(row, j, factor) {
          for (let c = 0; c < row.length; c++) row[c] += factor * base[c];
          for (let cell = indptr[j]; cell < indptr[j + 1]; cell++) row[classOf[cell]] += factor * cells[cell];
        },
      };
    };
    members.set(name, { name, view: view.name, weighting: 'root', scale: at(best).scale, fit, alpha });
  };
  return {
    name: `${view.name}: ${model}`,
    members,
    score(trial) {
      if (members.size === 0) choose(trial);
      return new Map(
        Array.from(members.values(), ({ name, alpha, scale }) => [name, scaled(scoresOf(trial, alpha), scale)]),
      );
    },
  };
}

function scaled(scores: Matrix, scale: number): Matrix {
  scaleInto(scores.data, scale);
  return scores;
}

/**
 * Multinomial naive Bayes of one view with a weight for every term. The first split chooses the number of passes, as long as more of them
 * lower the loss; pseudo-counts are three times those of plain naive Bayes, for weights make up for what they smooth.
 */
function weightedCandidate(view: CountedView, plain: EventCandidate, passes: readonly number[], seed: number): TextCandidate {
  const members = new Map<string, TextMember & { readonly passes: number; readonly alpha: number; readonly start: number }>();
  const { cells } = view;
  function* learned(trial: Trial, alpha: number, start: number, wanted: readonly number[]) {
    const counts = view.rest(trial);
    const scorer = cells.scorer('multinomial', counts, alpha);
    for (const weights of learnTermWeights({ cells, counts, scorer, alpha }, trial.learn, { start, passes: wanted, seed })) {
      yield cells.score(scorer, trial.held, weights);
    }
  }
  const choose = (trial: Trial): Matrix => {
    const { alpha: least, scale: start } = plain.chosen(trial);
    const alpha = WEIGHTED_ALPHA * least;
    const codes = codesOf(cells.y, trial.held);
    let best: { scores: Matrix; loss: number; scale: number; passes: number } | undefined;
    let k = 0;
    for (const scores of learned(trial, alpha, start, passes)) {
      const own = { scores, passes: passes[k++], ...temper(scores, codes) };
      if (best && own.loss >= best.loss) break;
      best = own;
    }
    const { scores, scale, passes: count } = best!;
    const name = `${view.name}: weighted multinomial, passes ${count}`;
    const fit = (own: CountedView) => {
      const counts = own.whole;
      const scorer = own.cells.scorer('multinomial', counts, alpha);
      const rows = Int32Array.from(own.cells.y.keys());
      const [weights] = learnTermWeights({ cells: own.cells, counts, scorer, alpha }, rows, { start, passes: [count], seed });
      return weights;
    };
    members.set(name, { name, view: view.name, model: 'multinomial', alpha, scale, fit, passes: count, start });
    return scaled(scores, scale);
  };
  return {
    name: `${view.name}: weighted multinomial`,
    members,
    score(trial) {
      if (members.size === 0) {
        const scores = choose(trial);
        return new Map(Array.from(members.keys(), (name) => [name, scores]));
      }
      const [{ name, scale, passes: count, alpha, start }] = members.values();
      const [scores] = learned(trial, alpha, start, [count]);
      return new Map([[name, scaled(scores, scale)]]);
    },
  };
}

/** The candidates of one view. */
export function textCandidates(view: CountedView, seed: number): TextCandidate[] {
  const { classes } = view.cells;
  const work = view.counts.data.length * classes;
  const passes = PASSES.filter((count) => count * work <= (count === 1 ? MOST_ONCE : MOST_OFTEN));
  return [
    eventCandidate(view, 'multinomial'),
    // of two classes, each is the complement of the other
    ...(classes > 2 ? [eventCandidate(view, 'complement')] : []),
    ...(passes.length > 0 && view.counts.cols * classes <= MOST_TABLE
      ? [discriminativeCandidate(view, passes, seed)]
      : []),
  ];
}
