import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { count, score } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { DirichletMultinomialNB } from '../estimators/dirichlet-multinomial-nb.ts';
import { lgamma } from '../math/gamma.ts';
import { Random } from '../math/random.ts';
import { bursts } from '../stats/bursts.ts';
import { type UrnOptions, urn } from './urn.ts';
import {
  type Bag,
  bagsOf,
  edcmPrecision,
  fitUrn,
  LEAST_PRECISION,
  leaveOneOutObjective,
  type UrnMethod,
  urnLogLikelihood,
} from './urn-fit.ts';

const bagFrom = (X: number[][], w?: number[]): Bag => bagsOf(count(bursts, batch(X, undefined, w)), false)[0];
const limits = { cap: 1e6, maxIter: 5000, tol: 1e-11 };
const fitted = (bag: Bag, method: UrnMethod, onStep?: (objective: number) => void) => {
  const { alpha, ...found } = fitUrn(bag, { method, ...limits, ...(onStep && { onStep }) });
  return { ...found, byKind: alpha, alpha: Array.from(bag.kindOf, (kind) => alpha[kind]) };
};
const exactly: UrnOptions = { method: 'newton', ...limits, complement: false, smoothing: 'floor', epsilon: 0.01 };

// likelihood and parameters of five documents, found by a second program
const toy = [
  [10, 0, 2],
  [3, 5, 1],
  [0, 0, 7],
  [4, 4, 4],
  [1, 6, 0],
];
const logFactorials = toy.reduce((sum, row) => sum + lgamma(row.reduce((n, x) => n + x, 0) + 1), 0);
const logOrders = logFactorials - toy.flat().reduce((sum, x) => sum + lgamma(x + 1), 0);

describe('five documents of three words', () => {
  const bag = bagFrom(toy);

  test.each(['fixed-point', 'newton'] as const)('%s finds the maximum, and the likelihood never falls', (method) => {
    const path: number[] = [];
    const { alpha, byKind, precision, converged } = fitted(bag, method, (value) => path.push(value));
    expect(converged).toBe(true);
    expectClose(alpha, [0.6787385048, 0.5336827471, 0.6144628683], 1e-9);
    expectClose([precision], [1.8268841202], 1e-9);
    const top = urnLogLikelihood(bag, byKind, precision);
    expectClose([top, top + logOrders], [-42.6443627623, -19.8331685985], 1e-11);
    path.reduce((before, after) => {
      expect(after).toBeGreaterThanOrEqual(before - 1e-13 * Math.abs(before));
      return after;
    }, -Infinity);
  });

  test('leaving words out gives 0.6412, nothing, 0.6695, and its objective never falls', () => {
    const path: number[] = [];
    const { alpha, byKind, precision } = fitted(bag, 'leave-one-out', (value) => path.push(value));
    expectClose(alpha, [0.6412141486, 0, 0.669530877], 1e-9);
    expectClose([leaveOneOutObjective(bag, byKind, precision)], [-37.7940723258], 1e-11);
    for (let k = 1; k < path.length; k++) expect(path[k]).toBeGreaterThanOrEqual(path[k - 1] - 1e-12);
  });

  test('the fast form gives 0.2054, 0.1541, 0.2054 in one step', () => {
    const path: number[] = [];
    const { alpha, precision, form } = fitted(bag, 'edcm', (value) => path.push(value));
    expectClose(alpha, [0.205435063, 0.1540762972, 0.205435063], 1e-9);
    expectClose([precision, path[0] + logFactorials], [0.5649464232, -24.7193018455], 1e-9);
    expect(form).toBe('edcm');
  });

  test('ln p(2, 1, 0) is −2.3826560199', () => {
    const urns = urn.estimate(count(bursts, batch(toy)), exactly);
    expectClose(score(urn, urns, batch([[2, 1, 0]])), [-2.3826560199], 1e-10);
  });

  test('at the cap the urn is a multinomial', () => {
    const die = urn.estimate(count(bursts, batch(toy)), { ...exactly, cap: 1.5 });
    expectClose(die.alpha, [(1.5 * 18) / 47, (1.5 * 15) / 47, (1.5 * 14) / 47], 1e-14);
    expect(die.fits[0].form).toBe('multinomial');
    const even = { ...die, alpha: die.alpha.map((a) => a * 1e10), precision: die.precision.map((s) => s * 1e10) };
    const total = score(urn, even, batch(toy)).reduce((sum, value) => sum + value, 0);
    expectClose([total], [-28.5514958433], 1e-7); // an urn of 1.5e10 balls is a die but for n²/2s
  });
});

