import type { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { refuse } from '../errors.ts';
import { groupedFolds } from '../evaluate/folds.ts';
import { chooseMembers, overAllRows, type Tried } from './choose.ts';
import { ordinaryCount } from './pool.ts';
import { type Candidate, type Trial, trialsOf } from './race.ts';
import { countCells, type Fold, type TrainingRows, takeFrame } from './records.ts';
import { candidatesFor, type NumberFamily } from './records-candidates.ts';
import { type ColumnScore, columnScores } from './records-families.ts';
import { ColumnPool, type Member, orNothing } from './records-pool.ts';

/** How columns are chosen for. */
export interface ChooseColumnsOptions {
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** See `Watch`. */
  readonly enough?: (() => boolean) | undefined;
  /** Rows of one group are never on both sides of a fold; without it, every row is a group. */
  readonly groups?: Int32Array | undefined;
  /** The folds, where rows were split already. */
  readonly folds?: Int32Array | undefined;
  /** All rows, to which the chosen members are fitted, where the training rows are a sample of them. */
  readonly all?: TrainingRows | undefined;
  readonly onProgress?: ((done: number, all: number, what: string) => void) | undefined;
}

/** What was chosen, and how it fared. */
export interface ChosenColumns {
  readonly model: ColumnPool;
  readonly tried: readonly Tried[];
  /** What each column alone says. */
  readonly columns: readonly ColumnScore[];
  /** ln p(c | x) of the training rows, each from models that were not fitted to it; of rows that were never held out, the prior. */
  readonly outOfFold: Matrix;
  /** The rows that were held out. */
  readonly held: Int32Array;
}

/** Rows are split anew until this many were held out, twice at most: among few rows the choice depends on the folds. */
const ENOUGH_HELD = 1000;
const MOST_SPLITS = 2;
/** As many held-out rows tell which family describes a column best. */
const ENOUGH_FOR_FAMILY = 100;
/** Rows times classes times pairs of columns, beyond which rows are split once, and no more folds are held out than hold enough rows. */
const MOST_WORK = 1e7;

const isCostly = ({ frame, classes }: TrainingRows) => frame.rows * classes * frame.columns.length ** 2 > MOST_WORK;

/** The folds of every split. */
function splitAll(training: TrainingRows, groups: Int32Array, seed: number): Int32Array[] {
  const splits = Math.max(1, Math.min(MOST_SPLITS, Math.floor(ENOUGH_HELD / training.frame.rows)));
  return Array.from({ length: isCostly(training) ? 1 : splits }, (_, k) =>
    groupedFolds(training.codes, groups, seed + k),
  );
}

/**
 * Chooses a model of columns by out-of-fold log-loss on these rows alone: a family for every column, the members that are best together,
 * their weights, and isotonic curves where they help; then fits the chosen members to all rows.
 */
export function chooseColumns(training: TrainingRows, options: ChooseColumnsOptions = {}): ChosenColumns {
  const { seed = 0, signal, enough, onProgress = () => {}, all = training } = options;
  const check = () => requireGoing(signal);
  const splits = splitAll(training, options.groups ?? training.codes.map((_, i) => i), seed);
  if (options.folds) splits[0] = options.folds;
  const [first] = splits;
  if (first.every((fold) => fold < 0))
    refuse('E_CLASS_TOO_SMALL', 'no class has two different rows: there is nothing to choose by');
  const { codes, classes, frame } = training;
  const trials = splits.map((folds) => trialsOf(folds, codes, classes, isCostly(training) ? ENOUGH_HELD : undefined));
  onProgress(0, 1, 'columns');
  const heldOut = trialsOf(first, codes, classes, ENOUGH_FOR_FAMILY).map(({ fold }) => fold);
  const columns = columnScores(training, first, heldOut, check);
  const folds = new Map<Trial, Fold>();
  const foldOf = (trial: Trial): Fold => {
    if (!folds.has(trial)) {
      if (folds.size >= trials[0].length) folds.clear(); // those of an earlier split
      folds.set(trial, { training: training.part(trial.learn), frame: takeFrame(frame, trial.held) });
    }
    return folds.get(trial)!;
  };
  const candidates = candidatesFor(training, (column) => columns[column].family as NumberFamily).map(
    (own): Candidate<Member> => ({
      ...own,
      fit: (names) => own.fit(all, names),
      score(trial, only) {
        const fold = foldOf(trial);
        const scored = new Map<string, Matrix>();
        for (const member of orNothing(() => own.fit(fold.training, only)) ?? []) {
          const scores = orNothing(() => member.scores(fold.frame));
          if (scores) scored.set(member.name, scores);
        }
        return scored;
      },
    }),
  );
  const how = { seed, check, enough, onProgress, method: 'isotonic', floored: true } as const;
  const { members, pool, calibration, floor, tried, held, logProba } = chooseMembers(candidates, trials, codes, how);
  const model = new ColumnPool(members, pool, calibration, { floor, ordinary: ordinaryCount(countCells(frame)) });
  return { columns, model, tried, held, outOfFold: overAllRows(logProba, held, frame.rows, training.logPrior) };
}
