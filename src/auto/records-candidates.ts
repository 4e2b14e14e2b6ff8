import type { Matrix } from '../data/matrix.ts';
import { refuse, unlessRefused } from '../errors.ts';
import { AveragedOneDependenceNB } from '../estimators/averaged-one-dependence-nb.ts';
import { bestFamily } from '../estimators/best-family.ts';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { GaussianNB } from '../estimators/gaussian-nb.ts';
import { KDependenceNB } from '../estimators/k-dependence-nb.ts';
import { KernelNB } from '../estimators/kernel-nb.ts';
import { LinearDiscriminantAnalysis } from '../estimators/linear-discriminant-analysis.ts';
import { MixedNB } from '../estimators/mixed-nb.ts';
import { PoissonNB } from '../estimators/poisson-nb.ts';
import { RegularizedDiscriminantAnalysis } from '../estimators/regularized-discriminant-analysis.ts';
import { TreeAugmentedNB } from '../estimators/tree-augmented-nb.ts';
import { groupedFolds } from '../evaluate/folds.ts';
import { ordinaryCount } from '../evaluate/pool.ts';
import { type Trial, trialsOf } from '../evaluate/trials.ts';
import type { Cutting } from '../features/cuts.ts';
import { type Family, rangeOf } from '../models/mixed.ts';
import {
  blocksOf,
  countCells,
  type Frame,
  look,
  standardised,
  standardisedLevel,
  type TrainingRows,
  takeFrame,
  type View,
  type ViewFeature,
} from './records.ts';
import { ColumnPool, type Fitted, heavyName, lookToLearn, Member, type Part } from './records-pool.ts';
import { choosePairs, learnColumnWeights } from './records-weights.ts';
import { type Candidate, type Choice, chooseMembers } from './selection.ts';
import type { Steps } from './steps.ts';

/** How columns are chosen for. */
interface ChooseColumnsOptions {
  readonly seed?: number | undefined;
  /** The splits of the rows; without them, every row is a group of its own. */
  readonly trials?: readonly Trial[] | undefined;
  /** All rows, to which the chosen models are fitted, where the training rows are a sample of them. */
  readonly all?: TrainingRows | undefined;
}

/** What was chosen, and how it fared. */
interface ChosenColumns extends Pick<Choice<Member>, 'tried' | 'logProba'> {
  readonly model: ColumnPool;
}

/** Rows times classes times pairs of columns, beyond which no more folds are held out than hold enough rows. */
const COSTLY = 1e7;
const ENOUGH_HELD = 1000;

const isCostly = ({ frame, classes }: TrainingRows) => frame.rows * classes * frame.columns.length ** 2 > COSTLY;

/** The splits on which models are chosen, of texts beside these columns too. */
export const trialsFor = (training: TrainingRows, folds: Int32Array): Trial[] =>
  trialsOf(folds, training.codes, training.classes, isCostly(training) ? ENOUGH_HELD : undefined);

/**
 * Chooses an ensemble for columns by out-of-fold log-loss on these rows alone: the models that are best together, their weights, and
 * isotonic curves where they help; then fits the chosen models to all rows.
 */
export function* chooseColumns(training: TrainingRows, options: ChooseColumnsOptions = {}): Steps<ChosenColumns> {
  const { codes, frame } = training;
  const {
    seed = 0,
    all = training,
    trials = trialsFor(
      training,
      groupedFolds(
        codes,
        codes.map((_, i) => i),
        seed,
      ),
    ),
  } = options;
  if (trials.length === 0)
    refuse('E_CLASS_TOO_SMALL', 'no class has two different rows: there is nothing to choose by');
  const parts = new Map<Trial, { training: TrainingRows; frame: Frame }>();
  for (const trial of trials)
    parts.set(trial, { training: training.part(trial.learn), frame: takeFrame(frame, trial.held) });
  const candidates = candidatesFor(training).map(
    (own): Candidate<Member> => ({
      ...own,
      fit: (names) => own.fit(all, names),
      score(trial, only) {
        const part = parts.get(trial)!;
        const scored = new Map<string, Matrix>();
        for (const member of unlessRefused(() => own.fit(part.training, only)) ?? []) {
          const scores = unlessRefused(() => member.scores(part.frame));
          if (scores) scored.set(member.name, scores);
        }
        return scored;
      },
    }),
  );
  const how = { of: 'columns', seed, method: 'isotonic', floored: true } as const;
  const choice = yield* chooseMembers(candidates, trials, codes, how);
  const { members, pool, calibration, floor, tried, logProba } = choice;
  const model = new ColumnPool(members, pool, calibration, { floor, ordinary: ordinaryCount(countCells(frame)) });
  return { model, tried, logProba };
}

