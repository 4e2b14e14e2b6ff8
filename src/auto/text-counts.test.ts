import { expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { ComplementNB } from '../estimators/complement-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { DiscriminativeMultinomialNB } from '../estimators/discriminative-multinomial-nb.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { selectRows } from '../evaluate/rows.ts';
import { Random } from '../math/random.ts';
import { ClassCells, without } from './text-counts.ts';
import { learnMistakes } from './text-mistakes.ts';
import { scoreRows, weigh } from './text-pool.ts';

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
  const X = weigh(counts, 'root');
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

test('the labels of a fold have no say in the scores of its rows', () => {
  const { y, counts, parts } = corpus(2, 60);
  const X = weigh(counts, 'root');
  const shifted = y.slice();
  for (const i of parts[1]) shifted[i] = (y[i] + 1) % CLASSES;
  for (const model of ['multinomial', 'complement'] as const) {
    const [told, lied] = [y, shifted].map((labels) =>
      Array.from(scoreFold(new ClassCells(X, labels, CLASSES), model, 0.1, parts[1]).data),
    );
    expectClose(told, lied, 1e-9);
  }
});

test('a class that lies whole in one fold has finite scores there', () => {
  const { counts, parts } = corpus(3, 24);
  const y = new Int32Array(24);
  for (const i of parts[0]) y[i] = 1;
  const { data } = scoreFold(new ClassCells(weigh(counts, 'root'), y, 2), 'multinomial', 0.1, parts[0]);
  expect(data.every(Number.isFinite)).toBe(true);
});

test('learning from mistakes is the discriminative model, to single precision', () => {
  const { y, counts } = corpus(4, 60);
  for (const labels of [y, y.map((c) => Math.min(c, 1))]) {
    const classes = Math.max(...labels) + 1;
    const X = weigh(counts, 'presence');
    const model = new DiscriminativeMultinomialNB({ passes: 3, seed: 7 }).fit(counts, Array.from(labels));
    const lecture = { passes: [3], seed: 7, least: 0 };
    const [scorer] = learnMistakes({ X, y: labels, classes }, Int32Array.from(labels.keys()), lecture);
    const scores = new Float64Array(X.rows * classes);
    scoreRows(scorer, X, labels.keys(), scores);
    const expected = model.predictJointLogProba(counts).data;
    scores.forEach((score, cell) => {
      expect(Math.abs(score - expected[cell])).toBeLessThan(1e-4); // tables are kept in single precision
    });
  }
});
