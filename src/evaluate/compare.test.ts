import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { recorded } from '../../test/reference/evaluate/recorded.ts';
import { correctedResampledTTest, mcnemarTest } from './compare.ts';

const code = (attempt: () => unknown) => refusalOf(attempt).code;

/** Labels and two predictions of which only the first is right in b rows, only the second in c, and both in 5. */
function discordant(b: number, c: number): [number[], number[], number[]] {
  const y = new Array(b + c + 5).fill(1);
  return [y, y.map((_, i) => (i >= b && i < b + c ? 0 : 1)), y.map((_, i) => (i < b ? 0 : 1))];
}

describe('mcnemar', () => {
  test('exact probabilities are those of the sign test in SciPy', () => {
    for (const { successes, n, method, expected } of recorded('intervals.json')) {
      if (method !== 'sign') continue;
      const { pValue, onlyFirst, onlySecond } = mcnemarTest(...discordant(successes, n - successes));
      expect([onlyFirst, onlySecond]).toEqual([successes, n - successes]);
      expectClose([pValue], [expected], 1e-9);
    }
  });

  test('12 against 3 by hand, and it says so in words', () => {
    const verdict = mcnemarTest(...discordant(12, 3), { names: ['tree', 'urn'] });
    expect(verdict.statistic).toBe(3);
    expectClose([verdict.pValue], [(2 * (1 + 15 + 105 + 455)) / 2 ** 15]); // at most three heads in 15 tosses, or three tails
    expect(verdict.better).toBe('tree');
    expect(verdict.words).toBe(
      'tree is better than urn by 0.450 in accuracy, more than chance explains ' +
        '(McNemar, exact: p = 0.035; 12 rows only the first gets right, 3 only the second, of 20).',
    );
  });

  check.prop([fc.nat(30), fc.nat(30)])('exchanging the two turns the answer round', (b, c) => {
    const [y, first, second] = discordant(b, c);
    const [there, back] = [mcnemarTest(y, first, second), mcnemarTest(y, second, first)];
    expect(there.pValue).toBe(back.pValue);
    expect(there.difference).toBe(-back.difference + 0);
    expect(there.pValue >= 0 && there.pValue <= 1).toBe(true);
  });

  test('equal predictions are equal', () => {
    const [y, first] = discordant(3, 0);
    const verdict = mcnemarTest(y, first, first);
    expect([verdict.pValue, verdict.better]).toEqual([1, null]);
    expect(verdict.words).toContain('are equal in accuracy');
  });
});

describe('t-tests', () => {
  const first = [0.81, 0.83, 0.79, 0.84, 0.8, 0.82, 0.85, 0.78, 0.83, 0.81];
  const second = [0.8, 0.8, 0.79, 0.81, 0.79, 0.81, 0.82, 0.78, 0.8, 0.8];

  test('corrected: the plain t is divided by √(1 + J nTest / nTrain)', () => {
    const { statistic, difference, better } = correctedResampledTTest(first, second, { nTrain: 90, nTest: 10 });
    const d = first.map((value, i) => value - second[i]);
    const mean = d.reduce((a, b) => a + b, 0) / 10;
    const deviation = Math.sqrt(d.reduce((all, v) => all + (v - mean) ** 2, 0) / 9);
    expectClose([statistic], [mean / (deviation / Math.sqrt(10)) / Math.sqrt(1 + 10 / 9)], 1e-9);
    expectClose([difference], [mean], 1e-9);
    expect(better).toBe('the first');
  });

  test('differences without spread', () => {
    const options = { nTrain: 90, nTest: 10 };
    expect(correctedResampledTTest([1, 1, 1], [1, 1, 1], options).pValue).toBe(1);
    expect(correctedResampledTTest([1, 1], [0, 0], options).pValue).toBe(0);
    expect(code(() => correctedResampledTTest([1, 2], [1], options))).toBe('E_SHAPE');
    expect(code(() => correctedResampledTTest([1], [1], options))).toBe('E_SHAPE');
    expect(code(() => correctedResampledTTest([1, 2], [1, 2], {} as never))).toBe('E_PARAM');
  });
});
