// What goes wrong, by code. Guide: docs/guides/troubleshooting.md and docs/errors.md
import { GaussianNB, MultinomialNB, PolyaError, profileRows } from 'polya';
import { readTable } from 'polya/node';

const trials: Readonly<Record<string, () => unknown>> = {
  'a missing value': () => new GaussianNB().fit([[1], [Number.NaN]], ['a', 'b']),
  'a negative count': () => new MultinomialNB().fit([[1], [-1]], ['a', 'b']),
  'no rows': () => new GaussianNB().fit([], []),
  'predict before fit': () => new GaussianNB().predict([[1]]),
  'a file that is not there': () => readTable('no-such-file.csv'),
};
for (const [name, run] of Object.entries(trials)) {
  try {
    await run();
  } catch (error) {
    console.log(`${name}: ${error instanceof PolyaError ? error.code : error}`);
  }
}
const rows = Array.from({ length: 40 }, (_, i) => ({
  size: i % 7,
  refunded: i % 2 ? 'yes' : 'no',
  complaint: i % 2 ? 'yes' : 'no',
}));
const { warnings } = profileRows(rows, { target: 'complaint' });
console.log(
  warnings.some(({ sentence }) => sentence.includes('"refunded"')) ? 'refunded gives the answer away' : 'no leak',
);

/* prints
a missing value: E_NOT_FINITE
a negative count: E_NEGATIVE
no rows: E_EMPTY_INPUT
predict before fit: E_NOT_FITTED
a file that is not there: E_PATH
refunded gives the answer away
*/
