import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { recorded } from '../../test/reference/evaluate/recorded.ts';
import { Random } from '../math/random.ts';
import { correctedResampledTTest, fiveByTwoTTest, mcnemarTest } from './compare.ts';
import { delongTest } from './delong-test.ts';
import { accuracyScore } from './metrics.ts';
import { pairedBootstrapTest } from './paired-bootstrap.ts';
import { logLoss } from './probability-metrics.ts';

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

  test('χ² by hand: 12 against 3 gives (9 − 1)² / 15, and says so in words', () => {
    const verdict = mcnemarTest(...discordant(12, 3), { method: 'chi2', names: ['tree', 'urn'] });
    expectClose([verdict.statistic], [64 / 15]);
    expectClose([verdict.pValue], [0.038867104], 1e-6); // χ² tables, six digits
    expect(verdict.better).toBe('tree');
    expect(verdict.words).toBe(
      'tree is better than urn by 0.450 in accuracy, more than chance explains ' +
        '(McNemar, χ²: p = 0.039; 12 rows only the first gets right, 3 only the second, of 20).',
    );
    expectClose([mcnemarTest(...discordant(12, 3), { method: 'chi2', correction: false }).statistic], [81 / 15]);
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

  test('five times two folds', () => {
    const { statistic, pValue } = fiveByTwoTTest([
      [0.02, 0.04],
      [0.01, 0.03],
      [0.02, 0.02],
      [0.03, 0.01],
      [0.02, 0.05],
    ]);
    expectClose([statistic], [0.02 / Math.sqrt((0.0002 + 0.0002 + 0.0002 + 0.00045) / 5)], 1e-9);
    expect(pValue > 0.2 && pValue < 0.25).toBe(true);
    expect(code(() => fiveByTwoTTest([[1, 2]]))).toBe('E_SHAPE');
  });
});

describe('paired bootstrap and DeLong', () => {
  const random = new Random(9);
  const y = Array.from({ length: 300 }, () => random.integer(2));
  const sharp = y.map((label) => 0.5 * label + 0.5 * random.uniform());
  const blunt = y.map((label) => 0.15 * label + 0.85 * random.uniform());
  const guess = (p: number[]) => p.map((value) => (value > 0.5 ? 1 : 0));

  test('a real difference is found, a loss is better when lower', () => {
    const verdict = pairedBootstrapTest(accuracyScore, y, guess(sharp), guess(blunt), { nResamples: 300 });
    expect(verdict.better).toBe('the first');
    expect(verdict.low <= verdict.difference && verdict.difference <= verdict.high && verdict.low > 0).toBe(true);
    const loss = pairedBootstrapTest(logLoss, y, sharp, blunt, {
      greaterIsBetter: false,
      nResamples: 300,
      names: ['a', 'b'],
    });
    expect(loss.better).toBe('a');
    const area = delongTest(y, sharp, blunt);
    expect([area.better, area.pValue < 0.001]).toEqual(['the first', true]);
  });

  test('no difference is not found', () => {
    expect(pairedBootstrapTest(accuracyScore, y, guess(sharp), guess(sharp), { nResamples: 50 }).pValue).toBe(1);
    expect(delongTest(y, sharp, sharp)).toMatchObject({ pValue: 1, better: null });
    const noise = y.map(() => random.uniform());
    const other = y.map(() => random.uniform());
    expect(delongTest(y, noise, other).better).toBe(null);
    expect(code(() => delongTest([1, 1], [1, 2], [1, 2]))).toBe('E_CLASSES_TOO_FEW');
    expect(
      code(() => pairedBootstrapTest(accuracyScore, y, guess(sharp), guess(sharp), { names: ['a'] as never })),
    ).toBe('E_PARAM');
  });
});
