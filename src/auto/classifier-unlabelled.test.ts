import { expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';

/** Texts of two classes whose words overlap, beside a number; one label in `every` is kept. */
function letters(count: number, every: number, seed: number) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const c = i % 2;
    const text = Array.from({ length: 8 }, () => `w${random.integer(40) + 15 * c}`).join(' ');
    const known = (i >> 1) % every === 0;
    return { text, size: random.normal() + c, label: known ? ['ham', 'spam'][c] : null };
  });
}

const rows = letters(400, 50, 1);
const fresh = letters(400, 1, 2);
const accuracy = (classifier: Classifier) =>
  classifier.classifyAll(fresh).filter(({ label }, i) => label === fresh[i].label).length / fresh.length;

test.each([
  { model: 'multinomial', features: ['text'] },
  { model: 'mixed', features: ['text', 'size'] },
] as const)('rows without a label improve %j', (options) => {
  const all = { target: 'label', kinds: { text: 'text' }, ...options } as const;
  const skipped = Classifier.fit(rows, { ...all, unlabeled: 'skip', calibrate: false });
  const used = Classifier.fit(rows, { ...all, unlabeled: 'use' });
  expect(accuracy(used)).toBeGreaterThan(accuracy(skipped) + 0.02);
  expect(used.report()).toMatchObject({ unlabelled: 392, evaluation: null });
  expect(used.report().learned?.weight).toBeCloseTo(400, 6);
  const again = Classifier.load(used.save());
  expect(again.predictLogProba(fresh)).toEqual(used.predictLogProba(fresh));
  again.partialFit(fresh.slice(0, 2)).unlearn(fresh.slice(0, 2));
});

test('rows without a label are refused unless they are to be used or left out', () => {
  const options = { target: 'label', model: 'multinomial', features: ['text'], kinds: { text: 'text' } } as const;
  expect(refusalOf(() => Classifier.fit(rows, options)).code).toBe('E_LABEL_MISSING');
  expect(refusalOf(() => Classifier.fit(rows, { ...options, unlabeled: 'guess' as never })).code).toBe('E_PARAM');
  expect(refusalOf(() => Classifier.fit(rows, { target: 'label', unlabeled: 'use' })).code).toBe('E_PARAM');
  expect(refusalOf(() => Classifier.fit(rows, { ...options, unlabeled: 'use', calibrate: true })).code).toBe('E_PARAM');
  const none = rows.map((row) => ({ ...row, label: '' }));
  expect(refusalOf(() => Classifier.fit(none, { ...options, unlabeled: 'use' })).code).toBe('E_LABEL_MISSING');
});
