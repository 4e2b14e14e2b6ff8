import { describe, expect, test } from 'vitest';
import { decodeState, encodeState, type StateOptions } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { PolyaError } from '../errors.ts';
import { KDependenceNB } from '../estimators/k-dependence-nb.ts';
import { applyPool } from '../evaluate/pool.ts';
import { fitPosterior } from '../evaluate/posterior-calibration.ts';
import { Random } from '../math/random.ts';
import { type Frame, look, type Reading, TrainingRows, takeFrame } from './records.ts';
import {
  contextual,
  dependence,
  linear,
  type NumberFamily,
  naiveBayes,
  regularized,
  weighted,
} from './records-candidates.ts';
import { ColumnPool, Member } from './records-pool.ts';

const readings: Reading[] = ['number', 'number', 'number', 'number', 'number', 'level', 'level'];
const families: NumberFamily[] = ['gaussian', 'kernel', 'poisson', 'mdl', 'gaussian'];
/** Some cells are not in the support of the second and the last. */
const distributions: NumberFamily[] = ['vonmises', 'beta', 'zeroinflatedlognormal', 'gamma', 'lognormal'];
/** Families that keep all values. */
const values: NumberFamily[] = ['studentt', 'kernel', 'negativebinomial', 'studentt', 'zeroinflatednegativebinomial'];

interface Rows {
  readonly frame: Frame;
  readonly codes: Int32Array;
}

/** Rows of correlated numbers, counts and levels whose distribution depends on the class; one cell in ten is missing. */
function drawRows(random: Random, rows: number, classes: number, from = 0): Rows {
  const codes = Int32Array.from({ length: rows }, () => from + random.integer(classes));
  const normal = () => random.normal();
  const columns = readings.map(() => new Float64Array(rows));
  codes.forEach((c, i) => {
    const common = normal();
    const cells = [
      common + 0.8 * c,
      2 * normal() - c,
      Math.floor(Math.exp(0.5 * normal() + 0.3 * c)),
      1e3 + 40 * (common - c),
      random.integer(3) + 0.1 * c,
      (random.integer(4) + c) % 5,
      random.integer(2 + c),
    ];
    cells.forEach((cell, j) => {
      columns[j][i] = random.uniform() < 0.1 ? Number.NaN : cell;
    });
  });
  return { frame: { rows, columns }, codes };
}

const take = ({ frame, codes }: Rows, rows: readonly number[]): Rows => ({
  frame: takeFrame(frame, rows),
  codes: Int32Array.from(rows, (i) => codes[i]),
});

const keysOf = ({ codes }: Rows) => [...codes.keys()];

function membersOf({ frame, codes }: Rows, classes: number): Member[] {
  const training = new TrainingRows(frame, codes, classes, readings);
  return [
    naiveBayes('naive Bayes', (j) => families[j]),
    naiveBayes('naive Bayes, distributions', (j) => distributions[j]),
    naiveBayes('naive Bayes, values', (j) => values[j]),
    dependence(['aode', 'waode', 'tan'], 'frequency', ''),
    contextual(''),
    weighted(),
    linear('lda', false),
    linear('lda, bins', true),
    regularized([
      [0, 0.1],
      [0.2, 0],
      [1, 0.3],
    ]),
  ].flatMap((candidate) => candidate.fit(training));
}

/** A pool of members with weights, biases and isotonic curves as fitting gives them. */
function poolOf(members: readonly Member[], { frame, codes }: Rows, ordinary?: number): ColumnPool {
  const pool = {
    weights: Float64Array.from(members, (_, m) => (0.5 + m) / members.length ** 2),
    bias: Float64Array.from({ length: members[0].classes }, (_, c) => 0.1 * c),
  };
  const scores = members.map((member) => member.scores(frame));
  const curves = fitPosterior('isotonic', { logProba: applyPool(pool, scores), codes });
  return new ColumnPool(members, pool, curves, { ordinary });
}

const answers = (pool: ColumnPool, { frame }: Rows): Float64Array => pool.predictLogProba(frame).data;
const largestDifference = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);
const reloaded = (pool: ColumnPool, options?: StateOptions) =>
  ColumnPool.fromState(decodeState(encodeState(pool.toState(options))));

const random = new Random(20);
const first = drawRows(random, 240, 3);
const later = drawRows(random, 120, 4);
const held = drawRows(random, 60, 4);
const members = membersOf(first, 3);
/** Of every kind of member one with curves, and all of them together. */
const pools: [string, ColumnPool][] = [
  ...members.map((member): [string, ColumnPool] => [member.name, poolOf([member], first)]),
  ['all together', poolOf(members, first, 6)],
];

