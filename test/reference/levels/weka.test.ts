import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AveragedOneDependenceNB } from '../../../src/index.ts';
import { expectClose } from '../../close.ts';

// Recorded from Weka 3.6.14 by record.py, which is beside this file.
const { X, y, query, aode } = JSON.parse(readFileSync(new URL('weka.json', import.meta.url), 'utf8')) as Record<
  'X' | 'query' | 'aode',
  number[][]
> & { y: number[] };

test('averaged one-dependence estimators have the probabilities of Weka', () => {
  const proba = new AveragedOneDependenceNB().fit(X, y).predictProba(query);
  expect(aode).toHaveLength(query.length);
  expectClose(proba.data, aode.flat(), 1e-12);
});
