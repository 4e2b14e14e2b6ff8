import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { load } from '../index.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { parameterPosterior } from './parameter-posterior.ts';
import { makePipeline } from './pipeline.ts';
import { GridSearchCV } from './search.ts';

// one coin that showed heads three times of four, and another class to compare it with
const tosses = [[1], [1], [1], [0], [0]];
const sides = ['a', 'a', 'a', 'a', 'b'];
const near = (actual: number, expected: number) => expectClose([actual], [expected]);
const heads = (model: BernoulliNB) => Math.exp(model.featureLogProb.at(0, 0));

describe('a coin under Beta(2, 1), three heads of four', () => {
  const coin = (estimate: 'mean' | 'map' | 'mle') =>
    new BernoulliNB({ alpha: 2, alphaAbsent: 1, estimate }).fit(tosses, sides);

  test('has the mean 5/7, the mode 4/5 and the likelihood 3/4', () => {
    near(heads(coin('mean')), 5 / 7);
    near(heads(coin('map')), 4 / 5);
    near(heads(coin('mle')), 3 / 4);
  });

  test('has the posterior Beta(5, 2), whichever point of it is used', () => {
    for (const estimate of ['mean', 'map'] as const) {
      const { mean } = parameterPosterior(coin(estimate), { class: 'a', feature: 0 });
      near(mean, 5 / 7);
    }
  });

  test('can have a prior of its own in each class', () => {
    const model = new BernoulliNB({ alpha: [2, 1], alphaAbsent: [1, 4] }).fit(tosses, sides);
    near(heads(model), 5 / 7);
    near(Math.exp(model.featureLogProb.at(1, 0)), 1 / 6);
  });
});

test('a coin per feature has a Beta prior per feature', () => {
  const model = new BernoulliNB({ alpha: [1, 3], alphaAbsent: [2, 0.5] }).fit(
    [
      [1, 0],
      [0, 0],
    ],
    ['a', 'b'],
  );
  near(Math.exp(model.featureLogProb.at(0, 0)), 2 / 4);
  near(Math.exp(model.featureLogProb.at(0, 1)), 3 / 4.5);
});

test('a die of five rolls has the mean, mode and likelihood of its Dirichlet posterior', () => {
  const die = (estimate: 'mean' | 'map' | 'mle') =>
    new MultinomialNB({ alpha: [2, 3], estimate }).fit(
      [
        [4, 1],
        [1, 1],
      ],
      ['a', 'b'],
    );
  near(Math.exp(die('mean').featureLogProb.at(0, 0)), 6 / 10);
  near(Math.exp(die('map').featureLogProb.at(0, 0)), 5 / 8);
  near(Math.exp(die('mle').featureLogProb.at(0, 0)), 4 / 5);
  near(parameterPosterior(die('map'), { class: 'a', feature: 0 }).mean, 6 / 10);
});

describe('levels with a Dirichlet prior of their own', () => {
  const X = [['sunny'], ['sunny'], ['rain'], ['rain']];
  const y = ['play', 'play', 'play', 'stay'];
  const face = (model: CategoricalNB, c: number, v: number) => Math.exp(model.featureLogProb[0].at(c, v));

  test('have their pseudo-counts, and others have alpha', () => {
    const model = new CategoricalNB({ levelAlpha: [{ sunny: 3 }], alpha: 2 }).fit(X, y);
    expect(model.categories).toEqual([['rain', 'sunny']]);
    near(face(model, 0, 0), (1 + 2) / (3 + 5));
    near(face(model, 0, 1), (2 + 3) / (3 + 5));
    near(parameterPosterior(model, { class: 'play', feature: 0, level: 'sunny' }).mean, 5 / 8);
    model.partialFit([['hail']], ['stay']);
    near(face(model, 1, 0), (1 + 2) / (2 + 7)); // a new level has alpha
    near(Math.exp(model.predictJointLogProba([['fog']]).at(0, 0)), ((2 / 10) * 3) / 5); // and so has an unknown one
  });

  test('have the mode and the likelihood', () => {
    const of = (estimate: 'map' | 'mle') =>
      new CategoricalNB({ levelAlpha: [{ sunny: 3 }], alpha: 2, estimate }).fit(X, y);
    near(face(of('map'), 0, 1), (2 + 2) / (3 + 3));
    near(face(of('mle'), 0, 1), 2 / 3);
  });

  test('may be whole numbers, in order', () => {
    const model = new CategoricalNB({ levelAlpha: [[1, 5]] }).fit([[0], [1], [1]], ['a', 'a', 'b']);
    near(face(model, 0, 1), 6 / 8);
  });

  test('are one entry per column', () => {
    expect(refusalOf(() => new CategoricalNB({ levelAlpha: [null, null] }).fit(X, y).predict(X)).code).toBe('E_PARAM');
    expect(refusalOf(() => new CategoricalNB({ levelAlpha: [{ sunny: -1 }] })).code).toBe('E_PARAM');
  });
});