/** A pool that has as many class codes as another, and has learned none of them anew. */
function withCodes({ members: own, pool, curves, ordinary }: ColumnPool, classes: number): ColumnPool {
  const bias = Float64Array.from({ length: classes }, (_, c) => pool.bias[c] ?? 0);
  const wider = own.map((member) => member.over(member.parts, classes));
  return new ColumnPool(wider, { weights: pool.weights, bias }, curves, { ordinary });
}

describe.each(pools)('%s', (_, pool) => {
  test('unlearning what was learned restores every bit, and a new class vanishes', () => {
    const before = withCodes(pool, 4);
    const grown = pool.learn(later.frame, later.codes, 4);
    expect(largestDifference(answers(grown, held), answers(before, held))).toBeGreaterThan(0.01);
    const back = grown.unlearn(later.frame, later.codes, 4);
    expect(answers(back, held)).toEqual(answers(before, held));
    expect(back.members.map(({ counts }) => counts)).toEqual(before.members.map(({ counts }) => counts));
    expect(answers(pool, held)).toEqual(answers(reloaded(pool), held)); // the pool itself is as it was
  });

  test('neither order nor partition of rows changes a bit', () => {
    const [a, b] = [take(later, keysOf(later).slice(0, 50)), take(later, keysOf(later).slice(50))];
    const ab = pool.learn(a.frame, a.codes, 4).learn(b.frame, b.codes, 4);
    const ba = pool.learn(b.frame, b.codes, 4).learn(a.frame, a.codes, 4);
    expect(answers(ba, held)).toEqual(answers(ab, held));
    expect(answers(pool.learn(later.frame, later.codes, 4), held)).toEqual(answers(ab, held));
  });

  test('parts that are learned apart and merged are what all rows give, whatever their codes', () => {
    const [a, b] = [take(later, keysOf(later).slice(0, 60)), take(later, keysOf(later).slice(60))];
    const swap = Int32Array.of(2, 3, 0, 1);
    const mine = pool.blank().learn(a.frame, a.codes, 4);
    const theirs = pool.blank().learn(
      b.frame,
      b.codes.map((c) => swap.indexOf(c)),
      4,
    );
    const together = pool.blank().learn(later.frame, later.codes, 4);
    expect(answers(mine.merge(theirs, swap, 4), held)).toEqual(answers(together, held));
    expect(answers(mine.merge(pool.blank(), Int32Array.of(0, 1, 2), 4), held)).toEqual(answers(mine, held));
  });

  test('a pool without most of its rows is one that has learned the others alone', () => {
    const [kept, gone] = [keysOf(first).slice(0, 90), keysOf(first).slice(90)].map((rows) => take(first, rows));
    const rest = pool.unlearn(gone.frame, gone.codes, 3);
    expect(answers(pool.blank().learn(kept.frame, kept.codes, 3), held)).toEqual(answers(rest, held));
  });

  test('saving and loading in between changes nothing', () => {
    const through = reloaded(reloaded(pool).learn(later.frame, later.codes, 4)).unlearn(later.frame, later.codes, 4);
    expect(answers(through, held)).toEqual(answers(withCodes(pool, 4), held));
    const anew = reloaded(pool.blank()).learn(first.frame, first.codes, 3);
    expect(answers(anew, held)).toEqual(answers(pool, held));
  });

  test('after a decay, and with fractional weights, unlearning still restores every bit', () => {
    const weights = Float64Array.from(later.codes, () => random.uniform());
    const decayed = withCodes(pool.decay(0.83), 4);
    const back = decayed.learn(later.frame, later.codes, 4, weights).unlearn(later.frame, later.codes, 4, weights);
    expect(answers(back, held)).toEqual(answers(decayed, held));
    expect(decayed.members[0].counts[0]).toBeCloseTo(0.83 * pool.members[0].counts[0], 5);
  });
});

const whole = poolOf(members, first, 6);

test('random sequences of operations end where the rows that are left lead', () => {
  for (let round = 0; round < 4; round++) {
    let pool = whole.blank();
    let learned: number[] = [];
    for (let step = 0; step < 6; step++) {
      const free = keysOf(later).filter((i) => !learned.includes(i));
      const some = random.shuffle(step % 3 === 2 ? [...learned] : free).slice(0, 30);
      const rows = take(later, some);
      if (step % 3 === 2) {
        pool = pool.unlearn(rows.frame, rows.codes, 4);
        learned = learned.filter((i) => !some.includes(i));
      } else if (step % 3 === 1) {
        pool = reloaded(pool).merge(whole.blank().learn(rows.frame, rows.codes, 4), Int32Array.of(0, 1, 2, 3), 4);
        learned = [...learned, ...some];
      } else {
        pool = pool.learn(rows.frame, rows.codes, 4);
        learned = [...learned, ...some];
      }
    }
    const rows = take(later, random.shuffle(learned));
    expect(answers(pool, held)).toEqual(answers(whole.blank().learn(rows.frame, rows.codes, 4), held));
  }
});

