import { refuse } from '../../src/errors.ts';
import { LinearDiscriminantAnalysis } from '../../src/estimators/linear-discriminant-analysis.ts';
import { RegularizedDiscriminantAnalysis } from '../../src/estimators/regularized-discriminant-analysis.ts';
import { logSumExp } from '../../src/math/logs.ts';
import { numberCells } from './number-cells.ts';
import { placesOf, sampleOf } from './sample.ts';
import type { Trained } from './training.ts';

/** Which picture of two columns is asked for. */
export interface BoundaryAsked {
  readonly x: string;
  readonly y: string;
  /** The first two discriminant axes of these columns instead of two of them. */
  readonly axes: readonly string[];
  /** 0: a covariance for each class (QDA); 1: one for all (LDA). */
  readonly lambda: number;
  /** 1: all features vary alike and apart from each other. */
  readonly gamma: number;
  /** Covariances set to zero: Gaussian naive Bayes. */
  readonly diagonal: boolean;
  /** The classes that take part. */
  readonly classes: readonly string[];
  /** Points that were moved, by their place. */
  readonly moved: readonly { readonly place: number; readonly x: number; readonly y: number }[];
}

/** Two columns, the model of them, and what it says all over the plane. */
export interface BoundaryResult {
  readonly classes: readonly string[];
  readonly points: readonly {
    readonly place: number;
    readonly x: number;
    readonly y: number;
    readonly c: number;
    readonly wrong: boolean;
    /** The number of the row; absent for a point that was moved. */
    readonly row?: number;
  }[];
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  /** A grid that goes one step beyond the picture on every side. */
  readonly size: number;
  readonly gridFrom: readonly [x: number, y: number];
  readonly gridTo: readonly [x: number, y: number];
  /** Of each class, row after row: ln p(c) − ln(1 − p(c)), whose contours are those of p(c) and bend less between the points. */
  readonly logit: readonly Float32Array[];
  /** ln p(c) less the greatest of the others: zero where the answer changes. */
  readonly margin: readonly Float32Array[];
  /** One outline per class: where the Gaussian has fallen to e^(−2). */
  readonly ellipses: readonly (readonly (readonly [x: number, y: number])[])[];
  readonly accuracy: number;
  /** The rows it was learned from, of all rows that have both numbers. */
  readonly rows: number;
  readonly all: number;
}

const SIZE = 72;
/** Beyond these log-odds nothing is drawn. */
const MOST_ODDS = 60;
const MOST_POINTS = 600;
const MOST_LEARNED = 20_000;

/** Learns two columns by regularised discriminant analysis and asks it everywhere. */
export function boundaryOf(trained: Trained, asked: BoundaryAsked): BoundaryResult {
  const { X, y, classes, from, to, all, places } = trainingData(trained, asked);
  const { lambda, gamma, diagonal } = asked;
  const model = new RegularizedDiscriminantAnalysis({ lambda, gamma, diagonal }).fit(X, y);
  const answers = model.predict(X).map(String);
  const points = X.slice(0, MOST_POINTS).map(([px, py], i) => ({
    ...{ place: i, x: px, y: py, c: classes.indexOf(y[i]), wrong: answers[i] !== y[i] },
    ...(!asked.moved.some(({ place }) => place === i) && { row: places[i] }),
  }));
  const right = answers.filter((answer, i) => answer === y[i]).length;
  return {
    ...{ classes, points, from, to },
    ...everywhere(model, classes, from, to),
    ellipses: classes.map((label) => {
      const c = model.classes.map(String).indexOf(label);
      return ellipse(model.means.row(c), model.covariance[c].toArray());
    }),
    accuracy: right / X.length,
    rows: X.length,
    all,
  };
}

