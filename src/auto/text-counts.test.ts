import { expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { ComplementNB } from '../estimators/complement-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { selectRows } from '../evaluate/rows.ts';
import { Random } from '../math/random.ts';
import { learnTermWeights } from './text-candidates.ts';
import { ClassCells, rootRows, without } from './text-counts.ts';

const CLASSES = 3;

/** Documents of random words, of which some are fonder of one class. */
function corpus(seed: number, rows: number) {
  const random = new Random(seed);
  const y = Int32Array.from({ length: rows }, (_, i) => i % CLASSES);
  const documents = Array.from(y, (c) =>
    Array.from({ length: 3 + random.integer(8) }, () => `word${random.integer(12) + 6 * c}`).join(' '),
  );
  const fold = Int32Array.from(y, (_, i) => Math.floor(i / CLASSES) % 4);
  return {
    y,
    documents,
    fold,
    parts: [0, 1, 2, 3].map((k) => Int32Array.from(y.keys()).filter((i) => fold[i] === k)),
    counts: new CountVectorizer().fitTransform(documents),
  };
}

/** Scores of the rows of a fold by an event model of the others, which is the whole minus the fold. */
function scoreFold(cells: ClassCells, model: 'multinomial' | 'complement', alpha: number, rows: Int32Array) {
  const rest = without(cells.count(Int32Array.from(cells.y.keys())), cells.count(rows));
  return cells.score(cells.scorer(model, rest, alpha), rows);
}

/** Rows of scores less the score of their first class: what is the same for all classes does not count. */
const contrasts = (data: Float64Array, classes: number) =>
  Array.from(data, (value, k) => value - data[k - (k % classes)]);

test('out-of-fold scores are those of an explicit fit of the other folds', () => {
  const { y, counts, fold, parts } = corpus(1, 48);
  const { rows: n, cols, indptr, indices } = counts;
  const X = SparseMatrix.tidy(n, cols, indptr, indices, rootRows(counts).data);
  for (const [name, model] of [
    ['multinomial', new MultinomialNB({ alpha: 0.3 })],
    ['complement', new ComplementNB({ alpha: 0.3 })],
  ] as const) {
    parts.forEach((rows, k) => {
      const rest = Int32Array.from(y.keys()).filter((i) => fold[i] !== k);
      model.fit(
        selectRows(X, rest),
        Array.from(rest, (i) => y[i]),
      );
      const refitted = model.predictJointLogProba(selectRows(X, rows)).data;
      const { data } = scoreFold(new ClassCells(X, y, CLASSES), name, 0.3, rows);
      expectClose(contrasts(data, CLASSES), contrasts(refitted, CLASSES), 1e-9); // classes are equally frequent
    });
  }
});

test('the labels of a fold do not affect the scores of its rows', () => {
  const { y, counts, parts } = corpus(2, 60);
  const X = rootRows(counts);
  const shifted = y.slice();
  for (const i of parts[1]) shifted[i] = (y[i] + 1) % CLASSES;
  for (const model of ['multinomial', 'complement'] as const) {
    const [original, changed] = [y, shifted].map((labels) =>
      Array.from(scoreFold(new ClassCells(X, labels, CLASSES), model, 0.1, parts[1]).data),
    );
    expectClose(original, changed, 1e-9);
  }
});

test('a class whose rows are all in one fold has finite scores there', () => {
  const { counts, parts } = corpus(3, 24);
  const y = new Int32Array(24);
  for (const i of parts[0]) y[i] = 1;
  const { data } = scoreFold(new ClassCells(rootRows(counts), y, 2), 'multinomial', 0.1, parts[0]);
  expect(data.every(Number.isFinite)).toBe(true);
});

test('weights of terms follow leave-one-out scores, as explicit counts without each row give them', () => {
  const { y, counts } = corpus(4, 60);
  const cells = new ClassCells(rootRows(counts), y, CLASSES);
  const rows = Int32Array.from(y.keys());
  const [alpha, start, seed] = [0.3, 0.8, 7];
  const all = cells.count(rows);
  const scorer = cells.scorer('multinomial', all, alpha);
  const [weights] = learnTermWeights({ cells, counts: all, scorer, alpha }, rows, { start, passes: [2], seed });
  const expected = new Float64Array(counts.cols).fill(start);
  const squares = new Float64Array(counts.cols);
  const bias = Float64Array.from(scorer.start, (log) => start * log);
  const biasSquares = new Float64Array(CLASSES);
  const random = new Random(seed);
  for (let pass = 0; pass < 2; pass++) {
    for (const i of random.permutation(y.length)) {
      const others = without(all, cells.count(Int32Array.of(i)));
      const less = cells.scorer('multinomial', others, alpha).cells;
      const terms = Array.from({ length: cells.X.indptr[i + 1] - cells.X.indptr[i] }, (_, k) => {
        const at = cells.X.indptr[i] + k;
        const j = cells.X.indices[at];
        const w = Float64Array.from(scorer.base);
        const { first, count, classes } = cells.cells;
        for (let cell = first[j]; cell < first[j] + count[j]; cell++) {
          const c = classes[cell];
          w[c] += c === y[i] ? less[cell] : scorer.cells[cell];
        }
        return { j, x: cells.X.data[at], w };
      });
      const scores = bias.map((b, c) => terms.reduce((sum, { j, x, w }) => sum + x * expected[j] * w[c], b));
      const p = scores.map((own) => 1 / scores.reduce((sum, other) => sum + Math.exp(other - own), 0));
      if (p[y[i]] >= 0.99) continue;
      const slope = p.map((share, c) => share - (c === y[i] ? 1 : 0));
      slope.forEach((own, c) => {
        biasSquares[c] += own * own;
        bias[c] -= (0.3 * start * own) / Math.sqrt(biasSquares[c]);
      });
      for (const { j, x, w } of terms) {
        const own = x * slope.reduce((sum, d, c) => sum + d * w[c], 0);
        squares[j] += own * own;
        if (own !== 0) expected[j] = Math.max(0, expected[j] - (0.3 * start * own) / Math.sqrt(squares[j]));
      }
    }
  }
  expectClose(Array.from(weights), Array.from(expected), 1e-6); // what rows are left out of is kept in single precision
  expect(new Set(weights).size).toBeGreaterThan(10);
});
