/**
 * Speed of fitting and predicting with GaussianNB on random rows of ten classes, compared with scikit-learn on the same
 * rows if POLYA_PYTHON names a Python that has it. `npx tsx bench/gaussian-speed.ts [rows] [features] [classes]`
 */
import { readFeatures } from '../src/data/input.ts';
import { encodeLabels } from '../src/data/labels.ts';
import { Matrix } from '../src/data/matrix.ts';
import { GaussianNB } from '../src/estimators/gaussian-nb.ts';
import { drawNormal } from '../src/math/draws.ts';
import { Generator } from '../src/math/generator.ts';
import { askPython, cost, report } from './measure.ts';

const [rows = 1_000_000, features = 30, classes = 10] = process.argv.slice(2).map(Number);

const random = new Generator(8);
const X = new Matrix(rows, features);
const y = Int32Array.from({ length: rows }, () => Math.floor(random.uniform() * classes));
for (let i = 0; i < rows; i++) {
  for (let j = 0; j < features; j++) X.data[i * features + j] = drawNormal(random) + ((y[i] * (j + 1)) % 7) / 3;
}

const PYTHON = `
from sklearn.naive_bayes import GaussianNB
X = np.fromfile(sys.argv[1] + '/X').reshape(-1, int(sys.argv[2]))
y = np.fromfile(sys.argv[1] + '/y', dtype=np.int32)
fitted = GaussianNB().fit(X, y)
print(json.dumps({
    'fit': cost(lambda: GaussianNB().fit(X, y)),
    'predict': cost(lambda: fitted.predict(X)),
    'joint': cost(lambda: fitted.predict_joint_log_proba(X)),
}))
`;

const peer = askPython(PYTHON, { X: X.data, y }, features);
const fitted = new GaussianNB().fit(X, y);
report(
  'Gaussian naive Bayes over scikit-learn',
  [
    { work: 'fit', ours: cost(() => new GaussianNB().fit(X, y)), peer: peer?.fit, must: 3 },
    { work: 'predict', ours: cost(() => fitted.predict(X)), peer: peer?.predict, must: 3 },
    { work: 'joint scores', ours: cost(() => fitted.predictJointLogProba(X)), peer: peer?.joint },
    { work: 'of both: checking cells', ours: cost(() => readFeatures(X, { limit: 1e150 })) },
    { work: 'of fit: coding labels', ours: cost(() => encodeLabels(y)) },
  ],
  { rows, features, classes },
);
