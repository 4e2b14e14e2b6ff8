import type { Matrix } from '../data/matrix.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import { fitPool, type PoolOptions } from '../evaluate/pool.ts';
import type { Trial } from '../evaluate/trials.ts';
import { scaleInto } from '../math/arrays.ts';
import { Random } from '../math/random.ts';
import { Bags } from '../text/bag.ts';
import type { EventModel } from '../text/event-weights.ts';
import { type Candidate, someRows } from './selection.ts';
import { type CellScorer, ClassCells, rootRows, type TermCounts, without } from './text-counts.ts';

/** One view of all texts, counted once: every candidate of the view takes its counts from here. Terms are the ids of its reader. */
export class CountedView {
  readonly name: string;
  readonly vectorizer: CountVectorizer;
  /** The terms of all texts as √tf on rows of length 1, by class. */
  readonly cells: ClassCells;
  readonly whole: TermCounts;
  private last: { trial: Trial; rest: TermCounts } | undefined;

  constructor(name: string, vectorizer: CountVectorizer, cells: ClassCells) {
    this.name = name;
    this.vectorizer = vectorizer;
    this.cells = cells;
    this.whole = cells.whole;
  }

  /** Counts the texts in a view; undefined where they hold no term of it. */
  static read(view: View, documents: readonly string[], y: Int32Array, classes: number): CountedView | undefined {
    const vectorizer = new CountVectorizer(view.options);
    const { reader } = vectorizer.adopt(() => vectorizer.blank()).known();
    const bags = new Bags();
    reader.readMany(documents, Uint32Array.from(y.keys()), true, bags);
    if (reader.size === 0) return undefined;
    const indptr = Uint32Array.from({ length: bags.rows + 1 }, (_, i) => bags.start(i));
    const indices = bags.ids.slice(0, bags.size);
    const X = rootRows({ rows: bags.rows, cols: reader.size, indptr, indices, data: bags.counts });
    return new CountedView(view.name, vectorizer, new ClassCells(X, y, classes));
  }

  /** The counts of some rows. */
  countOf(rows: Int32Array): TermCounts {
    return rows.length === this.cells.y.length ? this.whole : this.cells.count(rows);
  }

  /** The counts of the training rows of a split. */
  rest(trial: Trial): TermCounts {
    if (this.last?.trial === trial) return this.last.rest;
    const isHeld = new Uint8Array(this.cells.y.length).fill(1);
    for (const i of trial.learn) isHeld[i] = 0;
    const part = this.cells.count(this.cells.y.map((_, i) => i).filter((i) => isHeld[i] === 1));
    this.last = { trial, rest: without(this.whole, part) };
    return this.last.rest;
  }
}

/** A member of an ensemble of text: a view of the text, a model of its counts, and the parameters of the model. */
export interface TextMember {
  readonly name: string;
  readonly view: string;
  readonly model: EventModel;
  readonly alpha: number;
  /** By what its scores are multiplied to be log-posteriors. */
  readonly scale: number;
  /** The weight of terms, or where the weights of terms start. */
  readonly initial: number;
  /** Learns the weights of terms from some rows of a counted view. */
  readonly weights?: (view: CountedView, rows: Int32Array) => Float64Array;
}

/** Pseudo-counts to try, each about three times the one before. */
const ALPHAS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3];
const FIRST = 4;

/** How often rows may be gone over to learn the weights of terms. */
const PASSES = [1, 2];
/** Pseudo-counts of weighted terms, in those of terms without weights. */
const WEIGHTED_ALPHA = 3;

/** Scores of text are in units of their own: their weights are small in terms of their spread, no more is known. */
const scalePrior: PoolOptions = { prior: { strength: 1, centre: 0, unit: 'spread' }, bias: true, tolerance: 1e-4 };

/** The log-loss of scores at their best temperature and with class biases, and that temperature. */
function temper({ data, cols }: Matrix, codes: Int32Array): { loss: number; scale: number } {
  const problem = { scores: [data], y: codes, classes: cols, rows: someRows(codes, cols) };
  const { logLoss, weights } = fitPool(problem, scalePrior);
  return { loss: logLoss, scale: weights[0] };
}

const codesOf = (y: Int32Array, rows: Int32Array) => Int32Array.from(rows, (i) => y[i]);

/** A candidate with one member, which the first split chooses. */
interface SettledCandidate<Member> extends Candidate<TextMember> {
  chosen(trial: Trial): Member;
}

