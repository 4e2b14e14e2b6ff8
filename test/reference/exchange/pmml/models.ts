import {
  AveragedOneDependenceNB,
  BernoulliNB,
  CategoricalNB,
  Classifier,
  ComplementNB,
  GaussianNB,
  KernelNB,
  type Label,
  LinearDiscriminantAnalysis,
  type Matrix,
  MixedNB,
  MultinomialNB,
  PoissonNB,
  QuadraticDiscriminantAnalysis,
  TreeAugmentedNB,
} from '../../../../src/index.ts';
import { Random } from '../../../../src/math/random.ts';

/** A cell of a row; null is missing. */
export type Cell = number | string | boolean | null;

/** A fitted model, its fields, and rows to score. */
export interface PmmlCase {
  readonly name: string;
  readonly model: {
    readonly classes: readonly Label[];
    predict(rows: never): Label[];
    predictProba(rows: never): Matrix;
  };
  readonly fields: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows as the library takes them. */
  readonly given: readonly unknown[];
  /** Rows that the library refuses; they are scored behind the others. */
  readonly refused: readonly (readonly Cell[])[];
}

const random = new Random(20261116);
const normal = () => Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)];
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

const words = times(60, (i) => ['low', 'a & b', '"high" <3>'][i % 3]);
const numbers = times(60, (i) => [-1, 4][i % 2]);
const flags = times(60, (i) => i % 2 === 0);
const measured = times(60, (i) => [normal() + (i % 3), 30 * normal() - 10 * (i % 2), 1000 + normal()]);
const counts = times(60, (i) => times(4, (j) => random.integer(2 + ((i + j) % 3))));
const levels = times(60, (i) => [
  pick(['red', 'green', 'blue & "dark"', ' spaced ']),
  pick(['x', 'y'].slice(0, 1 + (i % 2))),
]);
const codes = times(60, (i) => [random.integer(3), (i + random.integer(2)) % 3]);

const columns = (n: number) => times(n, (j) => `x${j}`);

interface Fitting {
  fit(X: never, y: never): PmmlCase['model'];
}

type Rows = readonly (readonly Cell[])[];

function plain(
  name: string,
  model: Fitting,
  X: Rows,
  y: readonly Label[],
  more: Rows = [],
  refused: Rows = [],
): PmmlCase {
  const rows = [...X.slice(0, 12), ...more];
  return { name, model: model.fit(X as never, y as never), fields: columns(X[0].length), rows, given: rows, refused };
}

const names = ['height', 'width & "depth"', 'größe <1>'];
const named = (rows: readonly (readonly Cell[])[]) =>
  rows.map((row) => Object.fromEntries(row.map((cell, j) => [names[j], cell])));
const gaps = measured.map((row) => row.map((cell) => (random.uniform() < 0.2 ? null : cell)));
const mixed = times(
  60,
  (i): Record<string, Cell> => ({
    age: random.uniform() < 0.1 ? null : 30 + 5 * (i % 3) + normal(),
    kind: random.uniform() < 0.1 ? null : pick(['cat', 'dog', '']),
    visits: random.integer(3 + (i % 3)),
  }),
);

/** The models whose PMML was scored by JPMML. */
export const pmmlCases: readonly PmmlCase[] = [
  plain('gaussian', new GaussianNB(), measured, words, [[0, 0, 1000], [3, -40, 1003]], [[null, 0, 1000], [0, 0, 1e200]]), // biome-ignore format: rows
  plain('gaussian-priors', new GaussianNB({ priors: [0.2, 0.8] }), measured, numbers),
  {
    name: 'gaussian-gaps',
    model: new GaussianNB({ missing: 'ignore' }).fit(named(gaps), flags) as PmmlCase['model'],
    fields: names,
    rows: [...gaps.slice(0, 12), [null, null, null]],
    given: named([...gaps.slice(0, 12), [null, null, null]]),
    refused: [],
  },
  plain('categorical', new CategoricalNB(), levels, words, [['never', 'x'], ['red', 'z']], [[null, 'x']]), // biome-ignore format: rows
  plain(
    'categorical-ignoring',
    new CategoricalNB({ unknown: 'ignore', missing: 'ignore', alpha: 0.1 }),
    levels,
    numbers,
    [['never', null]],
  ),
  plain('categorical-strict', new CategoricalNB({ unknown: 'error', alpha: 0 }), levels, flags, [], [['never', 'x']]),
  plain('categorical-numbers', new CategoricalNB({ minCategories: 5 }), codes, words, [[4, 2], [0, 7]]), // biome-ignore format: rows
  plain('bernoulli', new BernoulliNB({ binarize: 1 }), counts, words),
  plain(
    'bernoulli-certain',
    new BernoulliNB({ alpha: 0, binarize: 0 }),
    counts.map((row, i) => [...row, i % 3 === 0 ? 1 : row[0]]),
    words,
  ),
  plain('poisson', new PoissonNB({ rule: 'map', shape: 2, rate: 1 }), counts, numbers),
  plain('multinomial', new MultinomialNB(), counts, words, [[0, 0, 0, 0], [20, 0, 3, 1]], [[-1, 0, 0, 0]]), // biome-ignore format: rows
  plain('complement', new ComplementNB({ norm: true }), counts, words),
  plain('linear-discriminant', new LinearDiscriminantAnalysis(), measured, words, [[50, 900, 1010]]),
  plain(
    'linear-discriminant-shrunk',
    new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 0.4 }),
    measured,
    numbers,
  ),
  plain('quadratic-discriminant', new QuadraticDiscriminantAnalysis(), measured, words, [[4, 90, 1003]]),
  {
    name: 'mixed',
    model: new MixedNB({ columns: { visits: 'poisson' } }).fit(mixed as never, words) as PmmlCase['model'],
    fields: ['age', 'kind', 'visits'],
    rows: [...mixed.slice(0, 14), { age: 30, kind: 'bird', visits: 1 }].map(({ age, kind, visits }) => [
      age,
      kind,
      visits,
    ]),
    given: [...mixed.slice(0, 14), { age: 30, kind: 'bird', visits: 1 }],
    refused: [],
  },
  plain('discriminant-gaps', new QuadraticDiscriminantAnalysis({ missing: 'ignore' }), gaps, words, [
    [null, null, null],
  ]),
  plain('kernels', new KernelNB(), measured, words),
  plain('tree', new TreeAugmentedNB({ missing: 'ignore' }), levels, words, [['never', null], [null, null]]), // biome-ignore format: rows
  plain('averaged', new AveragedOneDependenceNB({ missing: 'ignore' }), levels, words, [['never', null], [null, null]]), // biome-ignore format: rows
  {
    name: 'ensemble',
    model: Classifier.fit(
      mixed.map((row, i) => ({ ...row, class: words[i] })),
      { target: 'class' },
    ) as unknown as PmmlCase['model'],
    fields: ['age', 'kind', 'visits'],
    rows: [...mixed.slice(0, 14), { age: null, kind: null, visits: null }, { age: 31, kind: 'bird', visits: 2 }].map(
      ({ age, kind, visits }) => [age, kind, visits],
    ),
    given: [...mixed.slice(0, 14), { age: null, kind: null, visits: null }, { age: 31, kind: 'bird', visits: 2 }],
    refused: [],
  },
];
