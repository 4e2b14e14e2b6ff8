import type { SparseMatrix } from '../data/sparse.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { argmax } from '../math/arrays.ts';
import { fitPool, type Pool, type PoolOptions, poolRow } from './pool.ts';
import { type Die, FoldCounts, loadDice } from './text-dice.ts';
import { rowsOutside } from './text-folds.ts';
import { learnMistakes } from './text-mistakes.ts';
import { type Scorer, scoreRows, type Weighting, weigh } from './text-rows.ts';
import { readView, type View } from './text-views.ts';

/** Labelled rows and their folds. */
export interface Course {
  readonly y: Int32Array;
  readonly classes: number;
  readonly fold: Int32Array;
  readonly parts: readonly Uint32Array[];
  readonly seed: number;
}

/** A scorer that may join the pool: its scores of every row by what the other folds taught, and how it did alone. */
export interface Member {
  readonly name: string;
  readonly view: string;
  readonly vectorizer: CountVectorizer;
  /** The counts of the terms of all documents in its view. */
  readonly counts: SparseMatrix;
  readonly weighting: Weighting;
  readonly scores: Float64Array;
  readonly logLoss: number;
  readonly accuracy: number;
  /** The scorer that all rows teach. */
  learn(): Scorer;
}

/** Scores of text are sums over terms, in units of their own: their weights are small in terms of their spread, no more is known. */
export const textPool: PoolOptions = { prior: { strength: 1, centre: 0, unit: 'spread' }, bias: true };

/** Pseudo-counts to try, each about three times the one before. */
const ALPHAS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3];
const FIRST = 4;

/** Terms times classes of one view, of which a few tables are held at once: 200 MB each. */
const MOST_CELLS = 25e6;

/** How often rows may be gone over to learn from mistakes, and how many cells times classes that may take in a fold. */
const PASSES = [1, 2, 4, 8];
const MOST_MISTAKES = 40e6;

/** How often the greatest pooled score is that of the class. */
export function accuracyOf(scores: readonly Float64Array[], at: Pool, y: Int32Array): number {
  const row = new Float64Array(at.bias.length);
  let hits = 0;
  for (let i = 0; i < y.length; i++) {
    poolRow(scores, at, i, row);
    if (argmax(row) === y[i]) hits++;
  }
  return hits / y.length;
}

/** A scorer alone: its loss once its scale and the biases are right. */
function judge(scores: Float64Array, { y, classes }: Course): Pick<Member, 'logLoss' | 'accuracy' | 'scores'> {
  const fit = fitPool(
    { scores: [scores], y, classes, rows: Uint32Array.from(y.keys()) },
    { ...textPool, tolerance: 1e-6 },
  );
  return { scores, logLoss: fit.logLoss, accuracy: accuracyOf([scores], fit, y) };
}

/** So many held-out rows tell pseudo-counts apart; with more, some folds are judged for all. */
const ENOUGH = 4000;

/** The pseudo-count with the least out-of-fold loss, by walking downhill from the middle: losses have one valley. */
function climb(counts: FoldCounts, die: Die, { y, classes, parts }: Course): number {
  let held = 0;
  const judged = [...parts.keys()].filter((k) => held < ENOUGH && (held += parts[k].length) > 0);
  const rows = Uint32Array.from(judged.flatMap((k) => [...parts[k]]));
  const scores = new Float64Array(y.length * classes);
  const losses = new Map<number, number>();
  const at = (place: number) => {
    if (!losses.has(place)) {
      counts.scoreFolds(die, ALPHAS[place], judged, scores);
      losses.set(place, fitPool({ scores: [scores], y, classes, rows }, { ...textPool, tolerance: 1e-6 }).logLoss);
    }
    return losses.get(place)!;
  };
  let best = FIRST;
  for (const step of [-1, 1]) {
    while (ALPHAS[best + step] !== undefined && at(best + step) < at(best)) best += step;
    if (best !== FIRST) break;
  }
  return ALPHAS[best];
}

/** Naive Bayes by the dice of one view, with the pseudo-count that suits it best. */
function diceMember(die: Die, counts: FoldCounts, course: Course) {
  const alpha = climb(counts, die, course);
  const scores = new Float64Array(course.y.length * course.classes);
  counts.scoreFolds(die, alpha, course.parts.keys(), scores);
  const name = `${die === 'own' ? 'multinomial' : 'complement'}, alpha ${alpha}`;
  return {
    name,
    weighting: 'root' as const,
    ...judge(scores, course),
    learn: () => loadDice(die, counts.whole, alpha),
  };
}

/**
 * Naive Bayes that counts mistakes, after as many passes as suit it best; every fold is scored by a scorer of its own that
 * learned from the others.
 */
function mistakesMember(X: SparseMatrix, passes: readonly number[], course: Course) {
  const { y, classes, parts, fold, seed } = course;
  const lessons = { X, y, classes };
  const scores = passes.map(() => new Float64Array(y.length * classes));
  parts.forEach((rows, k) => {
    let stage = 0;
    for (const scorer of learnMistakes(lessons, rowsOutside(fold, k), { passes, seed })) {
      scoreRows(scorer, X, rows, scores[stage++]);
    }
  });
  const judged = scores.map((table, stage) => ({ ...judge(table, course), passes: passes[stage] }));
  const best = judged.reduce((a, b) => (b.logLoss < a.logLoss ? b : a));
  const learn = () => {
    const [scorer] = learnMistakes(lessons, Uint32Array.from(y.keys()), { passes: [best.passes], seed });
    return scorer;
  };
  const { logLoss, accuracy } = best;
  const name = `discriminative, passes ${best.passes}`;
  return { name, weighting: 'presence' as const, scores: best.scores, logLoss, accuracy, learn };
}

/** Members of one view; `watch` is called between them. */
export function membersOf(view: View, documents: readonly string[], course: Course, watch: () => void): Member[] {
  const { y, classes, parts } = course;
  const read = readView(view, documents, Math.max(1, Math.floor(MOST_CELLS / classes)));
  if (!read) return [];
  const { vectorizer, counts } = read;
  const shared = { view: view.name, vectorizer, counts };
  const members: Member[] = [];
  const foldCounts = new FoldCounts(weigh(counts, 'root'), y, classes, parts);
  // Of two classes, each is all the others of the other: both dice say the same.
  for (const die of classes > 2 ? (['own', 'others'] as const) : (['own'] as const)) {
    watch();
    const member = diceMember(die, foldCounts, course);
    members.push({ ...shared, ...member, name: `${view.name}: ${member.name}` });
  }
  const passes = PASSES.filter((count) => count * counts.data.length * classes <= MOST_MISTAKES);
  if (passes.length > 0) {
    watch();
    const member = mistakesMember(weigh(counts, 'presence'), passes, course);
    members.push({ ...shared, ...member, name: `${view.name}: ${member.name}` });
  }
  return members;
}
