/**
 * Compares the discrete families on 20 Newsgroups with scikit-learn (exact number of correct predictions) and a second
 * program (accuracy within 0.003). `npx tsx bench/news-t22.ts [folder]`, or the folder in POLYA_DATA. Prints one JSON
 * line per setting.
 */
import { mapCells, rowsOf } from '../src/data/batch.ts';
import { Matrix } from '../src/data/matrix.ts';
import { SparseMatrix } from '../src/data/sparse.ts';
import { BernoulliNB } from '../src/estimators/bernoulli-nb.ts';
import { ComplementNB } from '../src/estimators/complement-nb.ts';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { crossValPredict } from '../src/estimators/cross-validation.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { TfidfVectorizer } from '../src/estimators/tfidf-vectorizer.ts';
import { StratifiedKFold } from '../src/evaluate/folds.ts';
import { fitSigmoid, predictSigmoid } from '../src/evaluate/sigmoid.ts';
import { argmax } from '../src/math/arrays.ts';
import { readNewsTexts } from './newsgroups.ts';

type Model = MultinomialNB | ComplementNB | BernoulliNB;
type Pair = readonly [train: SparseMatrix, test: SparseMatrix];

const folder = process.argv[2] ?? process.env.POLYA_DATA ?? '../shared/data';
const mapped = (X: SparseMatrix, change: (x: number, j: number) => number): SparseMatrix => {
  const { rows, features, indptr, indices, values } = mapCells(rowsOf(X), change);
  return SparseMatrix.tidy(rows, features, indptr, indices, values);
};

/** Every row divided by its length. */
function unit(X: SparseMatrix): SparseMatrix {
  const data = X.data.slice();
  for (let i = 0; i < X.rows; i++) {
    const row = data.subarray(X.indptr[i], X.indptr[i + 1]);
    const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
    if (length > 0) row.forEach((x, k) => void (row[k] = x / length));
  }
  return SparseMatrix.tidy(X.rows, X.cols, X.indptr, X.indices, data);
}

/** ln(1 + tf) · ln(N / df), rows of length one, with the document frequencies of the training rows. */
function paperWeights([train, test]: Pair): Pair {
  const df = new Float64Array(train.cols);
  for (const j of train.indices) df[j]++;
  const weigh = (X: SparseMatrix) => unit(mapped(X, (x, j) => Math.log1p(x) * Math.log(train.rows / df[j])));
  return [weigh(train), weigh(test)];
}

const both = ([train, test]: Pair, change: (X: SparseMatrix) => SparseMatrix): Pair => [change(train), change(test)];
const mnb = (options: ConstructorParameters<typeof MultinomialNB>[0]) => () => new MultinomialNB(options);
const cnb = (options: ConstructorParameters<typeof ComplementNB>[0]) => () => new ComplementNB(options);

/** The score of each class against the log-sum of the others: the input of one-versus-rest Platt scaling. */
function margins(scores: Matrix): Matrix {
  const out = new Matrix(scores.rows, scores.cols);
  for (let i = 0; i < scores.rows; i++) {
    const row = scores.row(i);
    for (let c = 0; c < scores.cols; c++) {
      const rest = row.reduce((sum, score, other) => (other === c ? sum : sum + Math.exp(score - row[c])), 0);
      out.row(i)[c] = -Math.log(rest);
    }
  }
  return out;
}

/** Correct predictions after one-versus-rest Platt scaling of five-fold scores. */
function plattCorrect([A, B]: Pair, y: string[], truth: string[]): number {
  const model = new ComplementNB({ alpha: 0.1 });
  const cv = new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 0 });
  const held = margins(crossValPredict(model, A, y, { cv, method: 'predictJointLogProba' }) as Matrix);
  const fresh = margins(model.fit(A, y).predictJointLogProba(B));
  const columns = model.classes.map((label, c) => {
    const column = (matrix: Matrix) => Float64Array.from({ length: matrix.rows }, (_, i) => matrix.at(i, c));
    const sigmoid = fitSigmoid(
      [...column(held)],
      y.map((other) => other === label),
      { posLabel: true },
    );
    return predictSigmoid(sigmoid, [...column(fresh)]);
  });
  return truth.filter((label, i) => model.classes[argmax(Float64Array.from(columns, (p) => p[i]))] === label).length;
}