test('weights of columns multiply log-probabilities, one for each column', () => {
  const X = [['sunny'], ['sunny'], ['rain'], ['rain']];
  const y = ['play', 'play', 'play', 'stay'];
  const model = new CategoricalNB({ columnWeights: [0.5] }).fit(X, y);
  const half = (count: number, rows: number) => 0.5 * Math.log((count + 1) / (rows + 2));
  const scores = model.predictJointLogProba([['sunny'], ['fog']]);
  near(scores.at(0, 0), Math.log(3 / 4) + half(2, 3));
  near(scores.at(1, 1), Math.log(1 / 4) + half(0, 1));
  near(Math.exp(model.featureLogProb[0].at(0, 1)), 3 / 5);
  expect(refusalOf(() => new CategoricalNB({ columnWeights: [1, 1] }).fit(X, y).predict(X)).code).toBe('E_PARAM');
  expect(refusalOf(() => new CategoricalNB({ columnWeights: [Number.NaN] })).code).toBe('E_PARAM');
});

describe('classes under a Dirichlet prior', () => {
  const n = [4, 1];
  const prior = (model: BernoulliNB) =>
    model
      .predictJointLogProba([[Number.NaN]])
      .toArray()[0]
      .map(Math.exp);
  const fitted = (params: object) => new BernoulliNB({ missing: 'ignore', ...params }).fit(tosses, sides);

  test('are counted with a pseudo-count each', () => {
    expectClose(prior(fitted({ priorAlpha: [2, 3] })), [6 / 10, 4 / 10]);
    expectClose(prior(fitted({ priorAlpha: [2, 3], estimate: 'map' })), [5 / 8, 3 / 8]);
    expectClose(prior(fitted({ priorAlpha: [2, 3], estimate: 'mle' })), [4 / 5, 1 / 5]);
    expectClose(prior(fitted({ priorAlpha: 2 })), [6 / 9, 3 / 9]);
  });

  test('have the posterior Dirichlet(n + a)', () => {
    for (const estimate of ['mean', 'map'] as const) {
      const model = fitted({ priorAlpha: [2, 3], estimate });
      const { mean } = parameterPosterior(model, { class: 'a', parameter: 'classPrior' });
      near(mean, (n[0] + 2) / 10);
    }
    const bells = new GaussianNB().fit([[0], [1], [2]], ['a', 'a', 'b']);
    near(parameterPosterior(bells, { class: 'b', parameter: 'classPrior' }).mean, 1 / 3);
  });

  test('have none where they were given', () => {
    const model = fitted({ classPrior: [0.5, 0.5] });
    expect(refusalOf(() => parameterPosterior(model, { class: 'a', parameter: 'classPrior' })).code).toBe('E_CONFLICT');
  });

  test('are as many as the prior has parameters', () => {
    expect(refusalOf(() => fitted({ priorAlpha: [1, 2, 3] }).predict([[1]])).code).toBe('E_PARAM');
  });
});

const rows = [
  [1, 0, 2],
  [0, 1, 1],
  [1, 1, 0],
  [0, 0, 2],
  [1, 0, 0],
  [0, 1, 2],
];
const labels = ['x', 'y', 'x', 'y', 'y', 'x'];
const subjects = {
  'BernoulliNB under Beta(2, 1)': () => new BernoulliNB({ alpha: 2, alphaAbsent: [1, 3, 2], priorAlpha: [1, 2] }),
  'BernoulliNB by its mode': () => new BernoulliNB({ alpha: 2, alphaAbsent: 1.5, estimate: 'map', priorAlpha: [1, 2] }),
  'MultinomialNB by its mode': () => new MultinomialNB({ alpha: 3, estimate: 'map', priorAlpha: [2, 2] }),
  'MultinomialNB by the likelihood': () => new MultinomialNB({ estimate: 'mle' }),
  'CategoricalNB with levels': () =>
    new CategoricalNB({ levelAlpha: [[2, 1], null, [1, 2, 3]], minCategories: [2, 2, 3], priorAlpha: [2, 1] }),
  'CategoricalNB with weights of columns': () =>
    new CategoricalNB({ columnWeights: [0.5, -0.25, 0], alpha: 0.5, minCategories: [2, 2, 3] }),
  'CategoricalNB by its mode': () =>
    new CategoricalNB({ alpha: 2, estimate: 'map', levelAlpha: [[2, 1.5], null, null], minCategories: [2, 2, 3] }),
};