/** Work beyond this, in steps of an inner loop over all rows, is not begun for one candidate. */
const MOST_WORK = 4e9;

/** The most columns whose pairs are counted: among more, tables of pairs cost more than the rows that fill them. */
const MOST_PAIRED = 500;

/** With more columns, of the two averages only the weighted one is tried: it is rarely worse. */
const FEW_COLUMNS = 24;

/**
 * Parents of columns are chosen among all pairs of columns, and contexts divide rows further: of fewer rows, or fewer than pairs of
 * columns, models of single pairs do as well.
 */
const ROWS_IN_CONTEXT = 1000;

/** Of fewer rows, columns cannot be cut into many bins, and weights of pairs of columns follow chance. */
const ROWS_FOR_WEIGHTS = 4000;

/** The same for discriminants, which multiply rows by squares of features; quadratic ones do so for a grid. */
const MOST_LINEAR = 2e9;
const MOST_QUADRATIC = 2e8;
/** The most features a covariance is taken of. */
const MOST_WIDTH = 1000;
/** Of fewer rows for each, a covariance of indicators of bins is mostly chance. */
const ROWS_PER_INDICATOR = 5;
/** About how many bins a column of numbers is cut into. */
const BINS = 10;

/** From a covariance for each class to one for all classes, and from full ones to round ones. */
const quadratic = [0, 0.2].flatMap((lambda) => [0.1, 0.3, 0].map((gamma) => [lambda, gamma] as const));
/** One covariance for all classes, rounder than that of the linear discriminant. */
const shrunken = [0.1, 0.3].map((gamma) => [1, gamma] as const);

/** Kernels and other families that keep the values of a column are tried where rows times different values are fewer than this. */
const MOST_KERNELS = 2e5;

/** Whether a number may be a count; a missing one may. */
const isCount = (value: number): boolean =>
  Number.isNaN(value) || (Number.isInteger(value) && value >= 0 && value < 1e6);

const dependences: readonly Dependence[] = ['aode', 'waode', 'tan'];

/** The candidates for training rows, as far as their work is affordable. */
export function candidatesFor(training: TrainingRows): ColumnCandidate[] {
  const { classes, readings, frame } = training;
  const columns = training.columns('number').map((j) => frame.columns[j]);
  const numbers = columns.length > 0;
  const pairs =
    readings.length > 1 &&
    readings.length <= MOST_PAIRED &&
    5 * frame.rows * classes * readings.length ** 2 < MOST_WORK;
  const list: ColumnCandidate[] = [naiveBayes('naive Bayes', () => 'gaussian')];
  const few = numbers && !isCostly(training);
  const kept = columns.map((own) => few && frame.rows * new Set(own).size <= MOST_KERNELS);
  if (few && kept.every((own) => own)) list.push(naiveBayes('naive Bayes, kernels', () => 'kernel'));
  if (few && columns.every((own) => own.every(isCount))) list.push(naiveBayes('naive Bayes, counts', () => 'poisson'));
  if (numbers) list.push(distributions(kept));
  for (const [cutting, suffix] of cuttings(numbers)) {
    if (numbers) list.push(naiveBayes(`naive Bayes${suffix}`, () => cutting));
    if (pairs)
      list.push(dependence(readings.length <= FEW_COLUMNS ? dependences : dependences.slice(1), cutting, suffix));
  }
  if (pairs && frame.rows >= Math.max(ROWS_IN_CONTEXT, readings.length ** 2))
    list.push(contextual(cuttings(numbers)[0][1]));
  if (pairs && frame.rows >= Math.max(ROWS_FOR_WEIGHTS, readings.length ** 2)) list.push(weighted());
  return [...list, ...discriminants(training)];
}

const isCutting = (family: NumberFamily): family is Exclude<Cutting, 'fine'> =>
  family === 'mdl' || family === 'frequency';

