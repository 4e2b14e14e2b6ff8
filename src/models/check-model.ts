import { count, type Model, score } from '../core/model.ts';
import { requireItems, requireKind, requireLike, requireNumber, requireOptions } from '../data/arguments.ts';
import { type Batch, batch, type Shape, sliceBatch, sliceRows, toSparse } from '../data/batch.ts';
import { refuse, show } from '../errors.ts';
import { Generator } from '../math/generator.ts';
import { logSumExp } from '../math/logs.ts';
import { pack, unpack } from '../stats/pack.ts';

/** Options of `checkModel`. */
export interface ModelTrial<O> {
  /** The options of the model; they treat all classes alike. */
  readonly options: O;
  /** `levels` of the columns, or `missing: true` where cells may be missing (NaN). */
  readonly shape?: Partial<Omit<Shape, 'parts'>> | undefined;
  /** How closely scores must agree after another order of additions, relative to their size; 1e-9 by default. */
  readonly tolerance?: number | undefined;
}

/** The actual and the expected scores, row by row and class by class. */
type Finding = readonly [actual: ArrayLike<number>, expected: ArrayLike<number>];

/** A model with its rows, statistic and scores. */
interface Trial<S extends Shape, P extends Shape, O> {
  readonly model: Model<S, P, O>;
  readonly options: O;
  readonly all: Batch;
  /** The first and the second half of the rows. */
  readonly halves: readonly [Batch, Batch];
  readonly params: P;
  readonly scores: Float64Array;
  count(rows: Batch): S;
  /** The counts of several batches, merged in this order. */
  merge(...batches: readonly Batch[]): S;
  scoresOf(stats: S): Float64Array;
}

/**
 * Checks the laws of a model on rows of two or more classes (`y` has their numbers): counts merge in any order, a row of weight two equals
 * the row twice, subtraction is exact, the order of classes does not matter, terms sum to scores. Throws E_CONFLICT with the name of the
 * first broken law.
 */
export function checkModel<S extends Shape, P extends Shape, O>(
  model: Model<S, P, O>,
  X: readonly (readonly number[])[],
  y: readonly number[],
  trial: ModelTrial<O>,
): void {
  const parts = { statistic: 'object', estimate: 'function', score: 'function', terms: 'function' } as const;
  requireLike(model, 'a model such as multinomial', parts);
  requireOptions('checkModel', ['options', 'shape', 'tolerance'], trial);
  const { options, shape = {}, tolerance = 1e-9 } = trial;
  requireItems(X, 'rows of numbers');
  requireItems(y, 'the class of each row');
  requireOptions('the model', Object.keys(options ?? {}), options);
  requireKind(shape, 'a shape such as { missing: true }', 'object');
  requireNumber('tolerance', tolerance, 'a number ≥ 0', (value) => value >= 0);
  if (y.length !== X.length || !y.every((c) => Number.isSafeInteger(c) && c >= 0 && c < X.length)) {
    refuse('E_SHAPE', 'y has one class per row, a whole number from 0 on', { expected: X.length, actual: y.length });
  }
  const all = batch(X, y, undefined, shape);
  if (all.classes < 2) refuse('E_CLASSES_TOO_FEW', 'checkModel needs rows of two classes', { classes: all.classes });
  const prepared = prepare(model, all, options);
  for (const [law, find] of [...countingLaws(prepared), ...scoringLaws(prepared)]) {
    const [actual, expected] = find();
    const broken = differenceAt(actual, expected, tolerance);
    if (broken < 0) continue;
    const what = `${actual[broken]} instead of ${expected[broken]} at place ${broken}`;
    refuse('E_CONFLICT', `the model ${show(model.name)} breaks the law "${law}": ${what}`, { law, at: broken });
  }
}

function prepare<S extends Shape, P extends Shape, O>(model: Model<S, P, O>, all: Batch, options: O): Trial<S, P, O> {
  const half = Math.ceil(all.rows / 2);
  const counted = (rows: Batch) => count(model.statistic, rows);
  const params = model.estimate(counted(all), options);
  return {
    model,
    options,
    all,
    halves: [sliceBatch(all, 0, half), sliceBatch(all, half, all.rows)],
    params,
    scores: score(model, params, all),
    count: counted,
    merge(...batches) {
      const stats = model.statistic.empty(all);
      for (const own of batches) model.statistic.merge(stats, counted(own));
      return stats;
    },
    scoresOf: (stats) => score(model, model.estimate(stats, options), all),
  };
}