describe.each(Object.entries(subjects))('%s', (_, make) => {
  const scores = (model: ReturnType<typeof make>) => model.predictJointLogProba(rows).data;
  const all = make().fit(rows, labels);

  test('counts a row of weight two as the row twice', () => {
    const twice = make().fit([...rows, rows[0]], [...labels, labels[0]]);
    expectClose(scores(make().fit(rows, labels, { sampleWeight: [2, 1, 1, 1, 1, 1] })), scores(twice));
  });

  test('merges and unlearns', () => {
    const half = make().fit(rows.slice(0, 3), labels.slice(0, 3));
    half.merge(make().fit(rows.slice(3), labels.slice(3)) as never);
    expect(scores(half)).toEqual(scores(all));
    const more = make().fit([...rows, [1, 1, 1]], [...labels, 'x']);
    expect(scores(more.unlearn([[1, 1, 1]], ['x']))).toEqual(scores(all));
  });

  test('is saved and loaded, with and without its counts', () => {
    for (const slim of [false, true]) {
      const loaded = load(all.toBytes({ slim })) as typeof all;
      expect(loaded.getParams()).toEqual(all.getParams());
      expectClose(scores(loaded), scores(all));
    }
  });

  test('leaves a row out as if it had not been learned', () => {
    const { scores: without } = heldOut(all);
    rows.forEach((row, i) => {
      const model = make().fit(rows, labels).unlearn([row], [labels[i]]);
      expectClose(without.row(i), model.predictLogProba([row]).data);
    });
  });

  test('explains its scores', () => {
    const [{ prior, contributions, joint }] = all.explain([rows[0]]).map((own) => ({ ...own, joint: scores(all) }));
    for (const c of [0, 1]) {
      const total = contributions.reduce((sum, { byClass }) => sum + byClass[c], prior[c]);
      if (Number.isFinite(joint[c])) near(total, joint[c]);
    }
  });
});

/** The log-posteriors of every row under the model of the others. */
function heldOut(model: Parameters<typeof leaveOneOut>[0]) {
  const { logProba } = leaveOneOut(model, rows, labels) as unknown as { logProba: import('../data/matrix.ts').Matrix };
  return { scores: logProba };
}

test('a choice of alpha goes with the symmetric prior and its mean alone', () => {
  expect(refusalOf(() => new BernoulliNB({ alpha: 'auto', alphaAbsent: 1 })).code).toBe('E_PARAM');
  expect(refusalOf(() => new MultinomialNB({ alpha: 'auto', estimate: 'map' })).code).toBe('E_PARAM');
  expect(refusalOf(() => new CategoricalNB({ alpha: 'auto', levelAlpha: [null] })).code).toBe('E_PARAM');
  expect(refusalOf(() => new MultinomialNB({ smoothing: 'dirichlet', estimate: 'map' })).code).toBe('E_PARAM');
});

test('a mode needs pseudo-counts of at least one', () => {
  const flat = () => new BernoulliNB({ alpha: 0.5, estimate: 'map' }).fit(tosses, sides).predict([[1]]);
  expect(refusalOf(flat).code).toBe('E_PARAM');
});

test('a search tries points of the posterior on counts that are shared', () => {
  const search = new GridSearchCV(new BernoulliNB({ alpha: 2 }), { estimate: ['mean', 'map', 'mle'] }, { cv: 2 });
  expect(search.fit(rows, labels).bestParams).toHaveProperty('estimate');
});

test('scikit-learn has no such priors, so the export to it refuses', async () => {
  const { toSklearn } = await import('../exchange/to-sklearn.ts');
  for (const params of [{ alphaAbsent: 2 }, { alpha: 3, estimate: 'map' }, { priorAlpha: [3, 1] }] as const) {
    expect(refusalOf(() => toSklearn(new BernoulliNB(params).fit(rows, labels))).code).toBe('E_CONFLICT');
  }
});

describe('a pipeline over texts', () => {
  const texts = [
    'win money now',
    'lunch at noon',
    'win the prize',
    'the noon meeting',
    'money money',
    'see you at lunch',
  ];
  const classifiers = [
    () => new BernoulliNB({ alpha: 2, alphaAbsent: 3, priorAlpha: [2, 1] }),
    () => new BernoulliNB({ alpha: 2, alphaAbsent: 3, estimate: 'map' }),
    () => new MultinomialNB({ alpha: 2, estimate: 'map', priorAlpha: [2, 1] }),
  ];

  test.each(classifiers.map((make, k) => [k, make] as const))('has the same prior as its steps (%i)', (_, make) => {
    const vectorizer = new CountVectorizer();
    const alone = make().fit(vectorizer.fitTransform(texts), labels);
    const together = makePipeline(new CountVectorizer(), make()).fit(texts, labels);
    const unseen = ['win a lunch', 'meeting now', 'nothing known'];
    expectClose(together.predictProba(unseen).data, alone.predictProba(vectorizer.transform(unseen)).data);
    together.unlearn(texts.slice(4), labels.slice(4));
    const rest = make().fit(new CountVectorizer().fitTransform(texts.slice(0, 4)), labels.slice(0, 4));
    expectClose(
      together.predictProba(texts.slice(0, 1)).data,
      rest.predictProba(new CountVectorizer().fit(texts.slice(0, 4)).transform(texts.slice(0, 1))).data,
    );
  });
});
