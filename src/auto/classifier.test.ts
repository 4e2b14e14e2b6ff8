import { expect, test } from 'vitest';
import { decodeState, encodeState } from '../core/artifact.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';

type Species = 'a' | 'b' | 'c';

/** Three classes that depend on two numbers and a word; some cells are missing. */
function flowers(rows: number, seed = 1) {
  const random = new Random(seed);
  return Array.from({ length: rows }, (_, i) => {
    const c = i % 3;
    return {
      length: random.uniform() < 0.1 ? null : (2 * c + random.normal()).toFixed(3),
      width: c === 1 ? 2 * random.normal() : random.normal(),
      colour: random.uniform() < 0.1 ? '' : ['red', 'blue', 'white'][(c + (random.uniform() < 0.3 ? 1 : 0)) % 3],
      class: 'abc'[c] as Species,
    };
  });
}

const rows = flowers(180);
const classifier = Classifier.fit<Species>(rows, { target: 'class', seed: 4 });

test('an answer holds label, probabilities, evidence and whether it abstained', () => {
  const { label, probability, probabilities, logEvidence, abstained } = classifier.classify(rows[0]);
  const typed: Species = label;
  expect(['a', 'b', 'c']).toContain(typed);
  expect(probabilities.map((each) => each.label)).toEqual(['a', 'b', 'c']);
  expect(probabilities.reduce((sum, each) => sum + each.probability, 0)).toBeCloseTo(1, 12);
  expect(Math.max(...probabilities.map((each) => each.probability))).toBe(probability);
  expect(Number.isFinite(logEvidence)).toBe(true);
  expect(abstained).toBe(false);
});

test('rows one by one and all together are answered alike, to the last bit', () => {
  const fresh = flowers(40, 9);
  expect(classifier.classifyAll(fresh)).toEqual(fresh.map((row) => classifier.classify(row)));
});

test('what was saved answers as before, and saves to the same bytes', () => {
  const bytes = classifier.save();
  const again = Classifier.load<Species>(bytes);
  const fresh = flowers(40, 9);
  expect(again.classifyAll(fresh)).toEqual(classifier.classifyAll(fresh));
  expect(again.explain(fresh[0])).toEqual(classifier.explain(fresh[0]));
  expect(again.report()).toEqual(classifier.report());
  expect(again.toBytes()).toEqual(bytes);
});

test('the same rows and seed give the same bytes', () => {
  expect(Classifier.fit(rows, { target: 'class', seed: 4 }).save()).toEqual(classifier.save());
});

test('terms and rest add up to a score whose softmax is the answer', () => {
  for (const row of flowers(12, 5)) {
    const { terms, rest, score } = classifier.explain(row);
    const sum = rest.map((start, c) => terms.reduce((total, { byClass }) => total + byClass[c], start));
    sum.forEach((value, c) => {
      expect(value).toBeCloseTo(score[c], 9);
    });
    logSoftmaxInto(sum, 0, 3, sum);
    const answer = classifier.predictLogProba([row]).row(0);
    answer.forEach((log, c) => {
      expect(sum[c]).toBeCloseTo(log, 9);
    });
  }
});

test('a row that says nothing, or words never heard, is answered; nothing at all is an abstention', () => {
  const lenient = { strict: false };
  expect(classifier.classify({}, lenient).abstained).toBe(true);
  const strange = classifier.classify({ colour: 'ultraviolet', length: 'NA', more: 1 }, lenient);
  expect(strange.abstained).toBe(false);
  expect(strange.probability).toBeGreaterThan(0);
  expect(Classifier.fit(rows, { target: 'class', reject: 0.999 }).classify({ width: 0 }, lenient).abstained).toBe(true);
});

test('the report says what was tried, on what it was evaluated, and why columns are read as they are', () => {
  const { tried, evaluation, schema, columns, seed } = classifier.report();
  expect(seed).toBe(4);
  expect(tried.length).toBeGreaterThan(8);
  expect(tried.some(({ chosen, weight }) => chosen && (weight ?? 0) > 0)).toBe(true);
  expect(evaluation?.rows).toBe(180);
  expect(evaluation!.interval[0]).toBeLessThan(evaluation!.accuracy);
  expect(evaluation?.on).toMatch(/folds/);
  expect(columns.map(({ name }) => name)).toEqual(['length', 'width', 'colour']);
  expect(schema.columns.find(({ name }) => name === 'length')?.kind).toBe('number');
});

test('refusals: no such model, one class only, a label that is missing, a damaged file', () => {
  const refusal = (code: string) => expect.objectContaining({ code });
  expect(() => Classifier.fit(rows, { target: 'class', model: 'forest' as never })).toThrow(refusal('E_PARAM'));
  expect(() => Classifier.fit(rows, { target: 'class', model: 'complement' })).toThrow(refusal('E_PARAM'));
  const alike = rows.map((row) => ({ ...row, class: 'a' }));
  expect(() => Classifier.fit(alike, { target: 'class' })).toThrow(refusal('E_CLASSES_TOO_FEW'));
  expect(() => Classifier.fit([...rows, { class: '' }], { target: 'class' })).toThrow(refusal('E_LABEL_MISSING'));
  const bytes = classifier.save();
  bytes[bytes.length - 3] ^= 1;
  expect(() => Classifier.load(bytes)).toThrow(refusal('E_MODEL_CORRUPT'));
  const signal = AbortSignal.abort();
  expect(() => Classifier.fit(rows, { target: 'class', signal })).toThrow(refusal('E_CANCELLED'));
});

test('a class with one row, whole numbers as labels and a column of levels alone are learned', () => {
  const few = [...rows.map(({ colour, class: c }) => ({ colour, y: c === 'a' ? 1 : 0 })), { colour: 'green', y: 7 }];
  const small = Classifier.fit<number>(few, { target: 'y' });
  expect(small.classes).toEqual([0, 1, 7]);
  expect(small.classify({ colour: 'red' }).probabilities).toHaveLength(3);
});

// biome-ignore lint/suspicious/noExplicitAny: states are damaged on purpose
type Damage = (copy: any) => unknown;

test('a file with a good checksum that contradicts itself is refused', () => {
  const state = decodeState(classifier.save());
  const twist = (change: Damage) => {
    const copy = structuredClone(state);
    change(copy);
    return () => Classifier.load(encodeState(copy));
  };
  const corrupt = expect.objectContaining({ code: 'E_MODEL_CORRUPT' });
  const changes: Damage[] = [
    (copy) => copy.learned.weights.push(1),
    (copy) => copy.learned.bias.pop(),
    (copy) => copy.learned.report.classes.pop(),
    (copy) => (copy.learned.columns[0] = ['nobody']),
    (copy) => (copy.learned.report = null),
    (copy) => (copy.steps[0].steps[0].params.views[0][0].column = 99),
    (copy) => (copy.steps[0].steps[0].params.views = null),
    (copy) => (copy.steps[0].steps[0].steps[0].kind = 'Pipeline'),
    (copy) => (copy.steps[0].kind = 'Forest'),
    (copy) => (copy.steps[0].learned.weights = []),
    (copy) => (copy.steps = []),
    (copy) => (copy.kind = 'GaussianNB'),
    (copy) => (copy.learned.curve = { calibration: { method: 'temperature', beta: 1 } }),
  ];
  for (const change of changes) expect(twist(change), String(change)).toThrow(corrupt);
});
