import { expect, test } from 'vitest';
import { recorded } from '../../test/reference/evaluate/recorded.ts';
import { KFold, LeaveOneOut, type Splitter, StratifiedKFold } from './folds.ts';
import { GroupKFold, StratifiedGroupKFold } from './group-folds.ts';
import { TimeSeriesSplit } from './time-splits.ts';

const splitters = { KFold, LeaveOneOut, StratifiedKFold, GroupKFold, StratifiedGroupKFold, TimeSeriesSplit };
const cases = recorded('splits.json');

test.each(Object.keys(splitters))('%s without shuffling gives the folds of scikit-learn 1.9.1', (fn) => {
  const Made = splitters[fn as keyof typeof splitters] as new (options: object) => Splitter;
  const own = cases.filter((each) => each.fn === fn);
  expect(own.length).toBeGreaterThan(0);
  for (const { options, rows, y, groups, expected } of own) {
    const splitter = new Made(options);
    const X = Array.from({ length: rows }, () => [0]);
    expect([...splitter.split(X, y, groups)]).toEqual(expected);
    expect(splitter.getNSplits(X)).toBe(expected.length);
  }
});
