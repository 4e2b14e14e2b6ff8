import { expect, test } from 'vitest';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';

const words = Array.from({ length: 60 }, (_, k) => `w${String.fromCharCode(97 + (k % 26), 97 + ((7 * k) % 26))}${k}`);
const names = ['billing', 'sales', 'shipping', 'support'];

type Row = Record<string, string | number>;

/** A table of 4 to 40 rows of numbers, categories, both, or short texts; with a signal of 0 they say nothing about the label. */
function randomTable(seed: number, signal: number, size?: number) {
  const random = new Random(seed);
  const rows = size ?? 4 + random.integer(37);
  const classes = Math.min(rows >> 1, 2 + random.integer(3));
  const kind = ['numbers', 'categories', 'both', 'texts'][seed % 4];
  const word = (c: number) =>
    words[random.uniform() < 0.3 * signal ? 8 * c + random.integer(8) : 32 + random.integer(28)];
  const one = (c: number): Row => ({
    y: names[c],
    ...((kind === 'numbers' || kind === 'both') && {
      a: signal * c + random.normal(),
      b: random.normal() - signal * c,
    }),
    ...((kind === 'categories' || kind === 'both') && {
      k: `k${random.uniform() < 0.4 * signal ? c : random.integer(classes)}`,
      l: `l${random.integer(3)}`,
    }),
    ...(kind === 'texts' && { text: Array.from({ length: 5 + random.integer(5) }, () => word(c)).join(' ') }),
  });
  const table = Array.from({ length: rows }, (_, i) => one(i < 2 * classes ? i % classes : random.integer(classes)));
  const fresh = Array.from({ length: 20 }, (_, i) => one(i % classes));
  const kinds = kind === 'texts' ? ({ kinds: { text: 'text' } } as const) : {};
  const options = { target: 'y', ...kinds };
  return { table, fresh, options };
}

/** The share of the largest class, and the entropy of the labels: the accuracy and the log-loss of the class prior. */
function priorOf(table: readonly Row[]) {
  const counts = names.map((name) => table.filter(({ y }) => y === name).length).filter((count) => count > 0);
  const shares = counts.map((count) => count / table.length);
  return { accuracy: Math.max(...shares), logLoss: shares.reduce((sum, share) => sum - share * Math.log(share), 0) };
}

const shareRight = (model: Classifier, rows: readonly Row[]) =>
  model.classifyAll(rows).filter(({ label }, i) => label === rows[i].y).length / rows.length;

/** The same model with every calibrator taken out. */
function uncalibrated(model: Classifier): Classifier {
  const { learned, steps = [], ...rest } = model.toState();
  const without = (values: typeof learned, name: string) =>
    Object.fromEntries(Object.entries(values).filter(([own]) => own !== name));
  const none = { shape: [0], data: new Float64Array(0) };
  return Classifier.fromState({
    ...rest,
    learned: without(learned, 'curve'),
    steps: steps.map((step) => ({
      ...step,
      learned: without(step.learned, 'curves'), // of a pool of columns
      arrays: step.arrays.curves ? { ...step.arrays, curves: none } : step.arrays, // of a pool of texts
    })),
  });
}

test('the four tickets: every training row keeps its class, and no accuracy is claimed', () => {
  const tickets = [
    { text: 'where is my parcel', y: 'shipping' },
    { text: 'the box has not arrived', y: 'shipping' },
    { text: 'please refund this invoice', y: 'billing' },
    { text: 'I was charged twice', y: 'billing' },
  ];
  for (const model of ['auto', 'multinomial'] as const) {
    const fitted = Classifier.fit(tickets, { target: 'y', kinds: { text: 'text' }, model });
    expect(shareRight(fitted, tickets)).toBe(1);
    expect(fitted.report().calibration).toBeNull();
    if (model !== 'auto') expect(fitted.report().evaluation!.accuracy).toBe(0.5); // no word occurs in two tickets
  }
});

