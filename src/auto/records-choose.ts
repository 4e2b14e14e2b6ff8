import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { chooseEnsemble, floorOf, type HeldOutScores, lift, scoreOf, scoresAlone } from './ensemble.ts';
import { ordinaryCount } from './pool.ts';
import { type Candidate, leaders, type Raced, race, type Trial, trialsOf } from './race.ts';
import { countCells, dealFolds, type Fold, type Frame, groupRows, type Lesson, takeFrame } from './records.ts';
import { type ColumnCandidate, candidatesFor, type NumberFamily } from './records-candidates.ts';
import { type ColumnScore, columnScores } from './records-families.ts';
import { ColumnPool, orNothing } from './records-pool.ts';

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
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** See `Watch`. */
  readonly enough?: (() => boolean) | undefined;
  /** Rows of one group are never on both sides of a fold; without it, rows that are alike. */
  readonly groups?: Int32Array | undefined;
  /** The folds, where they were dealt already. */
  readonly folds?: Int32Array | undefined;
  /** All rows, to which the chosen members are fitted, where the lesson is a sample of them. */
  readonly all?: Lesson | undefined;
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

/** Rows that are alike stay together, unless most are: then the columns have no more to say, and it is not copying. */
function groupsOf(frame: Frame): Int32Array {
  const groups = groupRows(frame);
  return new Set(groups).size >= frame.rows / 2 ? groups : groups.map((_, i) => i);
}

/** Folds are dealt anew until this many rows were held out, twice at most: among few rows the choice depends on the folds. */
const ENOUGH_HELD = 1000;
const MOST_DEALS = 2;
/** As many held-out rows tell which family describes a column best. */
const ENOUGH_FOR_FAMILY = 100;
/** Rows times classes times pairs of columns, beyond which folds are dealt once and no more are held out than hold enough rows. */
const MOST_WORK = 1e7;

const isCostly = ({ frame, classes }: Lesson) => frame.rows * classes * frame.columns.length ** 2 > MOST_WORK;

/** The folds of every deal. */
function dealAll(lesson: Lesson, groups: Int32Array, seed: number): Int32Array[] {
  const deals = Math.max(1, Math.min(MOST_DEALS, Math.floor(ENOUGH_HELD / lesson.frame.rows)));
  return Array.from({ length: isCostly(lesson) ? 1 : deals }, (_, k) => dealFolds(lesson.codes, groups, seed + k));
}

/** A candidate of columns in a race; the lessons of a split are shared, so that cuts and scales are found once. */
interface ColumnEntrant extends Candidate {
  readonly columns: ColumnCandidate;
}

function entrants(candidates: readonly ColumnCandidate[], foldOf: (trial: Trial) => Fold): ColumnEntrant[] {
  return candidates.map((columns) => ({
    ...columns,
    columns,
    score(trial, only) {
      const { lesson, frame } = foldOf(trial);
      const scored = new Map<string, Matrix>();
      for (const member of orNothing(() => columns.fit(lesson, only)) ?? []) {
        const scores = orNothing(() => member.scores(frame));
        if (scores) scored.set(member.name, scores);
      }
      return scored;
    },
  }));
}

/**
 * Chooses a model of columns by out-of-fold log-loss on these rows alone: a family for every column, the members that are best together,
 * their weights, and isotonic curves where they help; then fits the chosen members to all rows.
 */