test('a class of one row can be scored, is separated from others once it has more, and calibration leaves its share unchanged', () => {
  const own = drawRows(random, 60, 1, 3);
  // columns that every member reads, also the one whose first two columns have a bounded support
  for (const j of [0, 1, 4]) for (let i = 0; i < 60; i++) own.frame.columns[j][i] += 9;
  const one = take(own, [0]);
  const young = whole.learn(one.frame, one.codes, 4);
  expect(answers(young, held).some(Number.isNaN)).toBe(false);
  const [learn, unseen] = [take(own, keysOf(own).slice(0, 40)), take(own, keysOf(own).slice(40))];
  const grown = whole.learn(learn.frame, learn.codes, 4);
  const logProba = new Matrix(20, 4, answers(grown, unseen));
  for (let i = 0; i < 20; i++) {
    expect(Math.exp(logProba.at(i, 3))).toBeGreaterThan(0.5);
    expect(logProba.row(i).reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 9);
  }
  const { byColumn, rest } = grown.terms(unseen.frame);
  expect([...byColumn.values(), rest].every((values) => values.length === 4 && !values.some(Number.isNaN))).toBe(true);
});

test('rows that were never learned are refused, and the pool is as it was', () => {
  const before = answers(whole, held);
  const file = encodeState(whole.toState());
  const code = (work: () => unknown) => {
    try {
      work();
    } catch (cause) {
      return cause instanceof PolyaError && cause.code;
    }
    return undefined;
  };
  const twice = take(first, [...keysOf(first), 0]);
  expect(code(() => whole.unlearn(twice.frame, twice.codes, 3))).toBe('E_UNLEARN_UNDERFLOW');
  expect(code(() => whole.unlearn(later.frame, later.codes, 4))).toBe('E_UNLEARN_UNDERFLOW');
  expect(code(() => whole.blank().unlearn(first.frame, first.codes, 3))).toBe('E_NOT_FITTED');
  const other = poolOf(members.slice(1), first, 6);
  expect(code(() => whole.merge(other, Int32Array.of(0, 1, 2), 3))).toBe('E_MERGE_MISMATCH');
  const elsewhere = poolOf(membersOf(drawRows(random, 240, 3), 3), first, 6); // other cuts and scales
  expect(code(() => whole.merge(elsewhere, Int32Array.of(0, 1, 2), 3))).toBe('E_MERGE_MISMATCH');
  expect(encodeState(whole.toState())).toEqual(file);
  expect(answers(whole, held)).toEqual(before);
});

test('models that choose their structure by the first rows keep it', () => {
  const { columns } = first.frame;
  const levels = { rows: 240, columns: columns.slice(5) };
  const view = levels.columns.map((_, column) => ({ column }));
  const estimator = new KDependenceNB({ missing: 'ignore' }).fit(look(view, levels), Array.from(first.codes));
  const only = ({ frame, codes }: Rows) => ({ frame: { ...frame, columns: frame.columns.slice(5) }, codes });
  const pool = poolOf([new Member('kdb', [{ estimator, view }], 3)], only(first));
  const [more, test] = [only(later), only(held)];
  const back = pool.learn(more.frame, more.codes, 4).unlearn(more.frame, more.codes, 4);
  expect(answers(back, test)).toEqual(answers(withCodes(pool, 4), test));
  const decayed = withCodes(pool.decay(0.5), 4);
  const again = decayed.learn(more.frame, more.codes, 4).unlearn(more.frame, more.codes, 4);
  expect(answers(again, test)).toEqual(answers(decayed, test));
});

test('what has decayed to nothing is as if it had never been there', () => {
  expect(answers(whole.decay(1e-12), held).some(Number.isNaN)).toBe(false);
  expect(answers(whole.decay(0), held)).toEqual(answers(whole.blank(), held));
});

test('a blank pool answers for every class alike but for its biases, and a slim one does not learn', () => {
  const row = answers(whole.blank(), take(held, [0]));
  expect(row.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 9);
  const slim = reloaded(whole, { slim: true });
  expect([whole.learns, whole.blank().learns, slim.learns]).toEqual([true, true, false]);
  expect(largestDifference(answers(slim, held), answers(whole, held))).toBeLessThan(1e-9);
});
