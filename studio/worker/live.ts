import { Classifier, type ClassifierOptions } from '../../src/index.ts';
import { cellOf, type Evaluation, evaluateRows, guessesOf, wordOf } from '../../src/workbench.ts';
import { type BoundaryResult, edge, everywhere } from './boundary.ts';
import { numberCells } from './number-cells.ts';
import type { Reading } from './reading.ts';
import { shuffled } from './sample.ts';
import { answers, splitRows } from './training.ts';

/** The options of the live page. */
export interface LiveAsked {
  readonly target: string;
  /** Two columns of numbers, or one of texts. */
  readonly columns: readonly [string] | readonly [x: string, y: string];
  readonly holdout: number;
  readonly seed: number;
  /** The share of the training rows that is used. */
  readonly share: number;
  /** For numbers: from a covariance for each class (0) to one for all (1), and towards equal variances. */
  readonly lambda: number;
  readonly gamma: number;
  /** For texts: the pseudo-count, and the longest n-grams. */
  readonly alpha: number;
  readonly ngrams: number;
}

/** A word and how much it speaks for its class. */
export interface LiveWord {
  readonly word: string;
  readonly label: string;
  readonly logOdds: number;
}

/** A model trained with the options of the live page, with everything that is shown beside it. */
export interface LiveResult {
  readonly classes: readonly string[];
  readonly evaluation: Evaluation;
  readonly trainRows: number;
  /** Held-out rows, wrong ones first. */
  readonly rows: readonly {
    readonly content: string;
    readonly truth: string;
    readonly answer: string;
    readonly sure: number;
  }[];
  readonly plane?: BoundaryResult;
  readonly words?: readonly LiveWord[];
}

const MOST_ROWS = 40;
const MOST_CONTENT = 90;
const WORDS_OF_CLASS = 8;
/** Training rows drawn beside the held-out ones. */
const MOST_POINTS = 400;

const cutTo = (text: string): string => (text.length > MOST_CONTENT ? `${text.slice(0, MOST_CONTENT)}…` : text);

/** Trains a model with the options of the live page and evaluates it on held-out rows. */
export function liveOf(reading: Reading, asked: LiveAsked): LiveResult {
  const { target, columns, holdout, seed, share, lambda, gamma, alpha, ngrams } = asked;
  const { rows, labels, train, test } = splitRows(reading, { target, holdout, seed, splitColumn: '' });
  const own = shuffled(train, labels).slice(0, Math.max(2, Math.round(share * train.length)));
  const isText = columns.length === 1;
  const options = isText ? { model: 'multinomial', alpha, ngrams: [1, ngrams] } : { model: 'rda', lambda, gamma };
  const recipe = { target, features: columns, evaluate: false, ...options } as ClassifierOptions;
  const model = Classifier.fit(
    own.map((i) => rows[i]),
    recipe,
  );
  const held = test.map((i) => rows[i]);
  const scored = answers(
    model,
    held,
    test.map((i) => labels[i]),
  );
  const guesses = guessesOf(scored);
  const classes = model.classes.map(String);
  const found = held.map((row, k) => ({
    content: cutTo(columns.map((name) => wordOf(cellOf(row, name) ?? '')).join(' · ')),
    truth: scored.truth[k],
    answer: guesses[k],
    sure: Math.exp(scored.logProba.at(k, classes.indexOf(guesses[k]))),
  }));
  return {
    classes,
    evaluation: evaluateRows(scored, 'held out'),
    trainRows: own.length,
    rows: [...found].sort((a, b) => Number(a.truth === a.answer) - Number(b.truth === b.answer)).slice(0, MOST_ROWS),
    ...(isText ? { words: wordsOf(model) } : { plane: planeOf(model, columns, rows, labels, own, test) }),
  };
}

/** The words that speak most for each class, by the counts of the model. */
const wordsOf = (model: Classifier): LiveWord[] =>
  model
    .mostInformative({ k: WORDS_OF_CLASS })
    .map(({ value, class: label, logOdds = 0 }) => ({ word: String(value), label: String(label), logOdds }));

/** The decision boundary of a model of two columns, with its training rows and the held-out rows. */
function planeOf(
  model: Classifier,
  [x, y]: readonly string[],
  rows: Reading['rows'],
  labels: readonly string[],
  train: readonly number[],
  test: readonly number[],
): BoundaryResult {
  const classes = model.classes.map(String);
  const readers = [x, y].map((name) => numberCells(model, name));
  const pointOf = (i: number) => readers.map((read) => read(rows[i])) as [number, number];
  const all = [...rows.keys()].map(pointOf);
  const [from, to] = [edge(all, -1), edge(all, 1)];
  const scores = (points: readonly (readonly number[])[]) =>
    model.predictLogProba(points.map(([px, py]) => ({ [x]: px, [y]: py })));
  const places = [...train.slice(0, MOST_POINTS), ...test];
  const found = model.predict(places.map((i) => rows[i])).map(String);
  const points = places.map((i, k) => ({
    ...{ place: k, x: all[i][0], y: all[i][1], c: classes.indexOf(labels[i]), wrong: found[k] !== labels[i] },
    faint: k < places.length - test.length,
  }));
  const right = points.filter(({ faint, wrong }) => !faint && !wrong).length;
  return {
    ...{ classes, points, from, to, ellipses: [] },
    ...everywhere(scores, classes, classes, from, to),
    ...{ accuracy: right / test.length, rows: points.length, all: rows.length },
  };
}
