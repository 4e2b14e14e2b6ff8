import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { recorded } from '../../test/reference/evaluate/recorded.ts';
import { Random } from '../math/random.ts';
import { bootstrapInterval } from './bootstrap.ts';
import { f1Score, precisionScore, recallScore } from './class-scores.ts';
import { clopperPearsonInterval, wilsonInterval } from './intervals.ts';
import { accuracyScore, hammingLoss, zeroOneLoss } from './metrics.ts';
import { brierScoreLoss, logLoss, topKAccuracyScore } from './probability-metrics.ts';
import { rocAucScore } from './ranking-scores.ts';
import { withInterval } from './with-interval.ts';

const code = (attempt: () => unknown) => refusalOf(attempt).code;

describe('proportions', () => {
  test('are those of SciPy', () => {
    const ours = { wilson: wilsonInterval, exact: clopperPearsonInterval };
    for (const { successes, n, level, method, expected } of recorded('intervals.json')) {
      if (method === 'sign') continue;
      const { low, high } = ours[method as keyof typeof ours](successes, n, { level });
      expectClose([low, high], expected, 1e-9, 1e-2); // SciPy finds the exact ends to an absolute 2e-12
    }
  });

  check.prop([fc.nat(200), fc.nat(200), fc.double({ min: 0.01, max: 0.99, noNaN: true })])(
    'hold the estimate, lie within [0, 1] and grow with the level',
    (a, b, level) => {
      const [k, n] = [Math.min(a, b), Math.max(a, b)];
      for (const interval of [wilsonInterval, clopperPearsonInterval]) {
        const { value, low, high } = interval(k, n, { level });
        const wider = interval(k, n, { level: (1 + level) / 2 });
        expect(low >= 0 && high <= 1 && wider.low <= low && wider.high >= high).toBe(true);
        if (n > 0) expect(low <= value && value <= high).toBe(true);
      }
    },
  );

  test('refuse impossible counts and levels', () => {
    expect(code(() => wilsonInterval(3, 2))).toBe('E_PARAM');
    expect(code(() => clopperPearsonInterval(-1, 2))).toBe('E_PARAM');
    expect(code(() => wilsonInterval(1, 2, { level: 95 }))).toBe('E_PARAM');
  });
});

describe('bootstrap', () => {
  const mean = (values: readonly number[]) => (w: Float64Array) =>
    values.reduce((all, value, i) => all + w[i] * value, 0) / w.reduce((a, b) => a + b, 0);

  test('of a mean is close to the normal interval, and repeats with its seed', () => {
    const random = new Random(1);
    const values = Array.from({ length: 400 }, () => random.normal());
    const deviation = Math.sqrt(mean(values.map((v) => v * v))(new Float64Array(400).fill(1)));
    for (const method of ['percentile', 'bca'] as const) {
      const { value, low, high } = bootstrapInterval(mean(values), 400, { method, randomState: 4, nResamples: 2000 });
      expectClose([high - low], [(2 * 1.96 * deviation) / 20], 0.1); // 2000 draws know a quantile to some 3 %
      expect(low < value && value < high).toBe(true);
      expect(bootstrapInterval(mean(values), 400, { method, randomState: 4, nResamples: 2000 }).low).toBe(low);
    }
  });

  test('bca leans to the long tail of a skewed sample', () => {
    const random = new Random(2);
    const values = Array.from({ length: 60 }, () => random.exponential() ** 2);
    const of = (method: 'percentile' | 'bca') => bootstrapInterval(mean(values), 60, { method, nResamples: 2000 });
    expect(of('bca').high).toBeGreaterThan(of('percentile').high);
    expect(of('bca').low).toBeGreaterThan(of('percentile').low);
  });

  test('says when there is no interval', () => {
    const y = [0, ...new Array(3).fill(1)];
    const rare = withInterval(rocAucScore, y, [0.1, 0.2, 0.3, 0.4], { method: 'percentile' });
    expect(rare.low <= rare.value && rare.value <= rare.high).toBe(true);
    const never = withInterval(rocAucScore, [1, 1], [0.1, 0.2], { method: 'bca', nResamples: 20 });
    expect([never.value, never.low, never.high]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(code(() => bootstrapInterval(() => 1, 0))).toBe('E_EMPTY_INPUT');
  });
});

describe('withInterval', () => {
  const random = new Random(3);
  const y = Array.from({ length: 120 }, () => random.integer(2));
  const p = y.map((label) => 0.3 * label + 0.7 * random.uniform());
  const guess = p.map((value) => (value > 0.5 ? 1 : 0));

  test('names the method that fits the metric, and holds its value', () => {
    const found = [
      withInterval(accuracyScore, y, guess),
      withInterval(zeroOneLoss, y, guess, { method: 'clopper-pearson' }),
      withInterval(hammingLoss, y, guess),
      withInterval(precisionScore, y, guess),
      withInterval(recallScore, y, guess, { options: { posLabel: 0 } }),
      withInterval(topKAccuracyScore, y, p, { options: { k: 1 } }),
      withInterval(rocAucScore, y, p, { nResamples: 200 }),
      withInterval(f1Score, y, guess, { options: { average: 'macro' }, nResamples: 200 }),
      withInterval(precisionScore, y, guess, { options: { average: 'macro' }, nResamples: 200 }),
      withInterval(logLoss, y, p, { method: 'percentile', nResamples: 200 }),
      withInterval(brierScoreLoss, y, p, { nResamples: 200 }),
      withInterval(accuracyScore, y, guess, {
        options: { sampleWeight: y.map((_, i) => 1 + (i % 3)) },
        nResamples: 200,
      }),
    ];
    expect(found.map(({ method }) => method)).toEqual([
      'wilson',
      'clopper-pearson',
      'wilson',
      'wilson',
      'wilson',
      'wilson',
      'bootstrap bca',
      'bootstrap bca',
      'bootstrap bca',
      'bootstrap percentile',
      'bootstrap bca',
      'bootstrap bca',
    ]);
    for (const { low, value, high, level } of found) {
      expect(low < value && value < high).toBe(true);
      expect(level).toBe(0.95);
    }
    expect(found[0].value).toBe(accuracyScore(y, guess));
    expect(found[3].n).toBe(guess.filter((label) => label === 1).length);
    expectClose([found[6].value], [rocAucScore(y, p)]);
  });

  test('the methods agree where they should', () => {
    const wilson = withInterval(accuracyScore, y, guess);
    const drawn = withInterval(accuracyScore, y, guess, { method: 'percentile' });
    expectClose([drawn.low, drawn.high], [wilson.low, wilson.high], 0.05); // both are approximations of order 1/√n
  });

  test('refuses a method that does not fit', () => {
    expect(code(() => withInterval(f1Score, y, guess, { method: 'wilson' }))).toBe('E_PARAM');
    expect(code(() => withInterval(rocAucScore, y, p, { method: 'wilson' }))).toBe('E_PARAM');
    expect(code(() => withInterval(accuracyScore, y, guess, { method: 'magic' as never }))).toBe('E_PARAM');
  });
});
