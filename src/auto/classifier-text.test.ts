import { expect, test } from 'vitest';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';

const words = {
  ham: ['meeting', 'lunch', 'tomorrow', 'report', 'thanks', 'see', 'home'],
  spam: ['free', 'prize', 'win', 'call', 'now', 'cash', 'urgent'],
};

function messages(rows: number, seed: number) {
  const random = new Random(seed);
  return Array.from({ length: rows }, (_, i) => {
    const label = i % 3 === 0 ? 'spam' : 'ham';
    const pick = () => {
      const from = random.uniform() < 0.75 ? words[label] : words[label === 'ham' ? 'spam' : 'ham'];
      return from[random.integer(from.length)];
    };
    const hour = label === 'spam' ? 20 + 2 * random.normal() : 12 + 3 * random.normal();
    return { text: Array.from({ length: 4 + random.integer(5) }, pick).join(' '), hour, label };
  });
}

const rows = messages(200, 1);

test('one column of text is classified as text, and saved', () => {
  const classifier = Classifier.fit<'ham' | 'spam'>(rows, { target: 'label', features: ['text'] });
  expect(classifier.classify({ text: 'win a free prize now' }).label).toBe('spam');
  expect(classifier.classify({ text: 'lunch tomorrow, thanks' }).label).toBe('ham');
  expect(classifier.classify({ text: '' }).abstained).toBe(true);
  expect(classifier.classify({ text: 'lunch' }).logEvidence).toBeNull();
  const fresh = messages(30, 2);
  expect(Classifier.load(classifier.save()).classifyAll(fresh)).toEqual(classifier.classifyAll(fresh));
  expect(classifier.explain({ text: 'free lunch' }).terms.length).toBeGreaterThan(1);
});

test('text and other columns are pooled, and together know more than either', () => {
  const lossOf = (features: string[]) =>
    Classifier.fit(rows, { target: 'label', features }).report().evaluation!.logLoss;
  const both = lossOf(['text', 'hour']);
  expect(both).toBeLessThan(lossOf(['text']));
  expect(both).toBeLessThan(lossOf(['hour']));
});
