import { test as check, fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { Matrix } from '../data/matrix.ts';
import { softLabels } from '../data/soft-labels.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { leaveOneOut } from './leave-one-out.ts';

const lessons = fc
  .record({
    X: fc.array(fc.array(fc.constantFrom(0, 1, Number.NaN), { minLength: 3, maxLength: 3 }), {
      minLength: 2,
      maxLength: 8,
    }),
    labels: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 8, maxLength: 8 }),
    weights: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 8, maxLength: 8 }),
    alpha: fc.constantFrom(0, 0.5, 1),
  })
  .map(({ X, labels, weights, alpha }) => ({ X, alpha, y: labels.slice(0, X.length), w: weights.slice(0, X.length) }));

check.prop([lessons])('every row is scored as by a model that was fitted without it', ({ X, y, w, alpha }) => {
  const { logProba, classes, predictions } = leaveOneOut(new BernoulliNB({ missing: 'ignore', alpha }), X, y, {
    sampleWeight: w,
  });
  for (let i = 0; i < X.length; i++) {
    const without = new BernoulliNB({ missing: 'ignore', alpha }).partialFit(X.toSpliced(i, 1), y.toSpliced(i, 1), {
      sampleWeight: w.toSpliced(i, 1),
      classes,
    });
    const joint = without.classPosterior([X[i]]);
    if (joint.impossible.length > 0) continue; // the prior stands, and which prior is a convention
    expectClose(logProba.row(i), joint.logProba, 1e-9, 1);
    expect(predictions[i]).toBeDefined();
  }
});

check.prop([lessons])('a family that cannot correct its counts subtracts the row instead', ({ X, y, w }) => {
  const estimator = new BernoulliNB({ missing: 'ignore' });
  const fast = leaveOneOut(estimator, X, y, { sampleWeight: w });
  const model = { ...estimator.model, name: 'a stranger' };
  const slow = leaveOneOut(Object.assign(new BernoulliNB({ missing: 'ignore' }), { model }), X, y, { sampleWeight: w });
  expectClose(fast.logProba.data, slow.logProba.data, 1e-12, 1);
  expectClose([fast.logLoss], [slow.logLoss], 1e-12, 1);
});

check.prop([lessons])('soft labels that are sure are labels, and shares are weights', ({ X, y, w }) => {
  const classes = ['c', 'a', 'b'];
  const sure = softLabels(
    y.map((label) => classes.map((other) => (other === label ? 1 : 0))),
    classes,
  );
  const make = () => new BernoulliNB({ missing: 'ignore' });
  const bytes = (estimator: BernoulliNB) => Buffer.from(estimator.toBytes());
  expect(bytes(make().fit(X, sure, { sampleWeight: w }))).toEqual(bytes(make().fit(X, y, { sampleWeight: w })));
  const halves = softLabels(Matrix.from(y.map(() => [0, 0.5, 0.5])), classes);
  const twice = make().fit([...X, ...X], [...y.map(() => 'a'), ...y.map(() => 'b')], { sampleWeight: 0.5 });
  expect(bytes(make().fit(X, halves))).toEqual(bytes(twice));
});

test('shares must be finite, not negative, one per class, and not all zero', () => {
  expect(refusalOf(() => softLabels([[1, -1]], ['a', 'b'])).code).toBe('E_WEIGHT_INVALID');
  expect(refusalOf(() => softLabels([[1]], ['a', 'b'])).code).toBe('E_SHAPE');
  expect(refusalOf(() => new BernoulliNB().fit([[1]], softLabels([[0, 0]], ['a', 'b']))).code).toBe(
    'E_WEIGHTS_ALL_ZERO',
  );
});
