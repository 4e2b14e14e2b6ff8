import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { credibleInterval } from '../../src/estimators/credible-interval.ts';
import { doubleCounting } from '../../src/estimators/double-counting.ts';
import type { Inside } from '../../src/estimators/inside.ts';
import { type Estimator, estimators } from '../../src/estimators/load.ts';
import { mostInformative } from '../../src/estimators/most-informative.ts';
import { nomogram } from '../../src/estimators/nomogram.ts';
import { whatIf } from '../../src/estimators/what-if.ts';
import { decide } from '../../src/evaluate/decide.ts';
import { insightOf } from '../../src/models/insights.ts';
import { expectClose, refusalOf } from '../close.ts';

type Kind = keyof typeof estimators;
type Method = 'mostInformative' | 'nomogram' | 'whatIf' | 'doubleCounting' | 'credibleInterval';

const bits = fc.constantFrom(0, 1);
const counts = fc.nat(4);
const levels = fc.nat(2);
const reals = fc.integer({ min: -20, max: 20 }).map((n) => n / 4);
const everything = ['mostInformative', 'nomogram', 'whatIf', 'doubleCounting', 'credibleInterval'] as const;
const sums = everything.slice(0, 4);

/** Which functions each estimator supports, and with which cells; the others must throw. */
const subjects: Record<Kind, { cells: fc.Arbitrary<number>; answers: readonly Method[]; params?: object }> = {
  AveragedOneDependenceNB: { cells: levels, answers: ['whatIf'] },
  BernoulliNB: { cells: bits, answers: everything },
  CategoricalNB: { cells: levels, answers: everything },
  ComplementNB: { cells: counts, answers: sums },
  DirichletMultinomialNB: { cells: counts, answers: ['mostInformative', 'whatIf'] },
  DiscriminativeMultinomialNB: { cells: bits, answers: ['nomogram', 'whatIf', 'doubleCounting'] },
  GaussianNB: { cells: reals, answers: everything },
  KDependenceNB: { cells: levels, answers: ['whatIf'] },
  KernelNB: { cells: reals, answers: ['nomogram', 'whatIf', 'doubleCounting'] },
  LinearDiscriminantAnalysis: { cells: reals, answers: [] },
  MixedNB: {
    cells: counts,
    answers: everything,
    params: { columns: ['poisson', 'gaussian', 'categorical', 'multinomial'] },
  },
  MultinomialNB: { cells: counts, answers: everything },
  PoissonNB: { cells: counts, answers: everything },
  QuadraticDiscriminantAnalysis: { cells: reals, answers: [], params: { regParam: 0.5 } },
  RegularizedDiscriminantAnalysis: { cells: reals, answers: [], params: { lambda: 0.5, gamma: 0.5 } },
  RobinsonFisherFilter: { cells: bits, answers: ['whatIf'] },
  TreeAugmentedNB: { cells: levels, answers: ['whatIf'] },
} as Record<Kind, { cells: fc.Arbitrary<number>; answers: readonly Method[]; params?: object }>;

const FEATURES = 4;

interface Dataset {
  readonly X: number[][];
  readonly y: string[];
}

/** Rows of two or three classes with several rows each, so that every family has enough data. */
const datasets = (cells: fc.Arbitrary<number>, classes: fc.Arbitrary<number>): fc.Arbitrary<Dataset> =>
  fc.record({ rows: fc.integer({ min: 12, max: 18 }), classes }).chain(({ rows, classes: most }) => {
    const row = fc.array(cells, { minLength: FEATURES, maxLength: FEATURES });
    return fc
      .record({ X: fc.array(row, { minLength: rows, maxLength: rows }), turn: fc.array(fc.nat(2), { maxLength: 5 }) })
      .map(({ X, turn }) => ({ X, y: X.map((_, i) => 'abc'[(i + (turn[i] ?? 0)) % most]) }));
  });

const insideOf = (estimator: Estimator): Inside => estimator.inside();

test('every estimator is in this table', () => {
  expect(Object.keys(subjects).sort()).toEqual(Object.keys(estimators).sort());
});

