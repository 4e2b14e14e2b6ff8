// One payment in 50 is a fraud, and missing one costs 40 times as much as a false alarm. Guide: docs/guides/rare-classes.md
import { bestThreshold, decide, GaussianNB, precisionScore, Random, recallScore } from 'polya';

const random = new Random(5);
const draw = (n: number) => {
  const y = Array.from({ length: n }, (_, i) => (i % 50 === 0 ? 'fraud' : 'fair'));
  const X = y.map((label) => [random.normal() + (label === 'fraud' ? 2 : 0), random.normal()]);
  return { X, y };
};
const [train, heldOut, later] = [draw(2000), draw(2000), draw(2000)];
const model = new GaussianNB().fit(train.X, train.y);

const found = (labels: readonly unknown[]) => {
  const predicted = labels.map(String);
  const options = { posLabel: 'fraud', zeroDivision: 0 } as const;
  return `recall ${recallScore(later.y, predicted, options).toFixed(2)}, precision ${precisionScore(later.y, predicted, options).toFixed(2)}`;
};
console.log(`plain:      ${found(model.predict(later.X))}`);

const costs = { fraud: { fair: 40 }, fair: { fraud: 1 } };
console.log(`by costs:   ${found(decide(model, later.X, { costs }).map(({ label }) => label))}`);

const probabilities = model.predictProba(heldOut.X);
const fraud = heldOut.X.map((_, i) => probabilities.at(i, model.classes.indexOf('fraud')));
const { threshold } = bestThreshold(heldOut.y, fraud, { recall: 0.8, posLabel: 'fraud' });
const answers = decide(model, later.X, { threshold: { fraud: threshold } }).map(({ label }) => label);
console.log(`recall 80 %: ${found(answers)}`);

/* prints
plain:      recall 0.17, precision 0.47
by costs:   recall 0.72, precision 0.11
recall 80 %: recall 0.72, precision 0.09
*/
