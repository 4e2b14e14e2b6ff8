import { test as check, fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { predictedRows } from '../../test/reference/evaluate/samples.ts';
import { accuracyScore, cohenKappaScore } from './metrics.ts';
import { Prequential, prequentialScores, type StreamScores } from './prequential.ts';

const code = (attempt: () => unknown) => refusalOf(attempt).code;

check.prop([predictedRows, fc.integer({ min: 1, max: 6 }), fc.constantFrom(0.5, 0.9, 1)])(
  'running, windowed and faded scores are those of all, of the latest and of weighted rows',
  (rows, window, fading) => {
    const stream = new Prequential({ window, fading });
    const p = rows.map(({ weight }) => weight / 4);
    rows.forEach(({ truth, guess }, i) => {
      stream.update(truth, guess, p[i]);
    });
    const [t, g] = [rows.map(({ truth }) => truth), rows.map(({ guess }) => guess)];
    const expectScores = (scores: StreamScores, w: number[]) => {
      const loss = p.reduce((all, value, i) => all - w[i] * Math.log(value), 0) / w.reduce((a, b) => a + b, 0);
      expectClose([scores.accuracy, scores.logLoss], [accuracyScore(t, g, { sampleWeight: w }), loss], 1e-12, 1);
      const kappa = cohenKappaScore(t, g, { sampleWeight: w });
      if (!Number.isNaN(kappa) && Math.abs(kappa) < 1e6) expectClose([scores.kappa], [kappa], 1e-9, 1);
    };
    const { window: latest, fading: faded, ...all } = stream.scores();
    expectScores(
      all,
      t.map(() => 1),
    );
    expectScores(
      latest,
      t.map((_, i) => (i >= t.length - window ? 1 : 0)),
    );
    expectScores(
      faded,
      t.map((_, i) => fading ** (t.length - 1 - i)),
    );
    expect([all.n, latest.n]).toEqual([t.length, Math.min(t.length, window)]);
  },
);

test('scores are returned at 1, 2, 4, 8 … rows and at the end', () => {
  const y = Array.from({ length: 100 }, (_, i) => i % 2);
  const table = prequentialScores(y, y, { probability: y.map(() => 0.5) });
  expect(table.map(({ n }) => n)).toEqual([1, 2, 4, 8, 16, 32, 64, 100]);
  expectClose(
    table.map(({ logLoss }) => logLoss),
    table.map(() => Math.LN2),
  );
  expect(prequentialScores([1, 0], [1, 1]).at(-1)).toMatchObject({ n: 2, accuracy: 0.5, logLoss: Number.NaN });
});

test('a long stream neither overflows nor drifts', () => {
  const stream = new Prequential({ window: 10, fading: 0.5 });
  for (let i = 0; i < 5000; i++) stream.update(1, i % 2, 0.25);
  const { accuracy, fading } = stream.scores();
  expectClose([accuracy, fading.accuracy, fading.logLoss], [0.5, 2 / 3, Math.log(4)]);
});

test('nothing yet is NaN; bad rows and options are refused', () => {
  expect(new Prequential().scores().accuracy).toBeNaN();
  expect(code(() => new Prequential({ fading: 0 }))).toBe('E_PARAM');
  expect(code(() => new Prequential({ window: 0 }))).toBe('E_PARAM');
  expect(code(() => new Prequential().update(1, 1, 1.5))).toBe('E_VALUE_RANGE');
  expect(code(() => new Prequential().update(null as never, 1))).toBe('E_LABEL_MISSING');
  expect(code(() => prequentialScores([1], []))).toBe('E_SHAPE');
});