export function chooseColumns(lesson: Lesson, options: ChooseColumnsOptions = {}): ChosenColumns {
  const { seed = 0, signal, onProgress = () => {} } = options;
  const check = () => {
    if (signal?.aborted) refuse('E_CANCELLED', 'the choice of a model was cancelled', {}, signal.reason);
  };
  const deals = dealAll(lesson, options.groups ?? groupsOf(lesson.frame), seed);
  if (options.folds) deals[0] = options.folds;
  const [first] = deals;
  if (first.every((fold) => fold < 0))
    refuse('E_CLASS_TOO_SMALL', 'no class has two different rows: there is nothing to choose by');
  const { codes, classes } = lesson;
  const enough = isCostly(lesson) ? ENOUGH_HELD : undefined;
  const trials = deals.map((folds) => trialsOf(folds, codes, classes, enough));
  onProgress(0, 1, 'columns');
  const columns = columnScores(
    lesson,
    first,
    trialsOf(first, codes, classes, ENOUGH_FOR_FAMILY).map(({ fold }) => fold),
    check,
  );
  const family = (column: number) => columns[column].family as NumberFamily;
  const lessons = new Map<Trial, Fold>();
  const foldOf = (trial: Trial): Fold => {
    const known = lessons.get(trial) ?? {
      lesson: lesson.part(trial.learn),
      frame: takeFrame(lesson.frame, trial.held),
    };
    lessons.set(trial, known);
    return known;
  };
  const all = entrants(candidatesFor(lesson, family), foldOf);
  const raced: Raced[] = [];
  for (const [k, own] of trials.entries()) {
    const among = k === 0 ? all : survivors(raced[0]);
    const tell = (done: number, of: number, what: string) => onProgress(k * of + done, trials.length * of, what);
    raced.push(race(among, own, codes, { check, onProgress: tell, enough: options.enough }));
    lessons.clear();
  }
  const inAll = (name: string) => raced.every(({ entries }) => entries.some((own) => own.name === name));
  const common = raced[0].entries.map((entry) => entry.name).filter(inAll);
  if (raced[0].entries.length === 0) refuse('E_CLASS_TOO_SMALL', 'no model can learn these rows');
  // of very few rows, what the first deal leaves may be impossible to fit in another
  const used = common.length > 0 ? raced.map((own) => takeMembers(own, common)) : raced.slice(0, 1);
  const rows = { lesson, all: options.all ?? lesson };
  return settle(rows, { raced: used, first: raced[0] }, columns, seed, check);
}

/** The candidates that the first deal leaves in the race, for the further ones. */
function survivors({ entries, codes }: Raced): ColumnEntrant[] {
  const stay = leaders(entries, codes);
  return [...new Set(stay.map(({ candidate }) => candidate as ColumnEntrant))].map((candidate) => {
    const names = new Set(stay.filter((own) => own.candidate === candidate).map(({ name }) => name));
    return { ...candidate, score: (trial) => candidate.score(trial, names) };
  });
}

/** Some of the members, by name, in one order. */
function takeMembers({ entries, ...raced }: Raced, names: readonly string[]): Raced {
  return { ...raced, entries: names.map((name) => entries.find((own) => own.name === name)!) };
}

const heldOutOf = ({ entries, codes, folds }: Raced): HeldOutScores => ({
  scores: entries.map(({ scores }) => scores),
  codes,
  folds,
});

function settle(
  { lesson, all }: { readonly lesson: Lesson; readonly all: Lesson },
  { raced, first }: { readonly raced: readonly Raced[]; readonly first: Raced },
  columns: readonly ColumnScore[],
  seed: number,
  check: () => void,
): ChosenColumns {
  const [{ entries, rows, codes }] = raced;
  const deals = raced.map(heldOutOf);
  const { kept, pool, calibration, logProba } = chooseEnsemble(deals, {
    ...{ seed, check, everyone: heldOutOf(first) },
    method: 'isotonic',
  });
  const wanted = new Set(kept.map((m) => entries[m].name));
  const candidates = new Set(kept.map((m) => (entries[m].candidate as ColumnEntrant).columns));
  const fitted = [...candidates].flatMap((candidate) => {
    check();
    return candidate.fit(all, wanted); // members of one candidate share their counts
  });
  const members = kept.map((m) => fitted.find((member) => member.name === entries[m].name)!);
  const floor = floorOf(codes.length, lesson.classes);
  const ordinary = ordinaryCount(countCells(lesson.frame));
  const model = new ColumnPool(members, pool, calibration, { floor, ordinary });
  const final = calibration ? logProba : lift(logProba, floor);
  const name = `pool of ${members.length}${calibration ? ', isotonic' : ''}`;
  const alone = deals.map(scoresAlone);
  const tried = entries.map((entry, m): Tried => {
    const k = kept.indexOf(m);
    const logLoss = alone.reduce((total, own) => total + own[m].logLoss, 0) / deals.length;
    const { accuracy } = alone[0][m];
    return { name: entry.name, logLoss, accuracy, chosen: k >= 0, ...(k >= 0 && { weight: pool.weights[k] }) };
  });
  const left = first.entries.filter((entry) => !entries.some((own) => own.name === entry.name));
  const leftAlone = scoresAlone({ scores: left.map(({ scores }) => scores), codes });
  const gone = [...first.dropped, ...left.map((entry, k) => ({ name: entry.name, ...leftAlone[k] }))];
  const dropped = gone.map((own): Tried => ({ ...own, chosen: false }));
  const whole = { name, ...scoreOf(final, codes), chosen: true };
  return {
    columns,
    model,
    tried: [...sortTried([...tried, ...dropped]), whole],
    outOfFold: spread(final, lesson, rows),
    held: rows,
  };
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
