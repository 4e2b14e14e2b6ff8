import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { decodeState, encodeState } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { fitIsotonic, predictIsotonic } from '../evaluate/isotonic.ts';
import { fitSigmoid, predictSigmoid } from '../evaluate/sigmoid.ts';
import { logSoftmaxInto, logSumExp } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import { applyCurve, type Curve, crossFitCurve, fitCurve, logOdds, onCurve } from './classifier-curves.ts';
import { meanLogLoss } from './classifier-evaluation.ts';

const refusal = (code: string) => expect.objectContaining({ code });

/** Scores that are three times too sure, with their labels. */
function overconfident(rows: number, classes: number, seed: number) {
  const random = new Random(seed);
  const logProba = new Matrix(rows, classes);
  const codes = Int32Array.from({ length: rows }, (_, i) => {
    const row = Float64Array.from({ length: classes }, () => 2 * random.normal());
    const honest = row.slice();
    logSoftmaxInto(honest, 0, classes, honest);
    logProba.row(i).set(row.map((value) => 3 * value));
    logSoftmaxInto(logProba.data, i * classes, classes, logProba.data);
    return random.categorical(honest.map(Math.exp));
  });
  return { logProba, codes };
}

const folds = (rows: number) => Int32Array.from({ length: rows }, (_, i) => i % 5);

test.each(['temperature', 'sigmoid', 'isotonic'] as const)('%s makes answers that are too sure honest', (method) => {
  for (const classes of [2, 4]) {
    const { logProba, codes } = overconfident(1500, classes, classes);
    const told = crossFitCurve(method, { logProba, codes }, folds(1500));
    expect(meanLogLoss(told, { codes })).toBeLessThan(0.8 * meanLogLoss(logProba, { codes }));
    for (let i = 0; i < told.rows; i++) expectClose([logSumExp(told.row(i))], [0], 1e-12, 1);
  }
  const { logProba, codes } = overconfident(2000, 3, 7);
  const temperature = fitCurve('temperature', { logProba, codes }, 3);
  expect(temperature).toMatchObject({ method: 'temperature' });
  expect((temperature as { beta: number }).beta).toBeCloseTo(1 / 3, 1);
});

test('where classes part without error, a temperature stays as sure as the model is', () => {
  const logProba = new Matrix(40, 2);
  const codes = Int32Array.from({ length: 40 }, (_, i) => {
    logProba.row(i).set(i % 2 ? [-5, Math.log1p(-Math.exp(-5))] : [Math.log1p(-Math.exp(-5)), -5]);
    return i % 2;
  });
  const { beta } = fitCurve('temperature', { logProba, codes }, 2) as { beta: number };
  expect(beta).toBeGreaterThan(1);
  expect(beta).toBeLessThan(1.5); // likelihood alone would have no end
  const weights = new Float64Array(40).fill(3);
  const thrice = {
    logProba: new Matrix(
      120,
      2,
      Float64Array.from({ length: 240 }, (_, k) => logProba.data[k % 80]),
    ),
    codes: Int32Array.from({ length: 120 }, (_, i) => codes[i % 40]),
  };
  const one = fitCurve('temperature', { logProba, codes, weights }, 2) as { beta: number };
  expect(one.beta).toBeCloseTo((fitCurve('temperature', thrice, 2) as { beta: number }).beta, 4);
});

test('two classes are told by one curve over the log-odds of the second', () => {
  const { logProba, codes } = overconfident(300, 2, 3);
  const odds = Float64Array.from({ length: 300 }, (_, i) => logProba.at(i, 1) - logProba.at(i, 0));
  const labels = Array.from(codes);
  const sigmoid = onCurve(fitCurve('sigmoid', { logProba, codes }, 2), logProba, 300);
  const expected = predictSigmoid(fitSigmoid(odds, labels), odds);
  expectClose(
    Float64Array.from({ length: 300 }, (_, i) => Math.exp(sigmoid.at(i, 1))),
    expected,
    1e-9,
  );
  const steps = onCurve(fitCurve('isotonic', { logProba, codes }, 2), logProba, 300);
  const floor = 1 / 302; // no row of 300 was seen
  const bare = predictIsotonic(fitIsotonic(odds, labels), odds);
  expectClose(
    Float64Array.from({ length: 300 }, (_, i) => Math.exp(steps.at(i, 1))),
    bare.map((p) => Math.min(1 - floor, Math.max(floor, p))),
    1e-9,
  );
});

