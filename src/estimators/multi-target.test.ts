import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import * as polya from '../index.ts';

const cases = recorded('features.json');
const byName = Object(polya) as Record<string, new () => polya.MultinomialNB>;
const texts = ['grain trade', 'oil', 'grain ships', 'trade oil', 'ships', 'nothing at all', 'oil ships trade'];
const topics = [['grain', 'trade'], ['oil'], ['grain'], ['trade', 'oil'], [], [], ['oil', 'trade']];
const rows = [
  [2, 0, 1],
  [0, 1, 3],
  [1, 2, 0],
  [3, 0, 0],
  [0, 2, 2],
  [1, 1, 1],
  [0, 0, 4],
];

describe('scikit-learn 1.9.1', () => {
  test.each(cases.filter(({ what }) => what === 'rest').map((one, k) => [k, one.estimator, one] as const))(
    'OneVsRestClassifier %i of %s',
    (_, name, { X, y, proba, predict, score }) => {
      const model = new polya.OneVsRestClassifier(new byName[name]()).fit(X, y);
      expectAlike(model.predictProba(X).toArray(), proba, 1e-9, 1e-3);
      expect(model.predict(X)).toEqual(predict);
      expectAlike(model.score(X, y), score, 1e-12);
    },
  );

  test.each(cases.filter(({ what }) => what === 'output').map((one) => [one.estimator, one] as const))(
    'MultiOutputClassifier of %s',
    (name, { X, y, proba, predict, score }) => {
      const model = new polya.MultiOutputClassifier(new byName[name]()).fit(X, y);
      expectAlike(
        model.predictProba(X).map((one) => one.toArray()),
        proba,
        1e-9,
        1e-3,
      );
      expect(model.predict(X)).toEqual(predict);
      expectAlike(model.score(X, y), score, 1e-12);
    },
  );
});

describe('rows are counted once, and each label is learned as if alone', () => {
  const families = [
    new polya.MultinomialNB({ alpha: 0.5 }),
    new polya.ComplementNB(),
    new polya.BernoulliNB(),
    new polya.PoissonNB(),
    new polya.GaussianNB({ reproducible: true }),
    new polya.KernelNB(),
    new polya.CategoricalNB(),
    new polya.DirichletMultinomialNB(),
    new polya.TreeAugmentedNB(),
    new polya.MultinomialNB({ alpha: 'auto' }), // what rows choose is no sum: one fit per label
    new polya.DiscriminativeMultinomialNB(),
    new polya.RobinsonFisherFilter(),
    polya.makePipeline(new polya.TfidfTransformer(), new polya.MultinomialNB()),
  ];
  test.each(families.map((family) => [family.kind, family] as const))('%s', (_, family) => {
    const sampleWeight = rows.map((_, i) => 1 + (i % 2));
    const model = new polya.OneVsRestClassifier(family as polya.MultinomialNB).fit(rows, topics, { sampleWeight });
    expect(model.classes).toEqual(['grain', 'oil', 'trade']);
    for (const [k, label] of model.classes.entries()) {
      const y = topics.map((own) => Number(own.includes(label as string)));
      const alone = (family.clone() as polya.MultinomialNB).fit(rows, y, { sampleWeight });
      const [actual, expected] = [model.estimators[k].predictProba(rows), alone.predictProba(rows)];
      expectClose(actual.data, expected.data, 1e-9, 1e-3);
    }
  });
});

describe('several labels', () => {
  const pipeline = () =>
    polya.makePipeline(new polya.CountVectorizer(), new polya.OneVsRestClassifier(new polya.MultinomialNB()));
  const whole = pipeline().fit(texts, topics);
  const proba = (model: { predictProba(X: string[]): polya.Matrix }) => model.predictProba(texts).toArray();

  test('come back as lists', () => {
    const [, model] = whole.steps;
    expect(model.multilabel).toBe(true);
    expect(whole.predict(texts)[0]).toEqual(['grain', 'trade']);
    expect(whole.predict(['grain grain grain'])).toEqual([['grain']]);
  });

  test('are learned in parts as at once, and unlearned, while the vocabulary grows', () => {
    const options = { classes: ['grain', 'oil', 'trade'] };
    const parts = pipeline().partialFit(texts.slice(0, 3), topics.slice(0, 3), options);
    parts.partialFit(texts.slice(3), topics.slice(3));
    expect(proba(parts)).toEqual(proba(whole));
    parts.partialFit(['oil and water'], [['oil']]).unlearn(['oil and water'], [['oil']]);
    expect(proba(parts)).toEqual(proba(whole));
    expect(refusalOf(() => parts.partialFit(['x'], [['new']])).code).toBe('E_CLASS_UNKNOWN');
  });

  test('survive a model file', () => {
    const again = polya.load(whole.toBytes()) as unknown as typeof whole;
    expect(proba(again)).toEqual(proba(whole));
    expect(again.predict(texts)).toEqual(whole.predict(texts));
    const outputs = new polya.MultiOutputClassifier(new polya.GaussianNB()).fit(
      rows,
      rows.map(([a, b]) => [a > 1, b]),
    );
    const other = polya.load(outputs.toBytes()) as unknown as typeof outputs;
    expect(other.predict(rows)).toEqual(outputs.predict(rows));
    expect(other.classes).toEqual([
      [false, true],
      [0, 1, 2],
    ]);
  });

  test('refuses labels of another form', () => {
    const model = new polya.OneVsRestClassifier(new polya.MultinomialNB());
    for (const y of [undefined, 'ab', topics.map(() => []), topics.map(() => 'a'), topics.slice(1), [[1], [0, 1]]]) {
      expect(refusalOf(() => model.fit(rows, y as never)).code, JSON.stringify(y)).toMatch(/^E_/);
    }
    const lists = model.fit(rows, topics);
    expect(
      refusalOf(() =>
        lists.score(
          rows,
          topics.map(() => 'oil'),
        ),
      ).code,
    ).toBe('E_LABEL_TYPE');
    expect(refusalOf(() => new polya.OneVsRestClassifier(7 as never)).code).toBe('E_PARAM');
    const outputs = new polya.MultiOutputClassifier(new polya.MultinomialNB());
    for (const y of [undefined, topics, rows.map(() => 1), []]) {
      expect(refusalOf(() => outputs.fit(rows, y as never)).code, JSON.stringify(y)).toMatch(/^E_/);
    }
  });
});