const cuttings = (numbers: boolean): [Exclude<Cutting, 'fine'>, string][] =>
  numbers
    ? [
        ['mdl', ', bins by description length'],
        ['frequency', ', bins of equal frequency'],
      ]
    : [['mdl', '']];

function discriminants(training: TrainingRows): ColumnCandidate[] {
  const { rows, columns } = training.frame;
  const numbers = training.columns('number').length;
  const indicators = training.columns('level').reduce((sum, j) => sum + new Set(columns[j]).size, 0);
  // counting multiplies rows by squares, factoring a covariance costs about ten cubes, and each row with missing cells a third of one
  const gaps = countCells(training.frame).filter((count) => count < columns.length).length;
  const affordable = (width: number, most: number) =>
    width <= MOST_WIDTH && (rows + (10 + gaps / 3) * width) * width ** 2 < most;
  const width = numbers + indicators;
  const list: ColumnCandidate[] = [];
  if (affordable(width, MOST_LINEAR)) list.push(linear('lda', false));
  const binned = BINS * numbers + indicators;
  if (numbers > 0 && rows >= ROWS_PER_INDICATOR * binned && affordable(binned, MOST_LINEAR)) {
    list.push(linear('lda, bins of equal frequency', true));
  }
  if (numbers > 0 && affordable(width, MOST_QUADRATIC / training.classes)) {
    list.push(regularized(quadratic), regularized(shrunken));
  }
  return list;
}

/** The family of a column of numbers in naive Bayes: a distribution, or bins. */
export type NumberFamily = Exclude<Cutting, 'fine'> | Family;

/** A way to learn from training rows: one member, or several that share their counting. */
export interface ColumnCandidate {
  readonly name: string;
  /** How many of its members stay in the race. */
  readonly most?: number;
  /** The members by name; `only` names those that are wanted. */
  fit(training: TrainingRows, only?: ReadonlySet<string>): Member[];
}

const missing = 'ignore';
/** Sums of numbers are kept without rounding, so that unlearning restores them to the bit; counts are exact anyway. */
const summed = { missing, reproducible: true } as const;
const lookAt = (training: TrainingRows, view: View) => look(view, training.frame);
/** An estimator that has learned all training rows, in blocks. */
function learnRows<E extends Fitted>(estimator: E, { frame, labels }: TrainingRows, view: View): E {
  for (const { start, frame: rows } of blocksOf(frame))
    estimator.partialFit(lookToLearn(estimator, view, rows), labels.slice(start, start + rows.rows));
  return estimator;
}
const learn = (estimator: Fitted, training: TrainingRows, view: View): Part => ({
  estimator: learnRows(estimator, training, view),
  view,
});

/** The estimator and view of some columns of numbers that have one distribution. */
function familyPart(training: TrainingRows, family: Family, columns: readonly number[]): Part | undefined {
  const [least, most] = rangeOf(family);
  const view = columns.flatMap(
    (column): View => (isBell(family) ? standardised(column, training.frame) : [{ column, least, most }]),
  );
  if (view.length === 0) return undefined;
  const { missing: _, ...exact } = summed; // cells of a MixedNB may always be missing
  const kinds: Readonly<Record<string, () => Fitted>> = {
    gaussian: () => new GaussianNB({ varSmoothing: 1e-3, ...summed }),
    kernel: () => new KernelNB({ missing }),
    poisson: () => new PoissonNB(summed),
  };
  const mixed = () => new MixedNB({ columns: view.map(() => family), ...exact });
  return learn((kinds[family] ?? mixed)() as Fitted, training, view);
}

/** Whether a family follows the cells when they are moved and scaled. */
const isBell = (family: Family): boolean => family === 'gaussian' || family === 'kernel';

/** Naive Bayes over levels. */
function levelPart(training: TrainingRows, view: View): Part | undefined {
  return view.length === 0 ? undefined : learn(new CategoricalNB({ missing }), training, view);
}