function settledCandidate<Member extends TextMember>(
  name: string,
  choose: (trial: Trial) => Member,
  scoresOf: (trial: Trial, member: Member) => Matrix,
): SettledCandidate<Member> {
  let member: Member | undefined;
  const chosen = (trial: Trial): Member => {
    member ??= choose(trial);
    return member;
  };
  return {
    name,
    chosen,
    fit: () => (member ? [member] : []),
    score(trial) {
      const own = chosen(trial);
      const scores = scoresOf(trial, own);
      scaleInto(scores.data, own.scale);
      return new Map([[own.name, scores]]);
    },
  };
}

/**
 * Naive Bayes of one view. The first split chooses the pseudo-count, walking downhill from the middle of the grid: losses have one
 * valley.
 */
function eventCandidate(view: CountedView, model: EventModel): SettledCandidate<TextMember> {
  const scoresOf = (trial: Trial, alpha: number, rows = trial.held) =>
    view.cells.score(view.cells.scorer(model, view.rest(trial), alpha), rows);
  const choose = (trial: Trial): TextMember => {
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
    return { name, view: view.name, model, alpha, scale: at(best).scale, initial: 1 };
  };
  return settledCandidate(`${view.name}: ${model}`, choose, (trial, { alpha }) => scoresOf(trial, alpha));
}

/**
 * Multinomial naive Bayes of one view with a weight for every term. The first split chooses the number of passes, as long as more of them
 * lower the loss; pseudo-counts are three times those of plain naive Bayes, for weights make up for what they smooth.
 */
function weightedCandidate(
  view: CountedView,
  plain: SettledCandidate<TextMember>,
  seed: number,
): Candidate<TextMember> {
  type Weighted = Pick<TextMember, 'alpha' | 'initial'>;
  const learnOf = (own: CountedView, counts: TermCounts, { alpha, initial }: Weighted) => {
    const scorer = own.cells.scorer('multinomial', counts, alpha);
    const counted = { cells: own.cells, counts, scorer, alpha };
    const learn = (rows: Int32Array, passes: readonly number[]) =>
      learnTermWeights(counted, rows, { start: initial, passes, seed });
    return { scorer, learn };
  };
  function* scoresOf(trial: Trial, member: Weighted, passes: readonly number[]) {
    const { scorer, learn } = learnOf(view, view.rest(trial), member);
    for (const weights of learn(trial.learn, passes)) yield view.cells.score(scorer, trial.held, weights);
  }
  let first: Matrix | undefined; // of the split that chooses
  const choose = (trial: Trial): TextMember & { readonly passes: number } => {
    const { alpha, scale: initial } = plain.chosen(trial);
    const about = { alpha: WEIGHTED_ALPHA * alpha, initial };
    const codes = codesOf(view.cells.y, trial.held);
    let best: { loss: number; scale: number; passes: number } | undefined;
    let k = 0;
    for (const scores of scoresOf(trial, about, PASSES)) {
      const own = { passes: PASSES[k++], ...temper(scores, codes) };
      if (best && own.loss >= best.loss) break;
      best = own;
      first = scores;
    }
    const { scale, passes } = best!;
    const name = `${view.name}: weighted multinomial, passes ${passes}`;
    const weights = (own: CountedView, rows: Int32Array) =>
      learnOf(own, own.countOf(rows), about).learn(rows, [passes]).next().value!;
    return { name, view: view.name, model: 'multinomial', scale, weights, passes, ...about };
  };
  return settledCandidate(`${view.name}: weighted multinomial`, choose, (trial, member) => {
    const scores = first ?? scoresOf(trial, member, [member.passes]).next().value!;
    first = undefined;
    return scores;
  });
}

/** The candidates of one view. */
export function textCandidates(view: CountedView, seed: number): Candidate<TextMember>[] {
  const plain = eventCandidate(view, 'multinomial');
  return [
    plain,
    // of two classes, each is the complement of the other
    ...(view.cells.classes > 2 ? [eventCandidate(view, 'complement')] : []),
    weightedCandidate(view, plain, seed),
  ];
}

/** A way to read a text as terms. */
export interface View {
  readonly name: string;
  readonly options: CountVectorizerOptions;
  /** The most characters of training text that this view is tried on: they are what reading it costs, in time and memory. */
  readonly most: number;
  /** The most characters times classes, plus a few for the reading: they are what scoring it costs. */
  readonly work: number;
}

/** Letters of scripts that are written without spaces between words. */
const PACKED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/gu;
const LETTER = /\p{L}/gu;

/** Reading a text costs about as much as scoring it for this many classes. */
const READING = 4;

