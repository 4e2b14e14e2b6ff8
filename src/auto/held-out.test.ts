import { expect, test } from 'vitest';
import { RecordTable } from '../data/column-table.ts';
import { Matrix } from '../data/matrix.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import { leaksIn } from './column-scores.ts';
import { profileRows } from './profile.ts';
import { findWarnings, type Warning } from './warnings.ts';

const kindsOf = (warnings: readonly Warning[]) =>
  warnings.map(({ kind, about }) => `${kind}${about ? ` ${about}` : ''}`);

/** Labels that depend on nothing, in rows of noise. */
function noise(rows: number, columns: number, seed: number, words = false): Record<string, unknown>[] {
  const random = new Random(seed);
  return Array.from({ length: rows }, (_, i) => ({
    ...Object.fromEntries(
      Array.from({ length: columns }, (_, j) => [`x${j}`, words ? `w${random.integer(30)}` : random.normal()]),
    ),
    y: i % 2 ? 'yes' : 'no',
  }));
}

// A family of a column, or a weight, that was chosen with the held-out rows overfits them, and with sixty columns of noise
// the overfitting adds up. Clean folds stay at chance: 0.5 ± 0.13 is three standard errors of 150 rows.
test('noise is worth nothing: neither families nor weights have seen the rows that evaluate them', () => {
  for (const seed of [1, 2]) {
    const { evaluation } = Classifier.fit(noise(150, 60, seed), { target: 'y', model: 'mixed' }).report();
    expect(Math.abs(evaluation!.accuracy - 0.5)).toBeLessThan(0.13);
    expect(evaluation!.logLoss).toBeGreaterThan(0.68);
  }
});

// Every row occurs twice. A split that separates copies leaks labels and reports an accuracy near 100 %.
test('a planted copy of every row is worth nothing: copies lie on one side', () => {
  const once = noise(100, 6, 3, true);
  const report = Classifier.fit([...once, ...once.map((row) => ({ ...row }))], { target: 'y' }).report();
  expect(Math.abs(report.evaluation!.accuracy - 0.5)).toBeLessThan(0.15);
  expect(report.warnings.find(({ kind }) => kind === 'duplicates')?.value).toBe(100);
});

// The last column of the rows to be held out holds their label; in the training rows it is noise. Code that chooses, scales or
// calibrates with the rows to be held out would find it, and be right; fair answers do not move when it is taken away.
test('a label planted in the rows to be held out is worth nothing', () => {
  const train = noise(120, 4, 5).map((row, i) => ({ ...row, tell: ['p', 'q'][(i >> 1) % 2] }));
  const heldOut: Record<string, unknown>[] = noise(60, 4, 6).map((row) => ({
    ...row,
    tell: row.y === 'yes' ? 'p' : 'q',
  }));
  const classifier = Classifier.fit(train, { target: 'y' });
  const before = classifier.save();
  const labelled = classifier.classifyAll(heldOut);
  const blind = heldOut.map((row) => ({ ...row, y: undefined }));
  expect(classifier.classifyAll(blind)).toEqual(labelled);
  expect(classifier.save()).toEqual(before);
  const right = labelled.filter(({ label }, i) => label === heldOut[i].y).length / heldOut.length;
  expect(Math.abs(right - 0.5)).toBeLessThan(0.2); // three standard errors of 60 rows
});

test('leaks, identifiers, constants, small classes and conflicts are reported', () => {
  const random = new Random(8);
  const rows = Array.from({ length: 90 }, (_, i) => ({
    id: i,
    same: 1,
    verdict: i === 88 ? 'rare' : i % 2 ? 'ja' : 'nein',
    size: random.integer(9),
    y: i === 88 ? 'maybe' : i % 2 ? 'yes' : 'no',
  }));
  const { warnings } = Classifier.fit(rows, { target: 'y' }).report();
  expect(kindsOf(warnings)).toEqual(
    expect.arrayContaining(['leak verdict', 'identifier id', 'constant same', 'small-class maybe', 'duplicates']),
  );
  for (const { sentence } of warnings) expect(sentence.length).toBeGreaterThan(20);
  const torn = Array.from({ length: 60 }, (_, i) => ({ a: i >> 1, b: (i >> 1) * 0.5 + 0.1, y: i % 2 }));
  expect(kindsOf(Classifier.fit(torn, { target: 'y' }).report().warnings)).toContain('conflicts');
});

