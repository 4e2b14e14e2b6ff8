import { test as check, fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { exactSum } from '../math/exact.ts';
import { firstFrom } from '../math/search.ts';
import { numpySum, quantiles, unitSteps } from './numpy.ts';
import { fixed, padded, pythonFloat } from './printed-numbers.ts';

check.prop([fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 600 })])(
  'sums of whole numbers are exact, of others close',
  (values) => {
    expect(numpySum(values)).toBe(values.reduce((a, b) => a + b, 0));
    const tenths = values.map((value) => value / 10);
    expectClose([numpySum(tenths)], [exactSum(tenths)], 1e-12, 1e3);
  },
);

test("steps, quantiles and places have NumPy's roundings", () => {
  expect(unitSteps(5)[3]).toBe(0.6000000000000001);
  expect(Array.from(quantiles(Float64Array.of(1, 2, 4), Float64Array.of(0, 0.25, 0.5, 1)))).toEqual([1, 1.5, 2, 4]);
  expect([0, 1, 1.5, 9].map((value) => firstFrom([1, 2], value))).toEqual([0, 0, 1, 2]);
});

test('numbers are printed as Python prints them', () => {
  expect([0.125, 0.375, 0.5, 2.675, 1, Number.NaN].map((value) => fixed(value, 2))).toEqual([
    '0.12',
    '0.38',
    '0.50',
    '2.67',
    '1.00',
    'nan',
  ]);
  expect([0.5, 1.5, 2.5, 0.4].map((value) => fixed(value, 0))).toEqual(['0', '2', '2', '0']);
  expect([fixed(Infinity, 2), fixed(-Infinity, 2), fixed(0.1, 100).length]).toEqual(['inf', '-inf', 102]);
  expect([3, 0, 0.1, 1e-5, 1e16, 123456789012345680, 1e22, Infinity].map(pythonFloat)).toEqual([
    '3.0',
    '0.0',
    '0.1',
    '1e-05',
    '1e+16',
    '1.2345678901234568e+17',
    '1e+22',
    'inf',
  ]);
  expect(padded('𠀀', 3)).toBe('  𠀀');
});