test('log-odds keep their digits where a probability is 1 to the last bit', () => {
  const rows = [[0, -800, -900] as const, [-1e-300, -690, -700] as const];
  const odds = logOdds(Matrix.from(rows.map((row) => [...row])));
  expectClose(odds.row(0), [800, -800, -900], 1e-12);
  expect(odds.at(1, 0)).toBeCloseTo(690 - Math.log1p(Math.exp(-10)), 9);
});

const curve = (method: 'temperature' | 'sigmoid' | 'isotonic', classes: readonly string[]): Curve => {
  const answers = overconfident(400, classes.length, 5);
  const calibration = fitCurve(method, answers, classes.length);
  return { calibration, classes, rows: 400, on: 'held-out rows', learned: 400 };
};

test('a class that came later keeps its probability, one that is gone takes no part, and rows sum to one', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('temperature', 'sigmoid', 'isotonic'),
      fc.subarray(['a', 'b', 'c', 'd', 'e'], { minLength: 1 }),
      fc.array(fc.double({ min: -50, max: 0, noNaN: true }), { minLength: 5, maxLength: 5 }),
      (method, classes, scores) => {
        const own = curve(method as 'sigmoid', ['b', 'c', 'd']);
        const row = Float64Array.from(scores.slice(0, classes.length));
        logSoftmaxInto(row, 0, row.length, row);
        const told = applyCurve(own, new Matrix(1, classes.length, row), classes).row(0);
        expect(told.every((log) => log <= 1e-12)).toBe(true);
        expectClose([logSumExp(told)], [0], 1e-9, 1);
        classes.forEach((label, c) => {
          if (!own.classes.includes(label)) expectClose([told[c]], [row[c]], 1e-12, 1);
        });
      },
    ),
    { numRuns: 200 },
  );
});

/** Copies of one telling column make naive Bayes too sure. */
function table(count: number, seed: number) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const a = (i % 2) + 1.2 * random.normal();
    return { a, b: a + 0.01 * random.normal(), c: a + 0.01 * random.normal(), d: -a, y: i % 2 ? 'yes' : 'no' };
  });
}

const lossOf = (classifier: Classifier, rows: ReturnType<typeof table>) => {
  const { classes } = classifier;
  return meanLogLoss(classifier.predictLogProba(rows), { codes: Int32Array.from(rows, ({ y }) => classes.indexOf(y)) });
};

test('held-out rows calibrate a family that goes on learning, and its file keeps the curve', () => {
  const [train, held, fresh] = [table(300, 1), table(1200, 2), table(600, 3)];
  const plain = Classifier.fit(train, { target: 'y', model: 'gaussian', evaluate: false });
  for (const method of ['temperature', 'sigmoid', 'isotonic', undefined] as const) {
    const honest = plain.clone().calibrate(held, { method });
    expect(lossOf(honest, fresh)).toBeLessThan(lossOf(plain, fresh) - 0.05);
    const { calibration } = honest.report();
    expect(calibration).toMatchObject({ on: 'held-out rows', rows: 1200, stale: false });
    if (method) expect(calibration!.method).toBe(method);
    const again = Classifier.load(honest.save());
    expect(again.classifyAll(fresh)).toEqual(honest.classifyAll(fresh));
    expect(again.save()).toEqual(honest.save());
    again.partialFit([{ a: 9, b: 9, c: 9, d: 9, y: 'maybe' }]);
    expect(again.report().calibration).toMatchObject({ stale: true });
    expect(again.classes).toEqual(['maybe', 'no', 'yes']);
    for (const { probabilities } of again.classifyAll(fresh.slice(0, 20))) {
      expectClose([probabilities.reduce((sum, { probability }) => sum + probability, 0)], [1], 1e-12);
    }
    expect(again.calibrate([...held, { a: 9, b: 9, c: 9, d: 9, y: 'maybe' }]).report().calibration!.stale).toBe(false);
  }
});

