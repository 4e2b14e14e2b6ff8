import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { applyPool, fitPool } from './pool.ts';
import { chooseCurves, crossFit } from './pool-calibrate.ts';
import { accuracyOf, choosePool, logLossOf, takeRowsOf } from './pool-choose.ts';
import { dealFolds, type Frame, groupRows } from './records.ts';
import type { Candidate } from './records-candidates.ts';
import { type ColumnScore, chooseFamilies, place } from './records-families.ts';
import { type ColumnModel, candidatesFor } from './records-grid.ts';
import { foldsOf, type Lesson } from './records-lesson.ts';
import { type Member, orNothing } from './records-members.ts';
import { ColumnPool } from './records-pool.ts';

/** One model that was tried, with its out-of-fold scores at the best temperature. */
export interface Tried {
  readonly name: string;
  readonly logLoss: number;
  readonly accuracy: number;
  readonly chosen: boolean;
  /** How much it counts in the pool. */
  readonly weight?: number;
}

/** How columns are chosen for. */
export interface ChooseColumnsOptions {
  /** Which models are tried; all of them by default. */
  readonly model?: ColumnModel | undefined;
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Rows of one group are never on both sides of a fold; without it, rows that are alike. */
  readonly groups?: Int32Array | undefined;
  readonly onProgress?: ((done: number, all: number, what: string) => void) | undefined;
}

/** What was chosen, and how it fared. */
export interface ChosenColumns {
  readonly model: ColumnPool;
  readonly tried: readonly Tried[];
  /** What each column alone says. */
  readonly columns: readonly ColumnScore[];
  /** ln p(c | x) of the training rows, each from models that have not learned it; of rows never judged, the prior. */
  readonly outOfFold: Matrix;
  /** Which rows were judged. */
  readonly judged: Int32Array;
  readonly folds: Int32Array;
}

/** Rows that are alike stay together, unless most are: then the columns have no more to say, and it is not copying. */
function groupsOf(frame: Frame): Int32Array {
  const groups = groupRows(frame);
  return new Set(groups).size >= frame.rows / 2 ? groups : groups.map((_, i) => i);
}

/**
 * Chooses a model of columns by five-fold out-of-fold log-loss on these rows alone: a family for every column, the models
 * that are best together, their weights, and isotonic curves where they help; then learns the chosen from all rows.
 */
export function chooseColumns(lesson: Lesson, options: ChooseColumnsOptions = {}): ChosenColumns {
  const { seed = 0, signal, onProgress = () => {} } = options;
  const check = () => {
    if (signal?.aborted) refuse('E_CANCELLED', 'the choice of a model was cancelled', {}, signal.reason);
  };
  const assignment = dealFolds(lesson.codes, options.groups ?? groupsOf(lesson.frame), seed);
  const judged = Int32Array.from(assignment.keys()).filter((i) => assignment[i] >= 0);
  const folds = foldsOf(lesson, assignment);
  if (judged.length === 0)
    refuse('E_CLASS_TOO_SMALL', 'no class has two different rows: there is nothing to choose by');
  onProgress(0, 1, 'columns');
  const { scores: columns, familyOf } = chooseFamilies(folds, lesson, judged, check);
  const candidates = candidatesFor(lesson, familyOf, options.model ?? 'auto');
  const scored = new Map<string, { candidate: Candidate; scores: Matrix }>();
  candidates.forEach((candidate, k) => {
    check();
    onProgress(k + 1, candidates.length + 1, candidate.name);
    for (const [name, scores] of orNothing(() => outOfFold(folds, lesson, candidate)) ?? []) {
      scored.set(name, { candidate, scores: takeRowsOf(scores, judged) });
    }
  });
  if (scored.size === 0)
    refuse('E_CLASS_TOO_SMALL', `no model of the kind ${options.model ?? 'auto'} can learn these rows`);
  return settle(lesson, scored, { columns, judged, folds: assignment }, check);
}

/** The out-of-fold scores of the members of a candidate that can be learned in every fold, by name. */
function outOfFold(folds: ReturnType<typeof foldsOf>, lesson: Lesson, candidate: Candidate): Map<string, Matrix> {
  const all = new Map<string, Matrix>();
  const seen = new Map<string, number>();
  for (const fold of folds) {
    for (const member of candidate.fit(fold.lesson)) {
      const out = all.get(member.name) ?? new Matrix(lesson.frame.rows, lesson.classes);
      const scores = orNothing(() => member.scores(fold.frame));
      if (!scores) continue;
      place(out, fold, scores);
      all.set(member.name, out);
      seen.set(member.name, (seen.get(member.name) ?? 0) + 1);
    }
  }
  return new Map([...all].filter(([name]) => seen.get(name) === folds.length));
}

type Basis = Pick<ChosenColumns, 'columns' | 'judged' | 'folds'>;

function settle(
  lesson: Lesson,
  scored: ReadonlyMap<string, { candidate: Candidate; scores: Matrix }>,
  basis: Basis,
  check: () => void,
): ChosenColumns {
  const codes = Int32Array.from(basis.judged, (i) => lesson.codes[i]);
  const names = [...scored.keys()];
  const scores = [...scored.values()].map((entry) => entry.scores);
  const alone = scores.map((own) => fitPool([own], codes).logLoss);
  const among = bestVariants([...scored.values()], alone);
  const best = choosePool(
    among.map((m) => scores[m]),
    codes,
    { check },
  );
  const pool = { ...best, members: best.members.map((k) => among[k]) };
  const members = pool.members.map((m): Member => {
    check();
    const { candidate } = scored.get(names[m])!;
    return candidate.fit(lesson, names[m]).find(({ name }) => name === names[m])!;
  });
  const chosen = pool.members.map((m) => scores[m]);
  const pooled = applyPool(pool, chosen);
  const folds = Int32Array.from(basis.judged, (i) => basis.folds[i]);
  const curves = chooseCurves(pooled, codes, folds);
  const model = new ColumnPool(members, pool, curves);
  const final = crossFit(chosen, codes, folds, { bias: pool.bias.some(Boolean), curved: curves !== undefined });
  const tried = names.map((name, m): Tried => {
    const k = pool.members.indexOf(m);
    const weight = k >= 0 ? { weight: pool.weights[k] } : {};
    return { name, logLoss: alone[m], accuracy: accuracyOf(scores[m], codes), chosen: k >= 0, ...weight };
  });
  const name = `pool of ${members.length}${curves ? ', isotonic' : ''}`;
  const whole = { name, logLoss: logLossOf(final, codes), accuracy: accuracyOf(final, codes), chosen: true };
  return { ...basis, model, tried: [...sortTried(tried), whole], outOfFold: spread(final, lesson, basis.judged) };
}

/** Of a grid, the best two points: the others would say the same again. */
function bestVariants(scored: readonly { candidate: Candidate }[], alone: readonly number[]): number[] {
  const order = [...alone.keys()].sort((a, b) => alone[a] - alone[b]);
  return order.filter((m, at) => {
    const better = order.slice(0, at).filter((other) => scored[other].candidate === scored[m].candidate);
    return better.length < 2;
  });
}

const sortTried = (tried: readonly Tried[]) => [...tried].sort((a, b) => a.logLoss - b.logLoss);

function spread(final: Matrix, lesson: Lesson, judged: Int32Array): Matrix {
  const out = new Matrix(lesson.frame.rows, lesson.classes);
  const prior = lesson.logPrior;
  for (let i = 0; i < out.rows; i++) out.row(i).set(prior);
  judged.forEach((i, k) => {
    out.row(i).set(final.row(k));
  });
  return out;
}
