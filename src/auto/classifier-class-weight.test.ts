import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import type { FamilyName } from './learner-families.ts';
import { families, familyOf } from './learner-families.ts';

/** A common and a rare class that overlap: 1 row in 20 is rare. */
function table(count: number, seed: number) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const rare = i % 20 === 0;
    const words = ['parcel', 'invoice', 'refund', 'courier', 'thanks', 'hello', 'late', 'broken'];
    const word = () => words[Math.min(7, random.integer(6) + (rare ? 2 : 0))];
    return {
      size: random.normal() + (rare ? 1.2 : 0),
      age: random.normal() * 2 + (rare ? 2 : 0),
      calls: random.poisson(rare ? 3 : 1.5),
      colour: ['red', 'blue', 'green'][Math.min(2, random.integer(2) + (rare ? random.integer(2) : 0))],
      text: `${word()} ${word()} ${word()} ${word()}`,
      w: rare ? 10 : 10 / 19,
      label: rare ? 'rare' : 'common',
    };
  });
}

const rows = table(400, 1);
const fresh = table(400, 2);
/** Columns that each kind of family takes. */
const featuresFor = (model: FamilyName) =>
  ({
    counts: ['calls'],
    numbers: ['size', 'age'],
    levels: ['colour', 'calls'],
    anything: ['size', 'colour', 'calls', 'text'],
  })[familyOf(model).takes];
const recall = (classifier: Classifier) => {
  const wanted = fresh.filter(({ label }) => label === 'rare');
  return classifier.classifyAll(wanted).filter(({ label }) => label === 'rare').length / wanted.length;
};

describe.each(Object.keys(families) as FamilyName[])('class weights with the model %s', (model) => {
  const options = { target: 'label', model, features: featuresFor(model), evaluate: false } as const;

  test('equal a column of weights', () => {
    const byClass = Classifier.fit(rows, { ...options, classWeight: 'balanced' });
    const byRow = Classifier.fit(rows, { ...options, weight: 'w' });
    expectClose(byClass.predictLogProba(fresh).data, byRow.predictLogProba(fresh).data, 1e-9, 1);
    expect(byClass.report().classWeight).toBe('balanced');
    const again = Classifier.load(byClass.save());
    expect(again.predictLogProba(fresh)).toEqual(byClass.predictLogProba(fresh));
    expect(again.report().learned?.weight).toBe(400); // rows count once, whatever they weigh
  });
});

test.each([
  ['a family of all columns', { model: 'mixed', features: ['size', 'age', 'colour'], calibrate: true }],
  ['the ensemble', { features: ['size', 'age', 'colour'] }],
  ['a calibrated family', { model: 'gaussian', features: ['size', 'age'], calibrate: true }],
] as const)('balanced weights let %s find the rare class', (_, options) => {
  const all = { target: 'label', seed: 1, ...options } as const;
  const plain = Classifier.fit(rows, all);
  const balanced = Classifier.fit(rows, { ...all, classWeight: 'balanced' });
  expect(recall(balanced)).toBeGreaterThan(recall(plain) + 0.2);
  expect(Classifier.load(balanced.save()).predictLogProba(fresh)).toEqual(balanced.predictLogProba(fresh));
  expect(balanced.report().warnings.map(({ kind }) => kind)).not.toContain('over-confident');
});

test.each([[['size', 'age']], [['size', 'text']]])(
  'class weights multiply the odds of an ensemble of %j',
  (features) => {
    const options = { target: 'label', features, seed: 1 };
    const odds = (classWeight?: Record<string, number>) => {
      const { data } = Classifier.fit(rows, { ...options, classWeight }).predictLogProba(fresh);
      return fresh.map((_, i) => data[2 * i + 1] - data[2 * i]);
    };
    const plain = odds();
    expectClose(
      odds({ rare: 3 }),
      plain.map((own) => own + Math.log(3)),
      1e-9,
      1,
    );
  },
);

test('calibrating later keeps class weights', () => {
  const options = { target: 'label', model: 'gaussian', features: ['size', 'age'], evaluate: false } as const;
  const balanced = Classifier.fit(rows, { ...options, classWeight: 'balanced' });
  const before = recall(balanced);
  expect(recall(balanced.calibrate(table(400, 3)))).toBeGreaterThan(before - 0.15);
});

test('weights for a class that no row has, and weights that are none, are refused', () => {
  for (const model of ['auto', 'gaussian'] as const) {
    const options = { target: 'label', model, features: ['size', 'age'] } as const;
    expect(refusalOf(() => Classifier.fit(rows, { ...options, classWeight: { Rare: 2 } })).code).toBe(
      'E_CLASS_UNKNOWN',
    );
    expect(refusalOf(() => Classifier.fit(rows, { ...options, classWeight: 'even' as never })).code).toBe('E_PARAM');
  }
});

describe('a class with under 1 % of the rows', () => {
  const random = new Random(5);
  const imbalanced = (count: number, own: number) =>
    Array.from({ length: count }, (_, i) => ({ x: random.normal(), y: random.normal(), z: i < own ? 'few' : 'many' }));
  const kinds = (model: 'auto' | 'gaussian', given: ReturnType<typeof imbalanced>) =>
    Classifier.fit(given, { target: 'z', model })
      .report()
      .warnings.map(({ kind, about }) => `${kind} ${about}`);

  test.each(['auto', 'gaussian'] as const)('is warned about by the model %s', (model) => {
    expect(kinds(model, imbalanced(800, 7))).toContain('rare-class few');
    expect(kinds(model, imbalanced(800, 9))).not.toContain('rare-class few');
  });

  test('is not one of many classes of the same size', () => {
    const even = Array.from({ length: 1800 }, (_, i) => ({ x: random.normal() + (i % 150), y: `c${i % 150}` }));
    const { warnings } = Classifier.fit(even, { target: 'y', model: 'gaussian', evaluate: false }).report();
    expect(warnings.map(({ kind }) => kind)).not.toContain('rare-class');
  });
});