test('out-of-fold scores calibrate in fit, and the evaluation is of calibrated answers', () => {
  const train = table(400, 4);
  const reportOf = (calibrate: boolean | 'sigmoid') =>
    Classifier.fit(train, { target: 'y', model: 'gaussian', calibrate }).report();
  const [plain, honest] = [reportOf(false), reportOf('sigmoid')];
  expect(plain.calibration).toBeNull();
  expect(plain.warnings.map(({ kind }) => kind)).toContain('over-confident');
  expect(honest.warnings.map(({ kind }) => kind)).not.toContain('over-confident');
  expect(honest.evaluation!.logLoss).toBeLessThan(plain.evaluation!.logLoss - 0.05);
});

test('pools are calibrated by held-out rows too', () => {
  const [train, held] = [table(200, 5), table(200, 6)];
  const pool = Classifier.fit(train, { target: 'y', features: ['a'] }).calibrate(held, { method: 'sigmoid' });
  expect(pool.report().calibration).toEqual({ method: 'sigmoid', on: 'held-out rows', rows: 200, stale: false });
  expect(Classifier.load(pool.save()).classifyAll(held)).toEqual(pool.classifyAll(held));
});

test('refusals leave the curve as it was', () => {
  const classifier = Classifier.fit(table(60, 7), { target: 'y', model: 'gaussian', evaluate: false, calibrate: true });
  const bytes = classifier.save();
  const [row] = table(1, 8);
  expect(() => classifier.calibrate([])).toThrow(refusal('E_EMPTY_INPUT'));
  expect(() => classifier.calibrate([{ ...row, y: 'other' }])).toThrow(refusal('E_CLASS_UNKNOWN'));
  expect(() => classifier.calibrate([{ ...row, y: null }])).toThrow(refusal('E_LABEL_MISSING'));
  expect(() => classifier.calibrate([row], { method: 'warm' as never })).toThrow(refusal('E_PARAM'));
  const one = Classifier.fit([row], { target: 'y', features: ['a', 'b'], model: 'gaussian', evaluate: false });
  expect(() => one.calibrate([row])).toThrow(refusal('E_CLASSES_TOO_FEW'));
  expect(classifier.save()).toEqual(bytes);
});

// biome-ignore lint/suspicious/noExplicitAny: states are damaged on purpose
type Damage = (copy: any) => unknown;

test('a file with a good checksum that contradicts itself is refused', () => {
  const rows = table(60, 9).map((row, i) => ({ ...row, text: i % 2 ? 'win a prize' : 'lunch at home', d: i % 5 }));
  const options = { target: 'y', model: 'mixed', kinds: { text: 'text' }, families: { d: 'bins' } } as const;
  const state = decodeState(Classifier.fit(rows, { ...options, calibrate: 'isotonic' }).save());
  const changes: Damage[] = [
    (copy) => copy.steps.push(copy.steps[0]),
    (copy) => copy.learned.report.classes.push('no'),
    (copy) => copy.learned.columns[0].push('nobody'),
    (copy) => (copy.learned.curve.classes = ['no']),
    (copy) => (copy.learned.curve.calibration.method = 'binning'),
    (copy) => copy.learned.curve.calibration.parts.pop(),
    (copy) => copy.learned.curve.calibration.parts[0].y.pop(),
    (copy) => (copy.learned.curve.calibration.parts[0].x[0] = 1e9),
    (copy) => (copy.params.weight = 3),
    (copy) => (copy.steps[0].params.model = 'forest'),
    (copy) => (copy.steps[0].params.model = 'gaussian'),
    (copy) => (copy.steps[0].params.columns = []),
    (copy) => (copy.steps[0].params.columns[0].reading = 'tea'),
    (copy) => (copy.steps[0].params.columns[0].fill = 'x'),
    (copy) => copy.steps[0].params.columns.pop(),
    (copy) => (copy.steps[0].params.columns[0].name = 'nobody'),
    (copy) => (copy.steps[0].params.priors = { no: 1 }),
    (copy) => (copy.steps[0].params.extra = 1),
    (copy) => copy.steps[0].steps.shift(),
    (copy) => (copy.steps[0].steps[0].kind = 'GaussianNB'),
    (copy) => (copy.steps[0].steps[1].kind = 'GaussianNB'),
  ];
  for (const change of changes) {
    const copy = structuredClone(state);
    change(copy);
    expect(() => Classifier.load(encodeState(copy)), String(change)).toThrow(refusal('E_MODEL_CORRUPT'));
  }
  expect(() => Classifier.load(encodeState(state))).not.toThrow();
});