describe.each(Object.entries(subjects))('%s', (name, { cells, answers, params }) => {
  const make = () => new estimators[name as Kind](params as never) as Estimator;
  const two = datasets(cells, fc.constant(2));
  const rows = name === 'RobinsonFisherFilter' ? two : datasets(cells, fc.constantFrom(2, 3));
  /** Discriminants reject degenerate rows; then there is nothing to explain. */
  const fitted = ({ X, y }: Dataset): Estimator | undefined => {
    const estimator = make();
    return refusalOf(() => estimator.fit(X, y)).code === 'accepted' ? estimator : undefined;
  };

  law.prop([rows], { numRuns: 30 })('supports its functions and throws E_CONFLICT for the rest', ({ X, y }) => {
    const estimator = fitted({ X, y });
    if (!estimator) return;
    const questions: Record<Method, () => unknown> = {
      mostInformative: () => mostInformative(estimator, { k: 2 }),
      nomogram: () => nomogram(estimator, { k: 2 }),
      whatIf: () => whatIf(estimator, X.slice(0, 2)),
      doubleCounting: () => doubleCounting(estimator, X, y, { k: 3 }),
      credibleInterval: () => credibleInterval(estimator, X.slice(0, 2), { draws: 20 }),
    };
    for (const [method, ask] of Object.entries(questions)) {
      expect(refusalOf(ask).code, method).toBe(answers.includes(method as Method) ? 'accepted' : 'E_CONFLICT');
    }
  });

  law.prop([rows], { numRuns: 30 })('decisions are predictions with their probabilities', ({ X, y }) => {
    const estimator = fitted({ X, y });
    if (!estimator) return;
    const decisions = decide(estimator, X, { top: 2 });
    const proba = estimator.predictProba(X);
    expect(decisions.map(({ label }) => label)).toEqual(estimator.predict(X));
    expect(decisions.map(({ logEvidence }) => logEvidence)).toEqual([...estimator.logEvidence(X)]);
    decisions.forEach(({ label, probability, probabilities, abstained, top }, i) => {
      expectClose(probabilities, proba.row(i), 1e-12, 1);
      expect(probability).toBe(Math.max(...probabilities));
      expect(top.map((entry) => entry.probability)).toEqual([...probabilities].sort((p, q) => q - p).slice(0, 2));
      expect(top[0]).toEqual({ label, probability });
      expect(abstained).toBe(false);
    });
  });

  if (answers.includes('mostInformative')) {
    law.prop([rows], { numRuns: 30 })('the most informative features are in order, without duplicates', ({ X, y }) => {
      const estimator = fitted({ X, y }) as Estimator;
      const all = mostInformative(estimator, { k: FEATURES });
      for (const label of estimator.classes) {
        const own = all.filter((entry) => entry.class === label);
        expect(own).toEqual(mostInformative(estimator, { class: label, k: FEATURES }));
        expect(new Set(own.map(({ feature }) => feature)).size).toBe(FEATURES);
        const nats = own.map((entry) => entry.nats);
        expect(nats.some(Number.isNaN)).toBe(false);
        expect(nats).toEqual([...nats].sort((p, q) => q - p));
        expect(mostInformative(estimator, { class: label, k: 1 })).toEqual(own.slice(0, 1));
      }
    });

    test('with a single class no feature is informative', () => {
      const estimator = make().fit([Array(FEATURES).fill(1), Array(FEATURES).fill(2)], ['a', 'a']);
      for (const { nats } of mostInformative(estimator)) expectClose([nats], [0], 1e-12, 1);
    });
  }

  if (answers.includes('nomogram')) {
    law.prop([rows], { numRuns: 30 })('prior and one mark of every feature add up to the score', ({ X, y }) => {
      const estimator = fitted({ X, y }) as Estimator;
      const { model, params } = insideOf(estimator);
      const joint = estimator.predictJointLogProba(X);
      X.forEach((row, i) => {
        const score = model.logPrior(params).slice();
        const out = new Float64Array(score.length);
        for (const [j, value] of row.entries()) {
          insightOf(model).contribution?.(params, j, value, out);
          for (let c = 0; c < score.length; c++) score[c] += out[c];
        }
        expectClose(score, joint.row(i), 1e-9, 1);
      });
    });

    law.prop([two], { numRuns: 30 })('the scale of a nomogram adds up to the log-odds', ({ X, y }) => {
      const estimator = fitted({ X, y }) as Estimator;
      const { prior, axes, classes } = nomogram(estimator, { features: [0, 1, 2, 3] });
      expect(classes).toEqual(['a', 'b']);
      expect(axes.map(({ feature }) => feature)).toEqual([0, 1, 2, 3]);
      for (const { byClass, scale } of [prior, ...axes.flatMap(({ points }) => points)]) {
        expectClose(scale, [byClass[1] - byClass[0]], 1e-12, 1);
      }
      const widths = (list: typeof axes) =>
        list.map(({ points }) => {
          const odds = points.map(({ scale }) => scale[0]);
          return Math.max(...odds) - Math.min(...odds);
        });
      const chosen = nomogram(estimator, { k: 2 }).axes;
      expectClose(
        widths(chosen),
        widths(axes)
          .sort((p, q) => q - p)
          .slice(0, 2),
        1e-12,
        1,
      );
    });
  }

  if (answers.includes('whatIf')) {
    law.prop([rows], { numRuns: 25 })('no smaller set of features flips the prediction', ({ X, y }) => {
      const estimator = fitted({ X, y }) as Estimator;
      for (const row of X.slice(0, 3)) checkFewest(estimator, row);
    });
  }

  if (answers.includes('doubleCounting')) {
    law.prop([rows], { numRuns: 20 })('pairs come in order, and a copied feature counts double', ({ X, y }) => {
      const doubled = X.map((row) => (name === 'MixedNB' ? row : [row[0], row[0], row[1], row[2]]));
      const estimator = fitted({ X: doubled, y }) as Estimator;
      const pairs = doubleCounting(estimator, doubled, y, { k: FEATURES });
      expect(pairs).toHaveLength(6);
      const information = pairs.map((pair) => pair.information);
      expect(information).toEqual([...information].sort((p, q) => q - p));
      for (const pair of pairs) {
        expect(pair.information).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(pair.overcount)).toBe(true);
      }
      if (name === 'MixedNB') return;
      const copy = pairs.find(({ features: [a, b] }) => a === 0 && b === 1);
      const others = pairs.filter(({ features: [a, b] }) => a === 0 && b !== 1);
      for (const pair of others) expect(copy?.information).toBeGreaterThanOrEqual(pair.information - 1e-9);
    });
  }

  if (answers.includes('credibleInterval')) {
    law.prop([rows], { numRuns: 15 })('intervals are ordered, and do not depend on the other rows', (dataset) => {
      const estimator = fitted(dataset) as Estimator;
      const { X } = dataset;
      const { low, high, mean, level } = credibleInterval(estimator, X, { draws: 60, seed: 3 });
      expect(level).toBe(0.95);
      for (let k = 0; k < low.data.length; k++) {
        expect(low.data[k]).toBeGreaterThanOrEqual(0);
        expect(high.data[k]).toBeLessThanOrEqual(1);
        expect(low.data[k]).toBeLessThanOrEqual(high.data[k]);
      }
      for (let i = 0; i < mean.rows; i++) expectClose([mean.row(i).reduce((sum, p) => sum + p, 0)], [1], 1e-12);
      const alone = credibleInterval(estimator, X.slice(1, 2), { draws: 60, seed: 3 });
      expect(alone.low.row(0)).toEqual(low.row(1));
      const narrower = credibleInterval(estimator, X, { draws: 60, seed: 3, level: 0.5 });
      narrower.low.data.forEach((value, k) => {
        expect(value).toBeGreaterThanOrEqual(low.data[k]);
        expect(narrower.high.data[k]).toBeLessThanOrEqual(high.data[k]);
      });
    });
  }
});

