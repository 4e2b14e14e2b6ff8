// Generative and discriminative: what a model of p(x | c) can do, and how many rows each kind of model needs.
import {
  CountVectorizer,
  LinearDiscriminantAnalysis,
  LogisticRegression,
  learningCurve,
  leaveOneOut,
  loadIris,
  MultinomialNB,
  makePipeline,
  QuadraticDiscriminantAnalysis,
  StratifiedShuffleSplit,
} from 'polya';
import { loadSms } from 'polya/node';

const iris = loadIris();
const numbers = iris.columns.filter((name) => name !== iris.target);
const [across, down] = [numbers[2], numbers[3]];
const X = iris.rows.map((row) => [Number(row[across]), Number(row[down])]);
const y = iris.rows.map((row) => String(row[iris.target]));

// A model of p(x | c) can draw new flowers, spot an unusual one, and learn class by class; a boundary alone can do none of this.
const lda = new LinearDiscriminantAnalysis().fit(X, y);
const qda = new QuadraticDiscriminantAnalysis({ storeCovariance: true }).fit(X, y);
const flowers = qda.sample(3, { seed: 1, class: 'virginica' }).X.toArray();
const drawn = flowers.map((row) => row.map((cm) => cm.toFixed(1)).join(' × '));
console.log(`three virginica drawn from the model: ${drawn.join(', ')}`);
console.log(
  `ln p(x): the first flower ${qda.logEvidence([X[0]])[0].toFixed(1)}, a petal of 3 × 3 cm ${qda.logEvidence([[3, 3]])[0].toFixed(1)}`,
);
for (const model of [lda, qda]) {
  const right = y.length * leaveOneOut(model, X, y).accuracy;
  console.log(`${model.kind}: ${right.toFixed(0)} of ${y.length} correct, leaving one out at a time`);
}

// The ellipse of a class: two standard deviations about its mean, along the axes of its covariance.
qda.classes.forEach((label, c) => {
  const [[a, b], [, d]] = qda.covariance![c].toArray();
  const middle = (a + d) / 2;
  const spread = Math.hypot((a - d) / 2, b);
  const [long, short] = [2 * Math.sqrt(middle + spread), 2 * Math.sqrt(middle - spread)];
  const turn = (Math.atan2(2 * b, a - d) / 2) * (180 / Math.PI);
  const [x, w] = qda.means.row(c);
  console.log(
    `${String(label).padEnd(10)} centre (${x.toFixed(2)}, ${w.toFixed(2)}), half-axes ${long.toFixed(2)} and ${short.toFixed(2)} cm, turned ${turn.toFixed(0)}°`,
  );
});

// A map of the predictions: petal length across, petal width down.
const marks = new Map<unknown, string>([
  ['setosa', '.'],
  ['versicolor', 'o'],
  ['virginica', '#'],
]);
for (let width = 2.5; width >= 0; width -= 0.25) {
  const cells = Array.from({ length: 49 }, (_, k) => [1 + k * 0.125, width]);
  console.log(
    `${width.toFixed(2)} cm ${qda
      .predict(cells)
      .map((label) => marks.get(label))
      .join('')}`,
  );
}

// Learning curves on SMS messages, described by which of 500 pairs and triples of letters they contain.
const sms = loadSms();
const texts = sms.rows.map((row) => String(row[sms.text!]));
const labels = sms.rows.map((row) => String(row[sms.target]));
const cv = new StratifiedShuffleSplit({ nSplits: 5, testSize: 1000, randomState: 1 });
const trainSizes = [50, 100, 200, 400, 800, 1600];
const letters = { analyzer: 'char_wb', ngramRange: [2, 3], maxFeatures: 500, binary: true } as const;
console.log(`training messages  ${trainSizes.map((size) => String(size).padStart(5)).join('  ')}`);
for (const model of [new MultinomialNB(), new LogisticRegression()]) {
  const pipeline = makePipeline(new CountVectorizer(letters), model);
  const { testScores } = learningCurve(pipeline, texts, labels, { cv, trainSizes });
  const means = testScores.map((scores) => scores.reduce((sum, score) => sum + score, 0) / scores.length);
  console.log(`${model.kind.padEnd(18)} ${means.map((mean) => mean.toFixed(3)).join('  ')}`);
}