/** Characters from which the script of a corpus is detected. */
const SAMPLE = 200_000;

const spaced: readonly View[] = [
  { name: 'words', options: {}, most: Infinity, work: Infinity },
  { name: 'pairs of words', options: { ngramRange: [2, 2] }, most: 40e6, work: 300e6 },
  { name: 'characters 3–5', options: { analyzer: 'char_wb', ngramRange: [3, 5] }, most: 4e6, work: 60e6 },
];

const packed: readonly View[] = [
  { name: 'characters', options: { analyzer: 'char', ngramRange: [1, 1] }, most: Infinity, work: Infinity },
  { name: 'pairs of characters', options: { analyzer: 'char', ngramRange: [2, 2] }, most: 40e6, work: 600e6 },
  {
    name: 'triples of characters',
    options: { analyzer: 'char', ngramRange: [3, 3] },
    most: 8e6,
    work: 120e6,
  },
];

/** The share of letters in a script without spaces, in documents taken evenly from the whole. */
function packedShare(documents: readonly string[], characters: number): number {
  const step = Math.max(1, Math.ceil(characters / SAMPLE));
  let [inScript, letters] = [0, 0];
  for (let i = 0; i < documents.length; i += step) {
    inScript += documents[i].match(PACKED)?.length ?? 0;
    letters += documents[i].match(LETTER)?.length ?? 0;
  }
  return letters === 0 ? 0 : inScript / letters;
}

/**
 * The views to try, by the script of the texts and their amount: n-grams of characters cost many times what words do, and
 * the more text there is, the less they add to words.
 */
export function viewsFor(
  documents: readonly string[],
  classes: number,
  stopWords?: CountVectorizerOptions['stopWords'],
): View[] {
  const characters = documents.reduce((total, text) => total + text.length, 0);
  const views = packedShare(documents, characters) > 0.3 ? packed : spaced;
  const affordable = views.filter(({ most, work }) => characters <= most && characters * (classes + READING) <= work);
  if (!stopWords || views === packed) return affordable;
  const words = affordable.filter(({ options }) => options.analyzer === undefined);
  return words.map((view) => ({ ...view, options: { ...view.options, stopWords } }));
}

/** Counts of training rows and the multinomial scorer made of them. */
export interface CountedScorer {
  readonly cells: ClassCells;
  readonly counts: TermCounts;
  readonly scorer: CellScorer;
  readonly alpha: number;
}

/** How weights of terms are learned. */
export interface WeightOptions {
  /** Where every weight starts: the temperature at which the unweighted scores are log-posteriors. */
  readonly start: number;
  /** The weights are returned after each of these passes over the rows, in ascending order. */
  readonly passes: readonly number[];
  readonly seed: number;
}

/** The size of the first steps, as a share of where weights start. */
const RATE = 0.3;
/** A row whose class is at least this probable changes nothing and is left out of the next pass. */
const SURE = 0.99;

/**
 * Learns a weight for every term that minimises the leave-one-out log-loss of weighted multinomial naive Bayes,
 *
 *   S[i,c] = b[c] + Σⱼ xᵢⱼ g[j] w⁽ⁱ⁾[j,c],   loss = −Σᵢ ln softmax(S[i])[yᵢ]                       (1)
 *
 * where w⁽ⁱ⁾ are the weights of (1) in `ClassCells.scorer` from the counts without row i: only the cells of the row's own class
 * differ, ln(1 + (s − x)/α) instead of ln(1 + s/α). Without that, rare terms would seem to know the class of the rows they come from. Terms
 * that repeat what others say get less weight, which naive Bayes cannot do. Solved by stochastic gradient descent with a step size per
 * coordinate (Duchi, Hazan & Singer, Adaptive Subgradient Methods, JMLR 12, 2011). Zaidi, Cerquides, Carman & Webb, Alleviating Naive
 * Bayes Attribute Independence Assumption by Attribute Weighting, JMLR 14 (2013), weigh attributes by conditional likelihood.
 */
export function* learnTermWeights(
  counted: CountedScorer,
  rows: Int32Array,
  { start, passes, seed }: WeightOptions,
): Generator<Float64Array, void> {
  const descent = new Descent(counted, rows, start);
  const random = new Random(seed);
  for (let pass = 1; pass <= passes[passes.length - 1]; pass++) {
    descent.pass(random.permutation(rows.length));
    if (passes.includes(pass)) yield descent.weights.slice();
  }
}

