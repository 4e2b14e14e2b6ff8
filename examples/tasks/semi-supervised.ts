// Forty labelled messages and 2,000 without a label. Guide: docs/guides/semi-supervised.md
import { Classifier } from 'polya';
import { loadSms } from 'polya/node';

const { rows } = loadSms();
const train = rows.slice(0, 2000).map(({ text, label }, i) => ({ text, label: i < 40 ? label : null }));
const test = rows.slice(2000, 4000);
for (const unlabeled of ['skip', 'use'] as const) {
  const model = Classifier.fit(train, { target: 'label', model: 'multinomial', evaluate: false, unlabeled });
  const right = model.classifyAll(test).filter(({ label }, i) => label === test[i]?.label).length;
  console.log(`${unlabeled}: ${((100 * right) / test.length).toFixed(1)} % of ${test.length} right`);
}

/* prints
skip: 94.8 % of 2000 right
use: 97.2 % of 2000 right
*/
