import {
  AveragedOneDependenceNB,
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  DirichletMultinomialNB,
  DiscriminativeMultinomialNB,
  GaussianNB,
  KDependenceNB,
  KernelNB,
  LinearDiscriminantAnalysis,
  MultinomialNB,
  PoissonNB,
  QuadraticDiscriminantAnalysis,
  RegularizedDiscriminantAnalysis,
  TreeAugmentedNB,
} from '../../src/index.ts';
import {
  alphas,
  type Cell,
  count,
  type Fitting,
  fraction,
  gapped,
  levels,
  numbers,
  pick,
  real,
  round,
  type Subject,
  smooth,
  table,
  times,
  WORDS,
} from './draws.ts';

/** More columns than a row may miss before sums over their levels have too many combinations. */
const deep: Subject = {
  name: 'KDependenceNB of many columns with gaps',
  draw(random) {
    const [width, most] = [6, 5];
    const parents = times(width, (j) => times(Math.min(j, 3), (d) => j - 1 - d));
    const row = (gaps: number) =>
      times(width, () =>
        random.uniform() < gaps ? null : WORDS[Math.min(random.integer(most), random.integer(most))],
      );
    const X = times(80, () => row(0.1));
    const y = times(80, (i) => ['a', 'b', 'c'][i % 3]);
    const model = new KDependenceNB({ missing: 'ignore', parents, selectColumns: false });
    const strange = times(3, () => row(0.3).map((cell) => cell ?? WORDS[5]));
    return { model: model.fit(X, y), rows: [...X.slice(0, 4), ...[0, 0.2, 0.5, 0.5, 0.8, 1].map(row), ...strange] };
  },
};

/** The families of single estimators. */
export const families: readonly Subject[] = [
  numbers('MultinomialNB', count, (random) => new MultinomialNB(smooth(random))),
  numbers(
    'MultinomialNB with a background',
    fraction,
    (random) => new MultinomialNB({ smoothing: pick(random, ['jelinek-mercer', 'dirichlet', 'absolute'] as const) }),
  ),
  numbers('ComplementNB', count, (random) => new ComplementNB({ ...smooth(random), norm: random.uniform() < 0.5 })),
  numbers('BernoulliNB', count, (random) => new BernoulliNB({ ...smooth(random), binarize: pick(random, [0, 1]) })),
  numbers(
    'BernoulliNB with gaps',
    gapped(count),
    (random) => new BernoulliNB({ ...smooth(random), missing: 'ignore' }),
  ),
  numbers('GaussianNB', real, () => new GaussianNB()),
  numbers('GaussianNB with gaps', gapped(real), () => new GaussianNB({ missing: 'ignore' })),
  numbers(
    'GaussianNB, predictive',
    real,
    () => new GaussianNB({ rule: 'bayes', prior: { mean: 1, kappa: 0.5, a: 2, b: 3 } }),
  ),
  numbers('PoissonNB', fraction, (random) => new PoissonNB({ rule: pick(random, ['bayes', 'mle'] as const) })),
  numbers(
    'PoissonNB, predictive, with gaps',
    gapped(count),
    () => new PoissonNB({ predictive: true, missing: 'ignore', shape: 0.5 }),
  ),
  numbers('KernelNB', gapped(real), () => new KernelNB({ missing: 'ignore' })),
  numbers(
    'DiscriminativeMultinomialNB',
    count,
    (random) => new DiscriminativeMultinomialNB({ weighting: pick(random, ['frequency', 'presence'] as const) }),
  ),
  numbers(
    'DirichletMultinomialNB',
    count,
    (random) =>
      new DirichletMultinomialNB({
        complement: random.uniform() < 0.4,
        method: pick(random, ['leave-one-out', 'edcm'] as const),
      }),
  ),
  levels(
    'CategoricalNB',
    (random) =>
      new CategoricalNB({
        alpha: pick(random, alphas),
        unknown: pick(random, ['smooth', 'ignore', 'error'] as const),
        missing: pick(random, ['ignore', 'error'] as const),
        minCategories: pick(random, [null, 7]),
      }),
  ),
  levels(
    'TreeAugmentedNB',
    (random) =>
      new TreeAugmentedNB({ missing: 'ignore', unknown: pick(random, ['smooth', 'ignore'] as const), alpha: 0.5 }),
  ),
  levels(
    'AveragedOneDependenceNB',
    (random) =>
      new AveragedOneDependenceNB({ missing: 'ignore', weighted: random.uniform() < 0.5, minimumFrequency: 2 }),
  ),
  levels(
    'KDependenceNB',
    (random) =>
      new KDependenceNB({
        missing: pick(random, ['ignore', 'error'] as const),
        unknown: pick(random, ['smooth', 'ignore'] as const),
        k: pick(random, ['auto', 1, 2] as const),
        selectColumns: random.uniform() < 0.3,
        concentration: pick(random, ['auto', 0.5] as const),
      }),
  ),
  deep,
];

/** Discriminants need two classes. With gaps, cells are missing in training rows and in others. */
function discriminant(name: string, make: () => Fitting, gaps = false): Subject {
  return {
    name,
    draw(random) {
      const cell: Cell = gaps ? gapped(real) : real;
      const width = 1 + random.integer(3);
      const list = pick(random, [
        ['a', 'b'],
        [1, 2, 3],
        ['__proto__', '</script>', '😀'],
      ] as const);
      const y = times(30, (i) => list[i % list.length]);
      const X = y.map((_, i) => times(width, (j) => round(random.normal() * (1 + j) + (i % list.length))));
      const rows = gaps ? X.map((row) => row.map((x) => (random.uniform() < 0.1 ? Number.NaN : x))) : X;
      const more = [...table(random, 6, width, cell), ...(gaps ? [times(width, () => Number.NaN)] : [])];
      return { model: make().fit(rows as never, y as never), rows: [...rows.slice(0, 6), ...more] };
    },
  };
}

/** Discriminant analysis. */
export const discriminants: readonly Subject[] = [
  discriminant('LinearDiscriminantAnalysis', () => new LinearDiscriminantAnalysis()),
  discriminant(
    'LinearDiscriminantAnalysis, shrunk',
    () => new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 0.2 }),
  ),
  discriminant('QuadraticDiscriminantAnalysis', () => new QuadraticDiscriminantAnalysis({ regParam: 0.1 })),
  discriminant(
    'RegularizedDiscriminantAnalysis',
    () => new RegularizedDiscriminantAnalysis({ lambda: 0.3, gamma: 0.1 }),
  ),
  discriminant(
    'LinearDiscriminantAnalysis with gaps',
    () => new LinearDiscriminantAnalysis({ missing: 'ignore' }),
    true,
  ),
  discriminant(
    'QuadraticDiscriminantAnalysis with gaps',
    () => new QuadraticDiscriminantAnalysis({ missing: 'ignore' }),
    true,
  ),
  discriminant(
    'RegularizedDiscriminantAnalysis with gaps',
    () => new RegularizedDiscriminantAnalysis({ missing: 'ignore', lambda: 0.3, gamma: 0.1 }),
    true,
  ),
];
