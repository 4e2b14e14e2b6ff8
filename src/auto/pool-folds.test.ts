import { expect, test } from 'vitest';
import { Matrix } from '../data/matrix.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { choosePool } from './pool-choose.ts';
import { averagePool, type Judged, poolsByFold } from './pool-folds.ts';

const nothing = () => {};

/** Log-posteriors of members that know the class by `strengths`, of rows in five folds. */
function judgedBy(seed: number, rows: number, strengths: readonly number[]): Judged {
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
  const judged = judgedBy(1, 5000, [1, 2, 0]);
  const { members, weights, bias } = choosePool(judged.scores, judged.codes);
  const average = averagePool([judged], new Random(3), nothing);
  members.forEach((m, k) => {
    expect(average.weights[m]).toBe(weights[k]);
  });
  expect(average.bias).toEqual(bias);
});

test('of few rows, members that say much the same share what one choice would give to one of them', () => {
  const { scores, codes, folds } = judgedBy(2, 60, [1.5, 1.5, 1.5, 1.5, 1.5, 1.5]);
  const once = choosePool(scores, codes).members.length;
  const { weights } = averagePool([{ scores, codes, folds }], new Random(5), nothing);
  expect(weights.filter((weight) => weight > 0).length).toBeGreaterThan(once);
  expect(averagePool([{ scores, codes, folds }], new Random(5), nothing).weights).toEqual(weights);
});

test.each([200, 5000])('of %i rows, the labels of a fold have no say in the pool that answers it', (rows) => {
  const judged = judgedBy(4, rows, [1, 2, 0.5]);
  const chosen = averagePool([judged], new Random(0), nothing);
  const lied = { ...judged, codes: judged.codes.map((c, i) => (judged.folds[i] === 2 ? (c + 1) % 3 : c)) };
  const [honest, other] = [judged, lied].map((own) => poolsByFold(own, chosen, nothing));
  expect(other.get(2)).toEqual(honest.get(2));
  expect(other.get(1)).not.toEqual(honest.get(1));
});
