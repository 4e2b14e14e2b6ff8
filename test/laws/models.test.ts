import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { score } from '../../src/core/model.ts';
import { CountingClassifier } from '../../src/estimators/classifier.ts';
import { estimators } from '../../src/estimators/load.ts';
import { Random } from '../../src/math/random.ts';
import { models } from '../../src/models/index.ts';

const here = new URL('.', import.meta.url);
const classifiers = Object.entries(estimators).filter(([, Class]) => Class.prototype instanceof CountingClassifier);

// three features that vary freely within both classes, so that every family can learn from them
const random = new Random(1);
const X = Array.from({ length: 40 }, () => Array.from({ length: 3 }, () => random.integer(4)));
const y = X.map((_, i) => (i % 2 === 0 ? 'a' : 'b'));

describe.each(classifiers)('%s', (_, Class) => {
  const estimator = new Class() as unknown as CountingClassifier<Record<string, never>, never, never>;

  test('its model is registered under its name', () => {
    expect(Object.keys(models)).toContain(estimator.model.name);
  });

  test('count, estimate and score equal the estimator', () => {
    const { model, counted, rows } = estimator.fit(X, y).inside();
    const { stats, options } = counted();
    const scores = score(model, model.estimate(stats, options), rows(X));
    expect(scores).toEqual(estimator.predictJointLogProba(X).data);
  });
});

test('every registered model belongs to an estimator and has its page', () => {
  const named = classifiers.map(([, Class]) => new Class().model.name);
  expect(Object.keys(models).sort()).toEqual([...new Set(named)].sort());
  const pages = readdirSync(new URL('../../docs/models/', here)).map((page) => page.replace('.md', ''));
  const missing = Object.keys(models).filter(
    (name) => !pages.some((page) => page.includes(name) || name.includes(page)),
  );
  expect(missing).toEqual([]);
});

test('every estimator is tested by the laws', () => {
  const laws = readdirSync(here)
    .filter((file) => file.startsWith('estimators') && file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, here), 'utf8'))
    .join('\n');
  for (const [kind] of Object.entries(estimators)) expect(laws, kind).toContain(`new ${kind}(`);
});
