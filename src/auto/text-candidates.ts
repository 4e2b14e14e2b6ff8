import type { Matrix } from '../data/matrix.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import { fitPool, type PoolOptions } from '../evaluate/pool.ts';
import type { Trial } from '../evaluate/trials.ts';
import { scaleInto } from '../math/arrays.ts';
import { Bags } from '../text/bag.ts';
import { type Candidate, someRows } from './selection.ts';
import { ClassCells, type EventModel, rootRows, type TermCounts, without } from './text-counts.ts';
import { learnTermWeights } from './text-weights.ts';

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

/** A candidate of one event model, and the member that the first split chooses. */
interface EventCandidate extends Candidate<TextMember> {
  chosen(trial: Trial): TextMember;
}

/**
 * Naive Bayes of one view. The first split chooses the pseudo-count, walking downhill from the middle of the grid: losses have one
 * valley.
 */
function eventCandidate(view: CountedView, model: EventModel): EventCandidate {
  const members = new Map<string, TextMember>();
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
  const chosen = (trial: Trial): TextMember => {
    const [known = choose(trial)] = members.values();
    members.set(known.name, known);
    return known;
  };
  return {
    name: `${view.name}: ${model}`,
    chosen,
    fit: () => [...members.values()],
    score(trial) {
      const { name, alpha, scale } = chosen(trial);
      return new Map([[name, scaled(scoresOf(trial, alpha), scale)]]);
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
function weightedCandidate(view: CountedView, plain: EventCandidate, seed: number): Candidate<TextMember> {
  const members = new Map<string, TextMember & { readonly passes: number }>();
  const learnOf = (own: CountedView, counts: TermCounts, { alpha, initial }: Pick<TextMember, 'alpha' | 'initial'>) => {
    const scorer = own.cells.scorer('multinomial', counts, alpha);
    const counted = { cells: own.cells, counts, scorer, alpha };
    const learn = (rows: Int32Array, passes: readonly number[]) =>
      learnTermWeights(counted, rows, { start: initial, passes, seed });
    return { scorer, learn };
  };
  function* scoresOf(trial: Trial, member: Pick<TextMember, 'alpha' | 'initial'>, passes: readonly number[]) {
    const { scorer, learn } = learnOf(view, view.rest(trial), member);
    for (const weights of learn(trial.learn, passes)) yield view.cells.score(scorer, trial.held, weights);
  }
  const choose = (trial: Trial): Matrix => {
    const { alpha, scale: initial } = plain.chosen(trial);
    const about = { alpha: WEIGHTED_ALPHA * alpha, initial };
    const codes = codesOf(view.cells.y, trial.held);
    let best: { scores: Matrix; loss: number; scale: number; passes: number } | undefined;
    let k = 0;
    for (const scores of scoresOf(trial, about, PASSES)) {
      const own = { scores, passes: PASSES[k++], ...temper(scores, codes) };
      if (best && own.loss >= best.loss) break;
      best = own;
    }
    const { scores, scale, passes } = best!;
    const name = `${view.name}: weighted multinomial, passes ${passes}`;
    const weights = (own: CountedView, rows: Int32Array) =>
      learnOf(own, own.countOf(rows), about).learn(rows, [passes]).next().value!;
    members.set(name, { name, view: view.name, model: 'multinomial', scale, weights, passes, ...about });
    return scaled(scores, scale);
  };
  return {
    name: `${view.name}: weighted multinomial`,
    fit: () => [...members.values()],
    score(trial) {
      const [known] = members.values();
      const scores = known ? scaled(scoresOf(trial, known, [known.passes]).next().value!, known.scale) : choose(trial);
      return new Map(Array.from(members.keys(), (name) => [name, scores]));
    },
  };
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
