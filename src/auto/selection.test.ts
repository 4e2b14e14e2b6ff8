import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Matrix } from '../data/matrix.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { averagePool, choosePool, crossFit, floorOf, type HeldOutScores, leaders, lift } from './selection.ts';

/** Log-posteriors of members that know the class by `strengths`, of rows in five folds. */
function heldOutBy(seed: number, rows: number, strengths: readonly number[]): HeldOutScores {
  const random = new Random(seed);
  const codes = Int32Array.from({ length: rows }, () => random.integer(3));
  const scores = strengths.map((strength) => {
    const own = new Matrix(rows, 3);
    for (let i = 0; i < rows; i++) {
      for (let c = 0; c < 3; c++) own.row(i)[c] = random.normal() + (codes[i] === c ? strength : 0);
      logSoftmaxInto(own.data, 3 * i, 3, own.data);
    }
    return own;
  });
  return { scores, codes, folds: Int32Array.from({ length: rows }, (_, i) => i % 5) };
}

test('many rows choose once: the average is their choice', () => {
  const heldOut = heldOutBy(1, 5000, [1, 2, 0]);
  const { members, weights, bias } = choosePool(heldOut.scores, heldOut.codes);
  const average = averagePool(heldOut, new Random(3));
  members.forEach((m, k) => {
    expect(average.weights[m]).toBe(weights[k]);
  });
  expect(average.bias).toEqual(bias);
});

test('of few rows, members that say much the same share what one choice would give to one of them', () => {
  const { scores, codes, folds } = heldOutBy(2, 60, [1.5, 1.5, 1.5, 1.5, 1.5, 1.5]);
  const once = choosePool(scores, codes).members.length;
  const { weights } = averagePool({ scores, codes, folds }, new Random(5));
  expect(weights.filter((weight) => weight > 0).length).toBeGreaterThan(once);
  expect(averagePool({ scores, codes, folds }, new Random(5)).weights).toEqual(weights);
});

test.each([200, 5000])('of %i rows, the labels of a fold have no say in the pool that answers it', (rows) => {
  const heldOut = heldOutBy(4, rows, [1, 2, 0.5]);
  const chosen = averagePool(heldOut, new Random(0));
  const wrong = { ...heldOut, codes: heldOut.codes.map((c, i) => (heldOut.folds[i] === 2 ? (c + 1) % 3 : c)) };
  const [before, after] = [heldOut, wrong].map((own) => crossFit(own, chosen));
  const rowsOf = (scores: Matrix, fold: number) =>
    Array.from(heldOut.folds.keys()).flatMap((i) => (heldOut.folds[i] === fold ? Array.from(scores.row(i)) : []));
  expect(rowsOf(after, 2)).toEqual(rowsOf(before, 2));
  expect(rowsOf(after, 1)).not.toEqual(rowsOf(before, 1));
});

/** Members that are right and sure, but for one row each, on which the log-odds of the wrong class are as given. */
function nearlyPerfect(odds: readonly number[]): { scores: Matrix[]; codes: Int32Array } {
  const codes = new Int32Array(400).map((_, i) => i % 2);
  const scores = odds.map((wrong, m) => {
    const own = new Matrix(400, 2);
    for (let i = 0; i < 400; i++) {
      own.row(i)[1 - codes[i]] = i === m ? wrong : -9;
      logSoftmaxInto(own.data, 2 * i, 2, own.data);
    }
    return own;
  });
  return { scores, codes };
}

test('a race keeps members whose losses are within one nat, and drops one that is worse and adds nothing', () => {
  const { scores, codes } = nearlyPerfect([0.2, 0.5, 0.3]);
  const useless = new Matrix(400, 2, new Float64Array(800).fill(Math.log(0.5)));
  const candidate = { name: 'all', score: () => new Map<string, Matrix>(), fit: () => [] };
  const entries = [...scores, useless].map((own, m) => ({ name: `${m}`, candidate, scores: own }));
  const stay = leaders(entries, codes).map(({ name }) => name);
  expect(stay.sort()).toEqual(['0', '1', '2']);
});

test('members that each err in a row of their own are pooled, though the whole loss is less than the price of a member', () => {
  const { scores, codes } = nearlyPerfect([0.4, 0.4]);
  expect(choosePool(scores, codes).members).toHaveLength(2);
});

const scores = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 2, maxLength: 5 });

test('lifted rows are distributions in which nothing is impossible, and the order of classes stays', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 10_000 }), (row, rows) => {
      const own = new Matrix(1, row.length, Float64Array.from(row));
      logSoftmaxInto(own.data, 0, row.length, own.data);
      const floor = floorOf(rows, row.length);
      const { data } = lift(own, floor);
      expect(data.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 12);
      data.forEach((log, c) => {
        expect(Math.exp(log)).toBeGreaterThanOrEqual(floor / (1 + row.length * floor)); // all the others were lifted too
        if (own.data[c] > own.data[0]) expect(log).toBeGreaterThanOrEqual(data[0]);
      });
      if (own.data.every((log) => Math.exp(log) > floor)) {
        data.forEach((log, c) => {
          expect(log).toBeCloseTo(own.data[c], 12);
        });
      }
    }),
  );
});

test('by hand: of ten rows and two classes, half an unseen row leaves each 0.25 / 10.5', () => {
  expect(floorOf(10, 2)).toBeCloseTo(0.25 / 10.5, 15);
  const { data } = lift(new Matrix(1, 2, Float64Array.of(0, -1e4)), 0.02);
  expect(Math.exp(data[1])).toBeCloseTo(0.02 / 1.02, 12);
});