const documents = fc.tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 8 })).chain(([words, rows]) =>
  fc.array(fc.array(fc.constantFrom(0, 0, 1, 2, 5, 9, 0.5), { minLength: words, maxLength: words }), {
    minLength: rows,
    maxLength: rows,
  }),
);

describe('laws of the fit', () => {
  check.prop([documents])('the two optimisers agree, and no neighbour is more likely', (X) => {
    const bag = bagFrom(X);
    const [slow, fast] = (['fixed-point', 'newton'] as const).map((method) => fitted(bag, method));
    const inside = [slow, fast].every(({ form, precision }) => form === 'dcm' && precision > LEAST_PRECISION);
    if (!slow.converged || !inside) return;
    expectClose(fast.alpha, slow.alpha, 1e-4); // the fixed point ends where steps are small, not where it is level
    const top = urnLogLikelihood(bag, fast.byKind, fast.precision);
    expect(urnLogLikelihood(bag, slow.byKind, slow.precision)).toBeLessThanOrEqual(top + 1e-9);
    for (let k = 0; k < fast.byKind.length; k++) {
      for (const factor of [0.99, 1.01]) {
        const near = fast.byKind.with(k, fast.byKind[k] * factor);
        const s = bag.kinds.reduce((sum, { size }, kind) => sum + size * near[kind], 0);
        expect(urnLogLikelihood(bag, near, s)).toBeLessThanOrEqual(top + 1e-9 * Math.abs(top));
      }
    }
  });

  check.prop([documents])('every step of every climb goes up', (X) => {
    for (const method of ['fixed-point', 'newton', 'leave-one-out'] as const) {
      let before = -Infinity;
      fitted(bagFrom(X), method, (after) => {
        expect(after).toBeGreaterThanOrEqual(before - 1e-12 * Math.max(1, Math.abs(before)));
        before = after;
      });
    }
  });

  check.prop([documents])('permuted columns give the same bits', (X) => {
    for (const method of ['fixed-point', 'newton', 'leave-one-out', 'edcm'] as const) {
      const words = X[0].map((_, j) => j).filter((j) => X.some((row) => row[j] > 0));
      const seen = X.map((row) => words.map((j) => row[j]));
      const turned = seen.map((row) => [...row].reverse());
      expect(fitted(bagFrom(turned), method).alpha).toEqual(fitted(bagFrom(seen), method).alpha.reverse());
    }
  });

  test('the probabilities of all documents of five words add up to one', () => {
    const X: number[][] = [];
    for (let a = 0; a <= 5; a++) for (let b = 0; a + b <= 5; b++) X.push([a, b, 5 - a - b]);
    const urns = urn.estimate(count(bursts, batch(toy)), exactly);
    expectClose([score(urn, urns, batch(X)).reduce((sum, value) => sum + Math.exp(value), 0)], [1], 1e-13);
  });

  test('an urn is found again in the documents that it gave', () => {
    const random = new Random(5);
    const truth = new DirichletMultinomialNB({ smoothing: 'floor' }).fit(toy.concat(toy), Array(10).fill('a'));
    const { X } = truth.sample(4000, { seed: random.word() });
    const again = new DirichletMultinomialNB({ smoothing: 'floor' }).fit(X, Array(4000).fill('a'));
    expectClose(again.alpha.data, truth.alpha.data, 0.08); // 4000 documents: three standard errors
  });
});