// Noise: two classes whose probabilities differ by no more than one standard error of a share among that many rows.
test('on 200 tables of 4 to 40 rows, calibrated and uncalibrated labels agree except within noise', () => {
  for (let seed = 0; seed < 200; seed++) {
    const signal = seed % 3 ? 1.5 : 0;
    const { table, fresh, options } = randomTable(seed, signal);
    const own = seed % 16 >= 4 ? ({ model: 'mixed', calibrate: true } as const) : {};
    const model = Classifier.fit(table, { ...options, ...own, evaluate: false });
    const rows = [...table, ...fresh];
    const after = model.classifyAll(rows);
    uncalibrated(model)
      .classifyAll(rows)
      .forEach(({ label, probabilities }, i) => {
        const [first, second] = probabilities.map(({ probability }) => probability).sort((p, q) => q - p);
        if (first - second > 0.5 / Math.sqrt(table.length)) expect(after[i].label, `table ${seed}`).toBe(label);
      });
    if (signal > 0) expect(shareRight(model, table), `table ${seed}`).toBeGreaterThanOrEqual(priorOf(table).accuracy);
  }
});

// Evaluated on the rows it was fitted to, an isotonic curve of 80 rows of noise has an accuracy of about 0.55.
test('labels that the features say nothing about are not predicted better than by the prior, calibrated or not', () => {
  const cases = [
    { size: 80, options: { model: 'gaussian', calibrate: true } },
    { size: 80, options: { model: 'gaussian', calibrate: 'temperature' } },
    { size: 80, options: { model: 'gaussian', calibrate: 'sigmoid' } },
    { size: 80, options: { model: 'gaussian', calibrate: 'isotonic' } },
    { size: undefined, options: {} },
  ] as const;
  for (const { size, options: own } of cases) {
    let [accuracy, logLoss, rows] = [0, 0, 0];
    for (let k = 0; k < 16; k++) {
      const seed = 'model' in own ? 4 * k : k; // numbers for a Gaussian model
      const { table, options } = randomTable(500 + seed - (500 % 4), 0, size);
      const labelled = size ? table.map((row, i) => ({ ...row, y: names[i % 2] })) : table;
      const { evaluation, calibration } = Classifier.fit(labelled, { ...options, ...own }).report();
      if (size) expect(calibration).not.toBeNull();
      const prior = priorOf(labelled);
      accuracy += evaluation!.rows * (evaluation!.accuracy - prior.accuracy);
      logLoss += evaluation!.rows * (evaluation!.logLoss - prior.logLoss);
      rows += evaluation!.rows;
    }
    const noise = 2 * Math.sqrt(0.25 / rows);
    expect(accuracy / rows, JSON.stringify(own)).toBeLessThan(noise);
    expect(logLoss / rows, JSON.stringify(own)).toBeGreaterThan(-noise);
  }
});

test('a calibration that was asked for and has too few rows is left out, and the report says so', () => {
  const { table, options } = randomTable(4, 1.5, 40);
  for (const calibrate of ['temperature', 'sigmoid', 'isotonic', true] as const) {
    const { calibration, warnings } = Classifier.fit(table, { ...options, model: 'gaussian', calibrate }).report();
    expect(calibration).toBeNull();
    expect(warnings.map(({ kind }) => kind)).toContain('uncalibrated');
  }
  const { warnings } = Classifier.fit(table, options).report();
  expect(warnings.map(({ kind }) => kind)).not.toContain('uncalibrated');
});

test('held-out rows below the minimum are refused, and the model stays as it was', () => {
  const { table, options } = randomTable(8, 1.5, 120);
  const two = table.map((row, i) => ({ ...row, y: names[i % 2] }));
  const model = Classifier.fit(two, { ...options, model: 'gaussian', evaluate: false });
  const bytes = model.save();
  const refusal = expect.objectContaining({ code: 'E_CLASS_TOO_SMALL' });
  expect(() => model.calibrate(two.slice(0, 40))).toThrow(refusal);
  const uneven = two.filter(({ y }, i) => y === 'billing' || i < 20);
  expect(() => model.calibrate(uneven, { method: 'sigmoid' })).toThrow(refusal);
  expect(() => model.calibrate(two, { minRows: -1 })).toThrow(expect.objectContaining({ code: 'E_PARAM' }));
  expect(model.save()).toEqual(bytes);
  expect(model.calibrate(uneven).report().calibration!.method).toBe('temperature');
  expect(model.calibrate(two.slice(0, 40), { minRows: 10 }).report().calibration).not.toBeNull();
});