let failures = 0;
for (const kind of ['raw', 'stripped'] as const) {
  const column = kind === 'raw' ? 0 : 1;
  const { train, y, test, testY: truth } = readNewsTexts(folder, kind);
  const vectorize = (vectorizer: CountVectorizer | TfidfVectorizer): Pair => [
    vectorizer.fitTransform(train),
    vectorizer.transform(test),
  ];
  const counts = vectorize(new CountVectorizer());
  const tfidf = vectorize(new TfidfVectorizer());
  const sublinear = vectorize(new TfidfVectorizer({ sublinearTf: true }));
  const presence = both(counts, (X) => mapped(X, () => 1));
  const paper = paperWeights(counts);
  const root = both(counts, (X) => unit(mapped(X, Math.sqrt)));
  const log = both(counts, (X) => unit(mapped(X, Math.log1p)));

  /** Exact numbers of correct predictions (T2.2) as integers, accuracies (T2.3) as fractions. */
  const settings: [string, Pair, () => Model, [raw: number, stripped: number]][] = [
    ['counts MNB(1)', counts, mnb({}), [5821, 4091]],
    ['counts MNB(.1)', counts, mnb({ alpha: 0.1 }), [6072, 4890]],
    ['counts MNB(.01)', counts, mnb({ alpha: 0.01 }), [6055, 4866]],
    ['presence Bernoulli(1)', presence, () => new BernoulliNB(), [4751, 3449]],
    ['presence Bernoulli(.01)', presence, () => new BernoulliNB({ alpha: 0.01 }), [5665, 4194]],
    ['counts CNB(1)', counts, cnb({}), [6227, 5041]],
    ['counts CNB(1, norm)', counts, cnb({ norm: true }), [6086, 4933]],
    ['tf-idf MNB(1)', tfidf, mnb({}), [5829, 4566]],
    ['tf-idf MNB(.1)', tfidf, mnb({ alpha: 0.1 }), [6224, 5156]],
    ['tf-idf MNB(.01)', tfidf, mnb({ alpha: 0.01 }), [6291, 5274]],
    ['tf-idf CNB(1)', tfidf, cnb({}), [6300, 5382]],
    ['sublinear MNB(.01)', sublinear, mnb({ alpha: 0.01 }), [6299, 5246]],
    ['sublinear CNB(1)', sublinear, cnb({}), [6362, 5382]],
    ['binary MNB(1)', presence, mnb({}), [0.7763, 0.5746]],
    ['binary MNB(.1)', presence, mnb({ alpha: 0.1 }), [0.8124, 0.6583]],
    ['log-tf idf L2 MNB(.1)', paper, mnb({ alpha: 0.1 }), [0.8343, 0.6913]],
    ['log-tf idf L2 MNB(.01)', paper, mnb({ alpha: 0.01 }), [0.8336, 0.6968]],
    ['binary CNB(1)', presence, cnb({}), [0.8419, 0.6936]],
    ['TWCNB, raw test counts', [paper[0], counts[1]], cnb({ norm: true }), [0.824, 0.6904]],
    ['TWCNB, transformed test', paper, cnb({ norm: true }), [0.8399, 0.7114]],
    ['TCNB, transformed test', paper, cnb({}), [0.8428, 0.7153]],
    ['CNB sqrt tf L2 (.1)', root, cnb({ alpha: 0.1 }), [0.8508, 0.7219]],
    ['CNB log tf L2 (.1)', log, cnb({ alpha: 0.1 }), [0.8506, 0.7205]],
    ['Jelinek-Mercer .9', counts, mnb({ smoothing: 'jelinek-mercer', lambda: 0.9 }), [0.8141, 0.6742]],
    ['Jelinek-Mercer .5', counts, mnb({ smoothing: 'jelinek-mercer', lambda: 0.5 }), [0.8104, 0.6629]],
    ['Dirichlet 1000', counts, mnb({ smoothing: 'dirichlet', mu: 1000 }), [0.8012, 0.6506]],
    ['Dirichlet 10000', counts, mnb({ smoothing: 'dirichlet', mu: 10000 }), [0.8046, 0.6532]],
    ['absolute .7', counts, mnb({ smoothing: 'absolute', delta: 0.7 }), [0.8091, 0.6617]],
  ];
  for (const [setting, [A, B], make, expected] of settings) {
    const start = performance.now();
    const model = make().fit(A, y);
    const fitted = performance.now();
    const correct = model.predict(B).filter((label, i) => label === truth[i]).length;
    const predicted = performance.now();
    const wanted = expected[column];
    const holds = wanted > 1 ? correct === wanted : Math.abs(correct / truth.length - wanted) <= 0.003;
    if (!holds) failures++;
    const times = { fit: Math.round(fitted - start), predict: Math.round(predicted - fitted) };
    console.log(
      JSON.stringify({
        kind,
        setting,
        words: A.cols,
        correct,
        accuracy: correct / truth.length,
        wanted,
        holds,
        ...times,
      }),
    );
  }
  const platt: [string, Pair, [raw: number, stripped: number]][] = [
    ['CNB sqrt tf L2 (.1) + Platt', root, [0.8602, 0.7245]],
    ['CNB log tf L2 (.1) + Platt', log, [0.8582, 0.7253]],
  ];
  for (const [setting, pair, expected] of platt) {
    const accuracy = plattCorrect(pair, y, truth) / truth.length;
    const holds = Math.abs(accuracy - expected[column]) <= 0.003;
    if (!holds) failures++;
    console.log(JSON.stringify({ kind, setting, accuracy, wanted: expected[column], holds }));
  }
  for (const auto of [new MultinomialNB({ alpha: 'auto' }), new ComplementNB({ alpha: 'auto' })]) {
    const start = performance.now();
    auto.fit(counts[0], y);
    const fit = Math.round(performance.now() - start);
    const accuracy = auto.score(counts[1], truth);
    console.log(JSON.stringify({ kind, setting: `counts ${auto.kind}('auto')`, alpha: auto.alpha, accuracy, fit }));
  }
}
process.exitCode = failures > 0 ? 1 : 0;