describe('what may go wrong', () => {
  test.each(['fixed-point', 'newton', 'leave-one-out', 'edcm'] as const)(
    '%s: a class without bursts is a multinomial at the cap',
    (method) => {
      const thin = [
        [1, 1, 0],
        [0, 1, 1],
        [1, 0, 1],
      ];
      const found = fitted(bagFrom(thin), method);
      expect(found).toMatchObject({ form: 'multinomial', precision: 1e6 });
      expectClose(found.alpha, [1e6 / 3, 1e6 / 3, 1e6 / 3], 1e-15);
    },
  );

  test('one document shows no bursts, whatever is in it', () => {
    expect(fitted(bagFrom([[9, 1, 3]]), 'newton')).toMatchObject({
      form: 'multinomial',
      alpha: [9, 1, 3].map((x) => (x * 1e6) / 13),
    });
  });

  test('empty documents change nothing, and one-word documents say nothing about the precision', () => {
    const plain = fitted(bagFrom(toy), 'newton');
    expect(fitted(bagFrom([...toy, [0, 0, 0]]), 'newton').alpha).toEqual(plain.alpha);
    const singles = [...toy, [1, 0, 0], [1, 0, 0], [0, 1, 0]];
    expectClose([edcmPrecision(bagFrom(singles), 1e6)], [edcmPrecision(bagFrom(toy), 1e6)], 1e-14);
    expect(
      fitted(
        bagFrom([
          [1, 0],
          [0, 1],
          [1, 0],
        ]),
        'newton',
      ).form,
    ).toBe('multinomial'); // prettier-ignore
  });

  test('documents of one word each, however long, give the least precision instead of none', () => {
    for (const method of ['fixed-point', 'newton', 'leave-one-out', 'edcm'] as const) {
      const { alpha, precision } = fitted(
        bagFrom([
          [9, 0],
          [0, 7],
          [5, 0],
        ]),
        method,
      ); // prettier-ignore
      expectClose([precision], [LEAST_PRECISION], 1e-9);
      expectClose(alpha, [(2 / 3) * LEAST_PRECISION, LEAST_PRECISION / 3], 1e-12);
    }
  });

  test('a word that collapses when words are left out is smoothed like an unseen one', () => {
    const estimator = new DirichletMultinomialNB({ method: 'leave-one-out', smoothing: 'floor' });
    estimator.fit(toy, [0, 0, 0, 0, 0]);
    expectClose(estimator.alpha.data, [0.6412141486, 0.006412141486, 0.669530877], 1e-7);
    expect(estimator.predictJointLogProba([[0, 3, 0]]).data[0]).toBeGreaterThan(-30);
  });

  test('tiny parameters lose no digits: ln Γ(x + α)/Γ(α) at α = 1e-12 is ln α + ln Γ(x) to the last', () => {
    const stats = count(bursts, batch(toy));
    const tiny = {
      ...urn.estimate(stats, exactly),
      alpha: Float64Array.of(1e-12, 1, 1),
      precision: Float64Array.of(2),
    };
    const [value] = score(urn, tiny, batch([[3, 0, 0]]));
    expectClose([value], [Math.log(1e-12) + Math.log(2) - Math.log(2 * 3 * 4)], 1e-12);
  });

  test('magnitudes of 1e150, tiny counts and long documents give numbers', () => {
    const X = [
      [1e150, 1],
      [1e-150, 2],
      [3e4, 0.5],
      [0, 1e-3],
    ]; // prettier-ignore
    for (const method of ['fixed-point', 'newton', 'leave-one-out', 'edcm'] as const) {
      for (const complement of [true, false]) {
        const estimator = new DirichletMultinomialNB({ method, complement, maxIter: 50 }).fit(X, ['a', 'b', 'a', 'b']);
        for (const p of estimator.predictProba(X).data) expect(Number.isFinite(p)).toBe(true);
      }
    }
    const endless = new DirichletMultinomialNB().fit([[1e150]], ['a']);
    expect(refusalOf(() => endless.sample(1)).code).toBe('E_LIMIT');
    expect(refusalOf(() => endless.fit([[1e151]], ['a'])).code).toBe('E_VALUE_RANGE');
  });
});