/** Naive Bayes with a family for every column of numbers. */
export function naiveBayes(name: string, familyOf: (column: number) => NumberFamily): ColumnCandidate {
  return {
    name,
    fit(training) {
      const own = (family: NumberFamily) => training.columns('number').filter((j) => familyOf(j) === family);
      const binned = (['mdl', 'frequency'] as const).flatMap((cutting) =>
        own(cutting).map((column): ViewFeature => ({ column, cuts: training.cuts(column, cutting) })),
      );
      const levels = levelPart(training, [...training.columns('level').map((column) => ({ column })), ...binned]);
      const families = new Set(training.columns('number').map(familyOf));
      const others = [...families].map((family) =>
        isCutting(family) ? undefined : familyPart(training, family, own(family)),
      );
      const parts = [levels, ...others].filter((part) => part !== undefined);
      return parts.length === 0 ? [] : [new Member(name, parts, training.classes)];
    },
  };
}

/** The family of a column is chosen on at most this many rows, in this many folds. */
const ROWS_PER_FAMILY = 1000;
const FAMILY_FOLDS = 3;

/**
 * Naive Bayes in which each column of numbers has the distribution under which its held-out cells are most likely; those that keep all values
 * only where they are few (`kept`). Nothing where all of them are normal.
 */
function distributions(kept: readonly boolean[]): ColumnCandidate {
  const name = 'naive Bayes, distributions';
  return {
    name,
    fit(training, only) {
      const { classes, frame } = training;
      const step = Math.max(1, Math.ceil(frame.rows / ROWS_PER_FAMILY));
      const rows = Int32Array.from({ length: Math.ceil(frame.rows / step) }, (_, i) => i * step);
      const codes = rows.map((i) => training.codes[i]);
      const families = new Map(
        training.columns('number').map((column, k) => {
          const cells = Float64Array.from(rows, (i) => frame.columns[column][i]);
          return [column, bestFamily({ cells, codes, classes }, { cv: FAMILY_FOLDS, sums: !kept[k] })] as const;
        }),
      );
      if (!only && [...families.values()].every((family) => family === 'gaussian')) return [];
      return naiveBayes(name, (column) => families.get(column)!).fit(training);
    },
  };
}

/** Every column as levels. */
function levelView(training: TrainingRows, cutting: Cutting): View {
  return training.readings.map((reading, column) =>
    reading === 'level' ? { column } : { column, cuts: training.cuts(column, cutting) },
  );
}

const dependent = {
  aode: () => new AveragedOneDependenceNB({ missing }),
  waode: () => new AveragedOneDependenceNB({ missing, weighted: true }),
  tan: () => new TreeAugmentedNB({ missing }),
};

/** A model of levels in which columns depend on each other. */
export type Dependence = keyof typeof dependent;

/** Models of levels in which columns depend on each other, all from the same counts of pairs. */
export function dependence(kinds: readonly Dependence[], cutting: Cutting, suffix: string): ColumnCandidate {
  return {
    name: kinds.join(', ') + suffix,
    fit(training, only) {
      const view = levelView(training, cutting);
      const wanted = kinds.filter((kind) => !only || only.has(kind + suffix));
      if (wanted.length === 0) return [];
      const counted = learnRows(new AveragedOneDependenceNB({ missing }), training, view);
      return wanted.map((kind) => {
        const estimator = dependent[kind]().share(counted);
        return new Member(kind + suffix, [{ estimator, view }], training.classes);
      });
    },
  };
}

/**
 * Levels of which each depends on those of several other columns. The rows choose columns, their parents and how far tables are smoothed;
 * what they chose is a parameter of the estimator then, so that it stays when they are unlearned.
 */
export function contextual(suffix: string): ColumnCandidate {
  const name = `kdb${suffix}`;
  return {
    name,
    fit(training) {
      const view = levelView(training, 'mdl');
      const first = new KDependenceNB({ missing }).fit(lookAt(training, view), training.labels);
      const { parents, bound } = first;
      const settled = { parents, selectColumns: false, concentration: 'likelihood', bound } as const;
      const estimator = new KDependenceNB({ missing, ...settled }).share(first);
      return [new Member(name, [{ estimator, view }], training.classes)];
    },
  };
}

/** Pseudo-count of levels and of pairs of levels that have weights. */
const PAIR_ALPHA = 0.1;
/** Pairs are chosen by this many rows. */
const ROWS_FOR_PAIRS = 10_000;

