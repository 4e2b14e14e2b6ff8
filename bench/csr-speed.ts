/**
 * Speed of fitting and predicting with a multinomial model of sparse rows. Random rows with Zipf frequencies, compared
 * with scikit-learn on the same arrays if POLYA_PYTHON names a Python that has it. `npx tsx bench/csr-speed.ts [rows]
 * [words] [classes] [words per row]`
 */
import { SparseMatrix } from '../src/data/sparse.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { Generator } from '../src/math/generator.ts';
import { askPython, cost, report } from './measure.ts';

const [rows = 20_000, words = 130_000, classes = 20, length = 120] = process.argv.slice(2).map(Number);

const random = new Generator(10);

/** One row after another, so that the heap holds only the arrays of the matrix during the measurement. */
function* documents(): IterableIterator<Map<number, number>> {
  for (let i = 0; i < rows; i++) {
    const counts = new Map<number, number>();
    for (let k = 0; k < length; k++) {
      const word = Math.floor(words ** random.uniform()) - 1;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    yield counts;
  }
}
const X = SparseMatrix.fromRows(documents(), words);
const y = Int32Array.from({ length: rows }, () => Math.floor(random.uniform() * classes));

const PYTHON = `
from scipy.sparse import csr_matrix
from sklearn.naive_bayes import MultinomialNB
read = lambda name, dtype: np.fromfile(sys.argv[1] + '/' + name, dtype=dtype)
indptr, indices = read('indptr', np.int32), read('indices', np.int32)
X = csr_matrix((read('data', np.float64), indices, indptr), shape=(len(indptr) - 1, int(sys.argv[2])))
y = read('y', np.int32)
fitted = MultinomialNB().fit(X, y)
print(json.dumps({
    'fit': cost(lambda: MultinomialNB().fit(X, y)),
    'predict': cost(lambda: fitted.predict(X)),
    'proba': cost(lambda: fitted.predict_proba(X)),
}))
`;

const { indptr, indices, data } = X;
const peer = askPython(PYTHON, { indptr, indices, data, y }, words);
const fitted = new MultinomialNB().fit(X, y);
/** Parameters are derived lazily; scikit-learn derives them at once. */
const fitWhole = () => new MultinomialNB().fit(X, y).inside().params;
report(
  'Multinomial naive Bayes of sparse rows over scikit-learn',
  [
    { work: 'fit', ours: cost(() => new MultinomialNB().fit(X, y)), peer: peer?.fit, must: 1 },
    { work: 'fit, with the parameters of all words', ours: cost(() => fitWhole()), peer: peer?.fit },
    { work: 'predict', ours: cost(() => fitted.predict(X)), peer: peer?.predict, must: 1 },
    { work: 'probabilities', ours: cost(() => fitted.predictProba(X)), peer: peer?.proba },
  ],
  { rows, words, classes, cells: data.length },
);