/** The first place where two lists differ, or −1. NaN differs from everything. */
function differenceAt(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): number {
  const close = (a: number, b: number) =>
    a === b || Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
  for (let k = 0; k < Math.max(actual.length, expected.length); k++) if (!close(actual[k], expected[k])) return k;
  return -1;
}

type Laws = readonly (readonly [law: string, find: () => Finding])[];

/** Laws of the statistic, seen through the scores that follow from it. */
function countingLaws<S extends Shape, P extends Shape, O>(trial: Trial<S, P, O>): Laws {
  const { all, halves, scores, merge, scoresOf } = trial;
  const { statistic } = trial.model;
  const [first, second] = halves;
  const { classes } = all;
  const nextClass = (c: number) => (c + 1) % classes;
  const without = (stats: S, rows: Batch) => {
    statistic.subtract(stats, trial.count(rows));
    return stats;
  };
  const halved = (stats: S) => {
    statistic.scale(stats, 0.5);
    return stats;
  };
  const renamed = () => scores.map((_, at) => scores[at - (at % classes) + ((at + classes - 1) % classes)]);
  const backwards = () => {
    const exact = statistic.exact.empty(all);
    for (let i = all.rows - 1; i >= 0; i--) statistic.exact.add(exact, sliceBatch(all, i, i + 1));
    return statistic.exact.round(exact);
  };
  return [
    ['counts of parts merge into those of the whole', () => [scoresOf(merge(first, second)), scores]],
    ['counts merge in any order', () => [scoresOf(merge(second, first)), scores]],
    ['what is taken away is gone', () => [scoresOf(without(merge(all, first), first)), scores]],
    [
      'a row of weight two is the row twice',
      () => [scoresOf(trial.count({ ...all, w: all.w.map(() => 2) })), scoresOf(merge(all, all))],
    ],
    ['half of twice the counts is the counts', () => [scoresOf(halved(merge(all, all))), scores]],
    [
      'renamed classes rename the scores',
      () => [scoresOf(trial.count({ ...all, y: all.y.map(nextClass) })), renamed()],
    ],
    [
      'counts keep their values in another order of classes',
      () => [
        scoresOf(
          statistic.reshape(trial.count(all), all, {
            classes: Int32Array.from({ length: classes }, (_, c) => nextClass(c)),
          }),
        ),
        renamed(),
      ],
    ],
    ['exact counts round to the counts', () => [scoresOf(backwards()), scores]],
  ];
}

/** Laws of the scores. */
function scoringLaws<S extends Shape, P extends Shape, O>(trial: Trial<S, P, O>): Laws {
  const { model, options, all, params, scores } = trial;
  const { classes, features, rows } = all;
  const logPrior = model.logPrior(params);
  const numbers = Array.from({ length: rows }, (_, i) => i);
  const explained = (i: number) => {
    const { terms, rest } = model.terms(params, all, i);
    return Array.from(logPrior, (prior, c) => {
      let total = prior + rest[c];
      for (let at = c; at < terms.length; at += classes) total += terms[at];
      return total;
    });
  };
  const random = new Generator(1);
  const possible = Array.from(logPrior, (_, c) => () => {
    const row = new Float64Array(features);
    model.sample(params, c, random, row);
    return score(model, params, batch([[...row]]))[c] > -Infinity ? 1 : 0;
  });
  const restored = () => {
    const { form } = model;
    const own = form ? unpack(form, pack(form, params), all, options) : params;
    return own ? score(model, own, all) : [];
  };
  const gaps = () => batch([new Array<number>(features).fill(Number.NaN)]);
  return [
    ['a score is a number or −∞', () => [scores.map((value) => (value < Infinity ? 0 : 1)), scores.map(() => 0)]],
    ['class priors add up to one', () => [[logSumExp(logPrior)], [0]]],
    ['sparse rows score as dense rows', () => [score(model, params, toSparse(all)), scores]],
    [
      'a row scores alone as among others',
      () => [numbers.flatMap((i) => [...score(model, params, sliceRows(all, i, i + 1))]), scores],
    ],
    ['prior and terms add up to the score', () => [numbers.flatMap(explained), scores]],
    ['what a class draws is possible in it', () => [possible.map((draw) => draw()), possible.map(() => 1)]],
    ['parameters survive a file', () => [restored(), scores]],
    [
      'a row of missing cells scores the prior',
      () => (all.missing ? [score(model, params, gaps()), logPrior] : [[], []]),
    ],
  ];
}