class Descent {
  readonly weights: Float64Array;
  private readonly rows: Int32Array;
  private readonly cells: ClassCells;
  private readonly scorer: CellScorer;
  private readonly less: Float32Array;
  private readonly rate: number;
  private readonly bias: Float64Array;
  private readonly squares: Float64Array;
  private readonly biasSquares: Float64Array;
  private readonly sure: Uint8Array;

  constructor({ cells, counts, scorer, alpha }: CountedScorer, rows: Int32Array, start: number) {
    this.rows = rows;
    this.cells = cells;
    this.scorer = scorer;
    this.less = leaveOneOut(cells, counts.s, scorer.cells, alpha, rows);
    this.rate = RATE * start;
    this.weights = new Float64Array(cells.X.cols).fill(start);
    this.squares = new Float64Array(cells.X.cols).fill(Number.MIN_VALUE);
    this.bias = scorer.start.map((log) => start * log);
    this.biasSquares = new Float64Array(cells.classes).fill(Number.MIN_VALUE);
    this.sure = new Uint8Array(rows.length);
  }

  /** Goes over the rows in this order. */
  pass(order: ArrayLike<number>): void {
    const { rows, sure, cells } = this;
    const p = new Float64Array(cells.classes);
    for (let k = 0; k < order.length; k++) {
      const at = order[k];
      if (sure[at] === 1) {
        sure[at] = 0;
        continue;
      }
      const i = rows[at];
      const total = this.score(i, p);
      if (p[cells.y[i]] >= SURE * total) sure[at] = 1;
      else this.step(i, p, total);
    }
  }

  /** The probabilities of a row's classes without the row itself, up to a factor, and their sum. */
  private score(i: number, p: Float64Array): number {
    const { weights, less, bias } = this;
    const { X, y } = this.cells;
    const { first, count, classes: classOf } = this.cells.cells;
    const { base, cells: w } = this.scorer;
    const { indices, data } = X;
    const [to, own] = [X.indptr[i + 1], y[i]];
    p.set(bias);
    let [length, mine] = [0, 0];
    for (let k = X.indptr[i]; k < to; k++) {
      const j = indices[k];
      const x = data[k] * weights[j];
      const end = first[j] + count[j];
      length += x;
      mine += x * less[k];
      for (let cell = first[j]; cell < end; cell++) p[classOf[cell]] += x * w[cell];
    }
    p[own] += mine;
    let top = -Infinity;
    for (let c = 0; c < p.length; c++) {
      p[c] += length * base[c];
      if (p[c] > top) top = p[c];
    }
    let total = 0;
    for (let c = 0; c < p.length; c++) {
      p[c] = Math.exp(p[c] - top);
      total += p[c];
    }
    return total;
  }

  /** One step against the slope of a row's loss. */
  private step(i: number, p: Float64Array, total: number): void {
    const { weights, squares, less, bias, biasSquares, rate } = this;
    const { X, y } = this.cells;
    const { first, count, classes: classOf } = this.cells.cells;
    const { base, cells: w } = this.scorer;
    const { indices, data } = X;
    const [to, own] = [X.indptr[i + 1], y[i]];
    let common = 0; // what the slopes of all terms of the row have in common
    for (let c = 0; c < p.length; c++) {
      const slope = p[c] / total - (c === own ? 1 : 0);
      p[c] = slope;
      common += slope * base[c];
      biasSquares[c] += slope * slope;
      bias[c] -= (rate * slope) / Math.sqrt(biasSquares[c]);
    }
    for (let k = X.indptr[i]; k < to; k++) {
      const j = indices[k];
      const end = first[j] + count[j];
      let slope = common + p[own] * less[k];
      for (let cell = first[j]; cell < end; cell++) slope += p[classOf[cell]] * w[cell];
      slope *= data[k];
      squares[j] += slope * slope;
      const next = weights[j] - (rate * slope) / Math.sqrt(squares[j]);
      weights[j] = next > 0 ? next : 0;
    }
  }
}

/** By how much the cell of a row's own class is less without the row, for every entry of the rows. */
function leaveOneOut(
  { X, cellOf }: Pick<ClassCells, 'X' | 'cellOf'>,
  s: Float64Array,
  w: Float64Array,
  alpha: number,
  rows: Int32Array,
): Float32Array {
  const less = new Float32Array(X.data.length);
  for (const i of rows) {
    for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
      const cell = cellOf[k];
      const rest = s[cell] - X.data[k];
      less[k] = (rest === 0 ? 0 : Math.log(1 + rest / alpha)) - w[cell]; // far more digits than a float32 has
    }
  }
  return less;
}
