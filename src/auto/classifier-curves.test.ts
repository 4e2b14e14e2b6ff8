import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { decodeState, encodeState } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { meanLogLoss } from '../evaluate/log-proba.ts';
import { fitPosterior } from '../evaluate/posterior-calibration.ts';
import { logSoftmaxInto, logSumExp } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import { applyCurve, type Curve } from './classifier-learning.ts';

const refusal = (code: string) => expect.objectContaining({ code });

/** Scores that are three times too sure, with their labels. */
function overconfident(rows: number, classes: number, seed: number) {
  const random = new Random(seed);
  const logProba = new Matrix(rows, classes);
  const codes = Int32Array.from({ length: rows }, (_, i) => {
    const row = Float64Array.from({ length: classes }, () => 2 * random.normal());
    const calibrated = row.slice();
    logSoftmaxInto(calibrated, 0, classes, calibrated);
    logProba.row(i).set(row.map((value) => 3 * value));
    logSoftmaxInto(logProba.data, i * classes, classes, logProba.data);
    return random.categorical(calibrated.map(Math.exp));
  });
  return { logProba, codes };
}

const curve = (method: 'temperature' | 'sigmoid' | 'isotonic', classes: readonly string[]): Curve => {
  const answers = overconfident(400, classes.length, 5);
  const calibration = fitPosterior(method, answers);
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
        const calibrated = applyCurve(own, new Matrix(1, classes.length, row), classes).row(0);
        expect(calibrated.every((log) => log <= 1e-12)).toBe(true);
        expectClose([logSumExp(calibrated)], [0], 1e-9, 1);
        classes.forEach((label, c) => {
          if (!own.classes.includes(label)) expectClose([calibrated[c]], [row[c]], 1e-12, 1);
        });
      },
    ),
    { numRuns: 200 },
  );
});

/** Copies of one informative column make naive Bayes overconfident. */
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
    const calibrated = plain.clone().calibrate(held, { method });
    expect(lossOf(calibrated, fresh)).toBeLessThan(lossOf(plain, fresh) - 0.05);
    const { calibration } = calibrated.report();
    expect(calibration).toMatchObject({ on: 'held-out rows', rows: 1200, stale: false });
    if (method) expect(calibration!.method).toBe(method);
    const again = Classifier.load(calibrated.save());
    expect(again.classifyAll(fresh)).toEqual(calibrated.classifyAll(fresh));
    expect(again.save()).toEqual(calibrated.save());
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
  const [plain, calibrated] = [reportOf(false), reportOf('sigmoid')];
  expect(plain.calibration).toBeNull();
  expect(plain.warnings.map(({ kind }) => kind)).toContain('over-confident');
  expect(calibrated.warnings.map(({ kind }) => kind)).not.toContain('over-confident');
  expect(calibrated.evaluation!.logLoss).toBeLessThan(plain.evaluation!.logLoss - 0.05);
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