/** What the model says all over the picture and one step around it. */
function everywhere(
  model: RegularizedDiscriminantAnalysis,
  classes: readonly string[],
  from: readonly [number, number],
  to: readonly [number, number],
): Pick<BoundaryResult, 'size' | 'gridFrom' | 'gridTo' | 'logit' | 'margin'> {
  const step = [0, 1].map((j) => (to[j] - from[j]) / (SIZE - 3));
  const gridFrom = [from[0] - step[0], from[1] - step[1]] as const;
  const gridTo = [to[0] + step[0], to[1] + step[1]] as const;
  const grid = Array.from({ length: SIZE * SIZE }, (_, k) => [
    gridFrom[0] + (k % SIZE) * step[0],
    gridFrom[1] + Math.floor(k / SIZE) * step[1],
  ]);
  const found = model.predictLogProba(grid);
  const own = model.classes.map(String);
  const against = (combine: (others: Float64Array) => number) =>
    classes.map((label) => {
      const c = own.indexOf(label);
      return Float32Array.from(grid, (_, k) => {
        const row = found.row(k);
        const odds = row[c] - combine(row.filter((__, d) => d !== c));
        return Math.max(-MOST_ODDS, Math.min(MOST_ODDS, odds));
      });
    });
  const greatest = (others: Float64Array) => Math.max(...others);
  return { size: SIZE, gridFrom, gridTo, logit: against(logSumExp), margin: against(greatest) };
}

function trainingData(
  { rows, labels, run, model }: Trained,
  { x, y: other, axes, moved, classes: wanted }: BoundaryAsked,
) {
  const classes = run.classes.filter((label) => wanted.includes(label));
  const names = axes.length > 0 ? axes : [x, other];
  const readers = names.map((name) => numberCells(model, name));
  const pointOf = (i: number) => readers.map((read) => read(rows[i]));
  const usable = placesOf(rows).filter((i) => classes.includes(labels[i]) && !pointOf(i).some(Number.isNaN));
  const places = sampleOf(usable, labels, MOST_LEARNED);
  const y = places.map((i) => labels[i]);
  const points = places.map(pointOf);
  const X = (axes.length > 0 ? onAxes(points, y) : points) as [number, number][];
  const [from, to] = [edge(X, -1), edge(X, 1)]; // of the rows as they are: a moved point does not move the picture
  for (const { place, x: px, y: py } of moved) if (X[place]) X[place] = [px, py];
  const present = classes.filter((label) => y.includes(label));
  if (present.length < 2) refuse('E_CLASSES_TOO_FEW', 'these two columns have numbers of fewer than two classes');
  return { X, y, classes: present, from, to, all: usable.length, places };
}

/** Rows on the two directions that separate the classes best. */
function onAxes(X: readonly number[][], y: readonly string[]): number[][] {
  const { rows, cols, data } = new LinearDiscriminantAnalysis().fit(X, y).transform(X);
  if (cols < 2) refuse('E_CLASSES_TOO_FEW', 'two discriminant axes need three classes and two columns of numbers');
  return Array.from({ length: rows }, (_, i) => [data[i * cols], data[i * cols + 1]]);
}

/** The corner of the picture: a little outside of all points. */
function edge(X: readonly (readonly [number, number])[], side: -1 | 1): [number, number] {
  const bound = (j: 0 | 1): number => {
    let [low, high] = [Infinity, -Infinity];
    for (const point of X) [low, high] = [Math.min(low, point[j]), Math.max(high, point[j])];
    const pad = (high - low || 1) * 0.08;
    return side < 0 ? low - pad : high + pad;
  };
  return [bound(0), bound(1)];
}

/** μ + 2 L (cos t, sin t) with L Lᵀ = Σ. */
function ellipse(mean: ArrayLike<number>, [[a, b], [, d]]: readonly (readonly number[])[]): [number, number][] {
  const l11 = Math.sqrt(Math.max(a, 0));
  const l21 = l11 > 0 ? b / l11 : 0;
  const l22 = Math.sqrt(Math.max(d - l21 ** 2, 0));
  return Array.from({ length: 61 }, (_, k) => {
    const [u, v] = [2 * Math.cos((k * Math.PI) / 30), 2 * Math.sin((k * Math.PI) / 30)];
    return [mean[0] + l11 * u, mean[1] + l21 * u + l22 * v];
  });
}