test('a column that alone explains more than half of the label is reported by Classifier and by profileRows', () => {
  const random = new Random(11);
  const rows = Array.from({ length: 400 }, (_, i) => {
    const label = random.integer(3);
    const leaked = random.uniform() < 0.85 ? label : random.integer(3);
    return {
      hint: `h${leaked}`,
      weak: random.normal() + 0.5 * label,
      town: `t${random.integer(80)}`,
      row_id: 7 * i,
      label,
    };
  });
  const leaksOf = (warnings: readonly Warning[]) => warnings.filter(({ kind }) => kind === 'leak');
  const all = [
    Classifier.fit(rows, { target: 'label' }).report().warnings,
    Classifier.fit(rows, { target: 'label', model: 'mixed' }).report().warnings,
    profileRows(rows, { target: 'label' }).warnings,
  ];
  for (const warnings of all) {
    expect(leaksOf(warnings).map(({ about }) => about)).toEqual(['hint']);
    expect(leaksOf(warnings)[0].value).toBeCloseTo(0.62, 1);
    expect(kindsOf(warnings)).toContain('identifier row_id');
  }
  const { schema } = Classifier.fit(rows, { target: 'label', model: 'mixed', evaluate: false });
  expect(leaksIn(new RecordTable(rows), schema).map(({ about }) => about)).toEqual(['hint']);
});

test('a column that is left out is kept where it is asked for', () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ user_id: 31 * i, size: (i * 7) % 11, y: i % 2 ? 'a' : 'b' }));
  const featuresBy = (options: object) =>
    Classifier.fit(rows, { target: 'y', ...options })
      .report()
      .schema.columns.filter(({ role }) => role === 'feature')
      .map(({ name }) => name);
  expect(featuresBy({})).toEqual(['size']);
  expect(featuresBy({ kinds: { user_id: 'number' } })).toEqual(['user_id', 'size']);
  expect(featuresBy({ features: ['user_id', 'size'] })).toEqual(['user_id', 'size']);
});

test('ordinary rows raise no warning', () => {
  const random = new Random(2);
  const rows = Array.from({ length: 120 }, (_, i) => ({ a: random.normal() + (i % 2), b: random.normal(), y: i % 2 }));
  expect(Classifier.fit(rows, { target: 'y' }).report().warnings).toEqual([]);
});

test('overconfident posteriors are reported', () => {
  const codes = Int32Array.from({ length: 100 }, (_, i) => (i % 5 < 3 ? 0 : 1)); // always class 0 is right in 60 rows
  const logProba = new Matrix(
    100,
    2,
    Float64Array.from({ length: 200 }, (_, k) => Math.log(k % 2 === 0 ? 0.99 : 0.01)),
  );
  const [warning] = findWarnings({
    schema: { target: 'y', rows: 100, columns: [] },
    classes: ['a', 'b'],
    codes,
    groups: codes.map((_, i) => i),
    alone: [],
    answers: { logProba, codes },
  });
  expect(warning.kind).toBe('over-confident');
  expect(warning.value).toBeCloseTo(0.39, 12);
});

// Of a wide table some folds are enough to choose by, and the others are never held out.
test('a wide table is evaluated on the rows that were held out, and on no others', () => {
  const random = new Random(11);
  const rows = Array.from({ length: 1300 }, (_, i) => ({
    ...Object.fromEntries(Array.from({ length: 64 }, (_, j) => [`x${j}`, random.normal() + (j < 8 ? i % 2 : 0)])),
    y: i % 2 ? 'yes' : 'no',
  }));
  const { evaluation } = Classifier.fit(rows, { target: 'y' }).report();
  expect(evaluation?.rows).toBe(1040); // four folds of five hold out a thousand rows
  expect(evaluation?.accuracy).toBeGreaterThan(0.88); // Φ(√8 / 2) = 0.92, and the others at the prior would make it 0.84
  expect(evaluation?.logLoss).toBeLessThan(0.3);
});
