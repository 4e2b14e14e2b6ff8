// The career table: CSV → encode → split → fit → "mislabeled points out of a total".
import { readFileSync } from 'node:fs';
import { GaussianNB, OrdinalEncoder, parseCsv, recordsOf, trainTestSplit } from 'polya';

const table = recordsOf(parseCsv(readFileSync(new URL('../data/career_data.csv', import.meta.url))));
const X = table.map((row) => [row['985'], row.education, row.skill]);
const y = table.map(({ enrolled }) => enrolled === 'Yes');

// Hand-written code that compares "c++" with "C++" puts every skill into one class. An encoder learns the levels from the data.
const encoder = new OrdinalEncoder().fit(X);
for (const [j, levels] of encoder.categories.entries()) {
  console.log(`${['985', 'education', 'skill'][j].padEnd(9)} ${levels.join(' < ')}`);
}

let mislabeled = 0;
for (let seed = 0; seed < table.length; seed++) {
  const [trainX, testX, trainY, testY] = trainTestSplit(encoder.transform(X).toArray(), y, {
    testSize: 0.1,
    randomState: seed,
  });
  const predicted = new GaussianNB().fit(trainX, trainY).predict(testX);
  const wrong = testY.filter((label, i) => label !== predicted[i]).length;
  mislabeled += wrong;
  if (seed === 0) {
    const performance = (100 * (1 - wrong / testY.length)).toFixed(2);
    console.log(
      `Number of mislabeled points out of a total ${testY.length} points: ${wrong}, performance ${performance} %`,
    );
  }
}
console.log(`one test row proves nothing: ${mislabeled} of ${table.length} such splits mislabeled their row`);
