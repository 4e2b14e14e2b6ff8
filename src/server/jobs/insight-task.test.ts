import { expect, test } from 'vitest';
import { Classifier } from '../../auto/classifier.ts';
import { insightTask } from './insight-task.ts';

const rows = Array.from({ length: 80 }, (_, i) => ({
  text: `${i % 2 ? 'win a free prize' : 'see you at lunch'} with number ${i}`,
  label: i % 2 ? 'spam' : 'ham',
}));

test('a pool lists the terms that are evidence for a class', () => {
  const state = Classifier.fit(rows, { target: 'label' }).toState();
  const { result } = insightTask({ kind: 'features', state, by: 'telling', label: 'spam', limit: 3 });
  expect(result).toMatchObject({ by: 'telling', classes: ['ham', 'spam'], all: 3 });
  for (const { feature, class: label, score, logOdds } of (result as never as { features: Feature[] }).features) {
    for (const part of feature.trim().split(' ')) expect('win a free prize with number').toContain(part);
    expect([label, score > 0, logOdds > 1]).toEqual(['spam', true, true]);
  }
});

interface Feature {
  readonly feature: string;
  readonly class: string;
  readonly score: number;
  readonly logOdds: number;
}
