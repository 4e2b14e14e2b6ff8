import {
  CalibratedClassifierCV,
  CountVectorizer,
  GaussianNB,
  LinearDiscriminantAnalysis,
  MultinomialNB,
  makePipeline,
  QuadraticDiscriminantAnalysis,
} from '../../src/index.ts';
import type { Random } from '../../src/math/random.ts';
import { pick, round, type Subject, text, times } from './draws.ts';

/** Calibrated classifiers. */
export const calibrated: readonly Subject[] = (['sigmoid', 'isotonic', 'temperature'] as const).flatMap((method) => [
  {
    name: `calibrated by ${method}: GaussianNB`,
    draw(random: Random) {
      const y = times(40, (i) => ['a', 'b', 'c'][i % 3]);
      const X = y.map((_, i) => [round(random.normal() + (i % 3)), round(random.normal())]);
      const model = new CalibratedClassifierCV(new GaussianNB(), { method, cv: 3, ensemble: random.uniform() < 0.5 });
      return { model: model.fit(X, y), rows: X.slice(0, 10) };
    },
  },
  {
    name: `calibrated by ${method}: discriminants`,
    draw(random: Random) {
      const list = pick(random, [
        [0, 1],
        [0, 1, 2],
      ]);
      const y = times(40, (i) => list[i % list.length]);
      const X = y.map((c) => [round(random.normal() + 2 * c), round(random.normal())]);
      const inner = pick(random, [
        new LinearDiscriminantAnalysis({ solver: 'lsqr' }),
        new LinearDiscriminantAnalysis(),
        new QuadraticDiscriminantAnalysis(),
      ]);
      return { model: new CalibratedClassifierCV(inner, { method, cv: 2 }).fit(X, y), rows: X.slice(0, 10) };
    },
  },
  {
    name: `calibrated by ${method}: text`,
    draw(random: Random) {
      const y = times(24, (i) => i % 2 === 0);
      const X = y.map((spam) => `${text(random)} ${spam ? 'pills' : 'noon'}`);
      const inner = makePipeline(new CountVectorizer(), new MultinomialNB());
      return { model: new CalibratedClassifierCV(inner, { method, cv: 2 }).fit(X, y), rows: [...X.slice(0, 6), ''] };
    },
  },
]);
