import { expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { KernelNB } from './kernel-nb.ts';
import { MixedNB } from './mixed-nb.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { nomogram } from './nomogram.ts';
import { PoissonNB } from './poisson-nb.ts';

const ln = Math.log;
const values = (points: readonly { value: unknown }[]) => points.map(({ value }) => value);

test('coins by hand: the log-odds of absence and presence, and of the prior', () => {
  const nb = new BernoulliNB().fit(
    [
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
      [0, 0],
    ],
    ['a', 'a', 'b', 'b', 'b'],
  );
  const { classes, prior, axes } = nomogram(nb);
  expect(classes).toEqual(['a', 'b']);
  expectClose(prior.byClass, [ln(0.4), ln(0.6)]);
  expectClose(prior.scale, [ln(1.5)]);
  expect(axes.map(({ feature }) => feature)).toEqual([0, 1]); // the widest axis first
  const [absent, present] = axes[0].points;
  expect(values(axes[0].points)).toEqual([0, 1]);
  expectClose(absent.byClass, [ln(1 / 4), ln(4 / 5)]);
  expectClose(present.scale, [ln(1 / 5 / (3 / 4))]);
});

test('dice by hand: one word more adds ln θ; with three classes relative to their mean', () => {
  const nb = new MultinomialNB().fit(
    [
      [2, 1, 0],
      [0, 1, 2],
      [1, 1, 1],
    ],
    ['a', 'b', 'c'],
  );
  const [{ points }] = nomogram(nb, { features: [0] }).axes;
  expectClose(points[0].byClass, [0, 0, 0]);
  expectClose(points[1].byClass, [ln(1 / 2), ln(1 / 6), ln(1 / 3)]);
  const mean = (ln(1 / 2) + ln(1 / 6) + ln(1 / 3)) / 3;
  expectClose(points[1].scale, [ln(1 / 2) - mean, ln(1 / 6) - mean, ln(1 / 3) - mean]);
});

test('what is impossible under a class is −Infinity, and says nothing where it is so under all', () => {
  const nb = new MultinomialNB({ alpha: 0 }).fit(
    [
      [1, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
    ],
    ['a', 'b', 'c'],
  );
  const { axes } = nomogram(nb, { features: [0, 2] });
  expect(axes[0].points[1].scale[1]).toBe(-Infinity);
  expectClose(axes[0].points[1].scale.filter(Number.isFinite), [-ln(0.5) / 2, ln(0.5) / 2], 1e-12);
  expect([...axes[1].points[1].scale]).toEqual([0, 0, 0]);
});

test('levels have their names on the axis, truths are true and false', () => {
  const rows = [
    { sky: 'red', member: true },
    { sky: 'blue', member: false },
    { sky: 'grey', member: false },
  ];
  const nb = new CategoricalNB().fit(rows, ['a', 'b', 'b']);
  const [sky] = nomogram(nb, { features: ['sky'] }).axes;
  expect(values(sky.points)).toEqual(['blue', 'grey', 'red']);
  const mixed = new MixedNB().fit(
    rows.map((row, i) => ({ ...row, age: 10 * i, words: [i, 1] })),
    ['a', 'b', 'b'],
  );
  const { axes } = nomogram(mixed, { features: ['member', 'sky', 'age', 'words[1]'] });
  expect(values(axes[0].points)).toEqual([false, true]);
  expect(values(axes[1].points)).toEqual(['blue', 'grey', 'red']);
  expect(axes[2].points.length).toBeGreaterThan(10);
  expect(axes[3].feature).toBe('words[1]');
});

test('the axis of a measurement reaches three deviations beyond the means, that of a count beyond its rate', () => {
  const bells = new GaussianNB({ varSmoothing: 0 }).fit([[-1], [1], [9], [13]], ['a', 'a', 'b', 'b']);
  const [{ points }] = nomogram(bells).axes;
  expectClose(values([points[0], points[points.length - 1]]) as number[], [-3, 17]);
  const kernels = nomogram(new KernelNB({ bandwidth: 1 }).fit([[-1], [1], [9], [13]], ['a', 'a', 'b', 'b'])).axes[0];
  expectClose([kernels.points[0].value, kernels.points[12].value] as number[], [-4, 16]);
  const rates = nomogram(new PoissonNB({ rule: 'mle' }).fit([[4], [1]], ['a', 'b'])).axes[0];
  expect(values(rates.points)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expectClose(rates.points[2].byClass, [2 * ln(4) - 4 - ln(2), -1 - ln(2)]);
});

test('features are chosen by name or index, and others throw', () => {
  const nb = new BernoulliNB().fit(
    [
      { free: 1, work: 0 },
      { free: 0, work: 1 },
    ],
    ['spam', 'ham'],
  );
  expect(nomogram(nb, { features: [1, 'free'] }).axes.map(({ feature }) => feature)).toEqual(['work', 'free']);
  for (const feature of ['cheap', 2, -1, 0.5]) {
    expect(refusalOf(() => nomogram(nb, { features: [feature] })).code).toBe('E_FEATURE_UNKNOWN');
  }
  expect(refusalOf(() => nomogram(nb, { k: 0.5 })).code).toBe('E_PARAM');
});
