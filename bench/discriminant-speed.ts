/**
 * Speed of fitting and predicting with linear and quadratic discriminants. Random rows of ten classes with covariance,
 * compared with scikit-learn on the same rows if POLYA_PYTHON names a Python that has it. `npx tsx
 * bench/discriminant-speed.ts [rows] [features] [classes]`
 */
import { Matrix } from '../src/data/matrix.ts';
import { LinearDiscriminantAnalysis } from '../src/estimators/linear-discriminant-analysis.ts';
import { QuadraticDiscriminantAnalysis } from '../src/estimators/quadratic-discriminant-analysis.ts';
import { drawNormal } from '../src/math/draws.ts';
import { Generator } from '../src/math/generator.ts';
import { askPython, cost, report } from './measure.ts';

const [rows = 1_000_000, features = 30, classes = 10] = process.argv.slice(2).map(Number);

const random = new Generator(9);
const X = new Matrix(rows, features);
const y = Int32Array.from({ length: rows }, () => Math.floor(random.uniform() * classes));
for (let i = 0; i < rows; i++) {
  let before = 0;
  for (let j = 0; j < features; j++) {
    before = 0.5 * before + drawNormal(random);
    X.data[i * features + j] = before + ((y[i] * (j + 1)) % 7) / 3;
  }
}

const PYTHON = `
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA, QuadraticDiscriminantAnalysis as QDA
X = np.fromfile(sys.argv[1] + '/X').reshape(-1, int(sys.argv[2]))
y = np.fromfile(sys.argv[1] + '/y', dtype=np.int32)
linear, quadratic = LDA().fit(X, y), QDA().fit(X, y)
print(json.dumps({
    'linear': cost(lambda: LDA().fit(X, y)),
    'lsqr': cost(lambda: LDA(solver='lsqr').fit(X, y)),
    'quadratic': cost(lambda: QDA().fit(X, y)),
    'predictLinear': cost(lambda: linear.predict(X)),
    'predictQuadratic': cost(lambda: quadratic.predict(X)),
}))
`;

const peer = askPython(PYTHON, { X: X.data, y }, features);
const linear = new LinearDiscriminantAnalysis().fit(X, y);
const quadratic = new QuadraticDiscriminantAnalysis().fit(X, y);
const lsqr = () => new LinearDiscriminantAnalysis({ solver: 'lsqr' }).fit(X, y);
report(
  'Discriminants over scikit-learn',
  [
    { work: 'LDA fit', ours: cost(() => new LinearDiscriminantAnalysis().fit(X, y)), peer: peer?.linear, must: 1 },
    { work: 'LDA fit, lsqr', ours: cost(lsqr), peer: peer?.lsqr },
    {
      work: 'QDA fit',
      ours: cost(() => new QuadraticDiscriminantAnalysis().fit(X, y)),
      peer: peer?.quadratic,
      must: 1,
    },
    { work: 'LDA predict', ours: cost(() => linear.predict(X)), peer: peer?.predictLinear },
    { work: 'QDA predict', ours: cost(() => quadratic.predict(X)), peer: peer?.predictQuadratic },
  ],
  { rows, features, classes },
);
