import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { PolyaError } from '../../errors.ts';
import { copiesOf } from '../../evaluate/held-out.ts';
import { Random } from '../../math/random.ts';
import { type Judged, judge } from '../../server/insight/judge.ts';
import type { Tune } from '../commands/tune.ts';
import { fail } from '../problem.ts';
import { texts } from '../texts/index.ts';
import { answers, crossJudge, foldsOf, joined, learn, silent } from './learn.ts';
import type { Lesson } from './lesson.ts';

/** Settings, as words and as the options of the library. */
export interface Candidate {
  readonly settings: Readonly<Record<string, string>>;
  readonly recipe: Omit<ClassifierOptions, 'target'>;
}

/** A candidate with its scores by folds. */
export interface Scored {
  readonly candidate: Candidate;
  readonly logLoss: number;
  readonly accuracy: number;
  /** How many rows it was judged by. */
  readonly rows: number;
}

/** A third goes on to three times as many rows. */
const ETA = 3;
const FEWEST_ROWS = 200;

/** Scores candidates by folds of the given rows, the best first. */
export function search(
  context: Tune,
  lesson: Lesson,
  rows: readonly number[],
  candidates: readonly Candidate[],
  phase: string,
): Scored[] {
  const { search: kind, seed } = context.options;
  if (kind === 'grid') return scoreAll(context, lesson, rows, candidates, phase);
  const order = Array.from(new Random(seed).permutation(rows.length), (k) => rows[k]);
  let alive = candidates;
  const lost: Scored[] = [];
  for (let size = Math.max(FEWEST_ROWS, Math.ceil(rows.length / ETA ** 3)); ; size *= ETA) {
    const enough = size >= rows.length || alive.length === 1;
    const scored = scoreAll(context, lesson, enough ? rows : order.slice(0, size), alive, phase);
    if (enough) return [...scored, ...lost.sort((a, b) => b.rows - a.rows || a.logLoss - b.logLoss)];
    const kept = Math.max(1, Math.ceil(scored.length / ETA));
    lost.push(...scored.slice(kept));
    alive = scored.slice(0, kept).map(({ candidate }) => candidate);
  }
}

function scoreAll(
  context: Tune,
  lesson: Lesson,
  rows: readonly number[],
  candidates: readonly Candidate[],
  phase: string,
): Scored[] {
  const { cv, seed } = context.options;
  const own = lesson.table.take(rows);
  const some = { rows: own.records(), labels: rows.map((i) => lesson.labels[i]) };
  const parts = foldsOf(some.labels, copiesOf(own, lesson.target), cv, seed);
  let refusal: PolyaError | undefined;
  const scored = candidates.flatMap((candidate, k): Scored[] => {
    context.progress.step(phase, { share: k / candidates.length, what: Object.values(candidate.settings).join(' ') });
    try {
      const judged = joined(crossJudge(some, { ...candidate.recipe, target: lesson.target }, parts, silent));
      const { logLoss, accuracy } = judge(judged, '');
      return [{ candidate, logLoss: logLoss ?? Number.POSITIVE_INFINITY, accuracy: accuracy.value, rows: rows.length }];
    } catch (error) {
      if (!(error instanceof PolyaError) || error.code !== 'E_PARAM') throw error;
      refusal = error; // a combination that this model or these columns do not have
      return [];
    }
  });
  context.progress.end();
  if (scored.length === 0) fail('E_PARAM', texts.tune.noneFits(refusal?.message ?? ''), { cause: refusal });
  return scored.sort((a, b) => a.logLoss - b.logLoss);
}

/** Judges the search itself: each outer fold by the settings that the others chose. */
export function nestedJudgement(context: Tune, lesson: Lesson, candidates: readonly Candidate[]): Judged[] {
  const { outer, seed } = context.options;
  const parts = foldsOf(lesson.labels, copiesOf(lesson.table, lesson.target), outer, seed + 1);
  return parts.map(({ train, test }, k) => {
    const [best] = search(context, lesson, train, candidates, texts.tune.outer(k + 1, outer));
    const recipe = { ...best.candidate.recipe, target: lesson.target, evaluate: false };
    const own = train.map((i) => lesson.rows[i]);
    return answers(learn(own, recipe, context), lesson, test, context);
  });
}