/** Tries every set of features: the one that was found flips the prediction, and no smaller one clearly does. */
function checkFewest(estimator: Estimator, row: number[]): void {
  const inside = insideOf(estimator);
  const blocks = insightOf(inside.model).cells?.(inside.params) ?? [];
  const goneAt = (j: number) => blocks.find(({ places }) => !places || places.includes(j))?.gone;
  const present = [...row.keys()].filter((j) => goneAt(j) === 'missing' || row[j] !== 0);
  const label = estimator.classes.indexOf(estimator.predict([row])[0]);
  /** The margin of the best of the other labels over the label. */
  const ahead = (without: readonly number[]) => {
    const cells = row.map((value, j) => (!without.includes(j) ? value : goneAt(j) === 'absent' ? 0 : Number.NaN));
    const scores = scoreCells(inside, cells);
    return Math.max(...scores.filter((_, c) => c !== label)) - scores[label];
  };
  const clear = subsetsOf(present).filter((set) => ahead(set) > 1e-9);
  const fewest = Math.min(Infinity, ...clear.map((set) => set.length));
  const [found] = whatIf(estimator, [row]);
  if (!found) {
    expect(fewest).toBe(Infinity);
    return;
  }
  expect(found.label).toBe(estimator.classes[label]);
  expect(found.instead).not.toBe(found.label);
  expect(found.without.length).toBeLessThanOrEqual(fewest);
  expect(ahead(found.without as number[])).toBeGreaterThan(-1e-9); // a tie goes to the first class
}

const subsetsOf = (items: readonly number[]): number[][] =>
  items.reduce<number[][]>((sets, item) => sets.concat(sets.map((set) => set.concat(item))), [[]]);

/** Scores a row that may have missing cells. */
function scoreCells({ model, params }: Inside, cells: number[]): Float64Array {
  const out = new Float64Array(params.classes);
  const { blocks } = params as { blocks?: readonly { name: string; places: Int32Array }[] };
  const whole = { rows: 1, features: cells.length, x: Float64Array.from(cells) };
  const parts = blocks?.map(({ name, places }) => [
    name,
    { rows: 1, features: places.length, x: Float64Array.from(places, (j) => cells[j]) },
  ]);
  model.score(params, parts ? ({ ...whole, parts: Object.fromEntries(parts) } as never) : whole, out);
  return out;
}