/**
 * Weighted naive Bayes over columns in many bins, and as many pairs of them as there are columns. The rows choose pairs and weights, which
 * are then a part of the plan: they stay when rows are unlearned.
 */
export function weighted(): ColumnCandidate {
  const name = 'weighted naive Bayes, pairs';
  return {
    name,
    fit(training) {
      const { codes, classes, frame } = training;
      const alone = levelView(training, 'fine');
      const step = Math.max(1, frame.rows / ROWS_FOR_PAIRS);
      const some = training.part(
        Int32Array.from({ length: Math.floor(frame.rows / step) }, (_, k) => Math.floor(k * step)),
      );
      const chosen = choosePairs({ X: lookAt(some, alone), codes: some.codes, classes }, alone.length, PAIR_ALPHA);
      const sizeOf = ({ column, cuts }: ViewFeature) =>
        cuts ? cuts.length + 1 : frame.columns[column].reduce((most, level) => (level > most ? level : most), 0) + 2;
      const pairs = chosen.map(
        ([j, k]): ViewFeature => ({ ...alone[j], with: { ...alone[k], size: sizeOf(alone[k]) } }),
      );
      const view = [...alone, ...pairs];
      const X = lookAt(training, view);
      const weights = learnColumnWeights({ X, codes, classes }, PAIR_ALPHA);
      const columnWeights = Array.from(weights.subarray(0, view.length));
      const estimator = new CategoricalNB({ missing, alpha: PAIR_ALPHA, columnWeights }).fit(X, training.labels);
      return [new Member(name, [{ estimator, view }], classes)];
    },
  };
}

/** Categories with more levels than this do not become indicators. */
const MOST_INDICATORS = 60;
/** Indicators rarer than this are left out of a covariance. */
const LEAST_ROWS = 10;

/** Numbers and indicators of levels, with mean 0 and deviation 1. */
function numberView(training: TrainingRows, binned: boolean): View {
  return training.readings.flatMap((reading, column) => {
    if (reading === 'number' && !binned) return standardised(column, training.frame);
    const base = reading === 'number' ? { column, cuts: training.cuts(column, 'frequency') } : { column };
    const counts = new Map<number, number>();
    for (const v of lookAt(training, [base]).data) if (!Number.isNaN(v)) counts.set(v, (counts.get(v) ?? 0) + 1);
    const present = [...counts.values()].reduce((sum, n) => sum + n, 0);
    const often = [...counts].filter(([, n]) => n >= LEAST_ROWS).sort(([a, m], [b, n]) => n - m || a - b);
    const kept = often.slice(often.length < counts.size ? 0 : 1, MOST_INDICATORS); // one of all levels follows from the others
    return kept.flatMap(([level, n]) => standardisedLevel({ ...base, level }, n / present));
  });
}

/** Linear discriminant analysis on numbers and indicators. */
export function linear(name: string, binned: boolean): ColumnCandidate {
  return {
    name,
    fit(training) {
      const view = numberView(training, binned);
      if (view.length === 0) return [];
      const estimator = new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 1e-3, ...summed });
      return [new Member(name, [learn(estimator, training, view)], training.classes)];
    },
  };
}

/** How heavy tails of quadratic scores may be. */
const tails = [2, 10];

/** Regularised discriminant analysis: every (lambda, gamma) from the same counts. */
export function regularized(grid: readonly (readonly [lambda: number, gamma: number])[]): ColumnCandidate {
  const name = 'rda';
  return {
    name,
    most: 2,
    fit(training, only) {
      const view = numberView(training, false);
      if (view.length === 0) return [];
      const named = grid.map((point) => [`${name}(${point.join(', ')})`, point] as const);
      const wants = (own: string) => !only || only.has(own);
      const wanted = named.filter(([own]) => wants(own) || tails.some((tail) => wants(heavyName(own, tail))));
      const counted = learnRows(new RegularizedDiscriminantAnalysis(summed), training, view);
      return wanted.flatMap(([own, [lambda, gamma]]) => {
        const estimator = new RegularizedDiscriminantAnalysis({ lambda, gamma, ...summed }).share(counted);
        const plain = new Member(own, [{ estimator, view }], training.classes);
        return [plain, ...tails.map((tail) => plain.heavy(tail))].filter((member) => wants(member.name));
      });
    },
  };
}
