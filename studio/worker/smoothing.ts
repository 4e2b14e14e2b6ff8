import { CountVectorizer, MultinomialNB } from '../../src/index.ts';
import { cellOf, wordOf } from '../../src/workbench.ts';
import { sampleOf } from './sample.ts';
import type { Trained } from './training.ts';

/** The held-out rows under one pseudo-count. */
export interface Smoothed {
  readonly alpha: number;
  readonly accuracy: number;
  /** Capped at −ln 1e-15 a row. */
  readonly logLoss: number;
  /** Held-out rows with probability zero under every class, and under their own class. */
  readonly impossible: number;
  readonly ownImpossible: number;
  readonly rows: number;
}

/** The pseudo-counts tried, on a sample of the training rows and a sample of the held-out rows. */
export interface SmoothingResult {
  readonly points: readonly Smoothed[];
  readonly trained: number;
  /** The number of training rows and of held-out rows. */
  readonly train: number;
  readonly test: number;
}

const ALPHAS = [0, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 1, 3, 10, 100];
const MOST_ROWS = 5_000;
const MOST_LOSS = -Math.log(1e-15);

/** Counts once, then estimates for every pseudo-count: smoothing does not read the rows again. */
export function smoothingOf({ rows, labels, train, test }: Trained, column: string): SmoothingResult {
  const textOf = (i: number) => wordOf(cellOf(rows[i], column) ?? '');
  const [own, held] = [sampleOf(train, labels, MOST_ROWS), sampleOf(test, labels, MOST_ROWS)];
  const words = new CountVectorizer({ tokenizer: 'auto' });
  const X = words.fitTransform(own.map(textOf));
  const seen = words.transform(held.map(textOf));
  const truth = held.map((i) => labels[i]);
  const points = ALPHAS.map((alpha) => {
    const model = new MultinomialNB({ alpha }).fit(
      X,
      own.map((i) => labels[i]),
    );
    const joint = model.predictJointLogProba(seen);
    const classes = model.classes.map(String);
    let [right, loss, impossible, ownImpossible] = [0, 0, 0, 0];
    for (const [i, label] of truth.entries()) {
      const scores = joint.row(i);
      const best = Math.max(...scores);
      const mine = scores[classes.indexOf(label)] ?? Number.NEGATIVE_INFINITY;
      const all = best + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - best), 0));
      if (best === Number.NEGATIVE_INFINITY) impossible++;
      if (mine === Number.NEGATIVE_INFINITY) ownImpossible++;
      if (best > Number.NEGATIVE_INFINITY && mine === best) right++;
      loss += best === Number.NEGATIVE_INFINITY ? MOST_LOSS : Math.min(MOST_LOSS, all - mine);
    }
    const n = truth.length;
    return { alpha, accuracy: right / n, logLoss: loss / n, impossible, ownImpossible, rows: n };
  });
  return { points, trained: own.length, train: train.length, test: test.length };
}
