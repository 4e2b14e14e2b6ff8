import { Matrix } from '../data/matrix.ts';
import { fitPool } from './pool.ts';
import { posteriorPool, takeRowsOf } from './pool-choose.ts';
import type { Judged } from './pool-folds.ts';
import { dealFolds, type Folds } from './records.ts';
import type { Candidate } from './records-candidates.ts';
import { type ColumnScore, chooseFamilies, place } from './records-families.ts';
import { candidatesFor } from './records-grid.ts';
import { type Fold, foldsOf, type Lesson } from './records-lesson.ts';
import { orNothing } from './records-members.ts';

/** A model that was scored: what learns it, by its name there. */
export interface Contender {
  readonly name: string;
  readonly candidate: Candidate;
}

/** All models, scored under one deal of folds; scores, codes and folds are of the rows that were judged. */
export interface Deal extends Judged {
  readonly rows: Int32Array;
  readonly contenders: readonly Contender[];
  /** What each column alone says. */
  readonly columns: readonly ColumnScore[];
}

/** Who watches the work, and may stop it. */
export interface Watch {
  check(): void;
  onProgress(done: number, all: number, what: string): void;
}

/** Folds are dealt anew until so many rows have been judged, three times at most. */
const ENOUGH_JUDGED = 1500;
const MOST_DEALS = 3;
/** Rows times classes times pairs of columns, beyond which folds are dealt once. */
const MOST_WORK = 1e7;

/** How often folds are dealt: among few rows, what is best hangs on the deal. */
function dealsFor({ frame, classes }: Lesson): number {
  if (frame.rows * classes * frame.columns.length ** 2 > MOST_WORK) return 1;
  return Math.max(1, Math.min(MOST_DEALS, Math.floor(ENOUGH_JUDGED / frame.rows)));
}

/** The folds of every deal. */
export function dealAll(lesson: Lesson, groups: Int32Array, seed: number): Folds[] {
  return Array.from({ length: dealsFor(lesson) }, (_, k) => dealFolds(lesson.codes, groups, seed + k));
}

/** The out-of-fold scores of the members of a candidate that can be learned in every fold, by name. */
function outOfFold(folds: readonly Fold[], lesson: Lesson, candidate: Candidate): Map<string, Matrix> {
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

/** Scores all models by folds. */
export function scoreDeal(lesson: Lesson, assignment: Folds, { check, onProgress }: Watch): Deal {
  const rows = Int32Array.from(assignment.keys()).filter((i) => assignment[i] >= 0);
  const folds = foldsOf(lesson, assignment);
  onProgress(0, 1, 'columns');
  const { scores: columns, familyOf } = chooseFamilies(folds, assignment, lesson, check);
  const candidates = candidatesFor(lesson, familyOf);
  const contenders: Contender[] = [];
  const scores: Matrix[] = [];
  candidates.forEach((candidate, k) => {
    check();
    onProgress(k + 1, candidates.length + 1, candidate.name);
    for (const [name, own] of orNothing(() => outOfFold(folds, lesson, candidate)) ?? []) {
      contenders.push({ name, candidate });
      scores.push(takeRowsOf(own, rows));
    }
  });
  const codes = Int32Array.from(rows, (i) => lesson.codes[i]);
  return { rows, contenders, scores, codes, folds: Int32Array.from(rows, (i) => assignment[i]), columns };
}

/** The mean log-loss of every model alone, once its temperature is right. */
export function lossesAlone({ scores, codes }: Judged): number[] {
  const rows = codes.map((_, i) => i);
  return scores.map(({ data, cols }) => {
    return fitPool({ scores: [data], y: codes, classes: cols, rows }, posteriorPool(1)).logLoss;
  });
}

/** Some of the models, by name. */
export function takeModels(deal: Deal, names: ReadonlySet<string>): Deal {
  const kept = [...deal.contenders.keys()].filter((k) => names.has(deal.contenders[k].name));
  return { ...deal, contenders: kept.map((k) => deal.contenders[k]), scores: kept.map((k) => deal.scores[k]) };
}
