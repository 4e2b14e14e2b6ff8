import {
  LinearDiscriminantAnalysis,
  logSumExp,
  type Matrix,
  RegularizedDiscriminantAnalysis,
} from '../../src/index.ts';
import { refuse } from '../../src/workbench.ts';
import type { RowFilter } from '../rows/filter.ts';
import { numberCells } from './number-cells.ts';
import { placesOf, sampleOf } from './sample.ts';
import type { Trained } from './training.ts';

/** The arguments of `boundaryOf`. */
export interface BoundaryAsked {
  readonly x: string;
  readonly y: string;
  /** Columns whose first two discriminant axes replace x and y. */
  readonly axes: readonly string[];
  /** 0: a covariance for each class (QDA); 1: one for all (LDA). */
  readonly lambda: number;
  /** 1: equal variances and no covariances. */
  readonly gamma: number;
  /** Covariances set to zero: Gaussian naive Bayes. */
  readonly diagonal: boolean;
  /** The classes to include. */
  readonly classes: readonly string[];
  /** Moved points, by index. */
  readonly moved: readonly { readonly place: number; readonly x: number; readonly y: number }[];
}

/** A discriminant model of two columns, with its predictions over the plane. */
export interface BoundaryResult {
  readonly classes: readonly string[];
  readonly points: readonly {
    readonly place: number;
    readonly x: number;
    readonly y: number;
    readonly c: number;
    readonly wrong: boolean;
    /** Whether the point is in the background. */
    readonly faint?: boolean;
    /** The row number; absent for a moved point. */
    readonly row?: number;
  }[];
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  /** A grid that extends one step beyond the picture on every side. */
  readonly size: number;
  readonly gridFrom: readonly [x: number, y: number];
  readonly gridTo: readonly [x: number, y: number];
  /** For each class, row by row: ln p(c) − ln(1 − p(c)). It has the contours of p(c) and interpolates better. */
  readonly logit: readonly Float32Array[];
  /** ln p(c) minus the greatest of the other classes: zero on the decision boundary. */
  readonly margin: readonly Float32Array[];
  /** One outline per class, at two standard deviations. */
  readonly ellipses: readonly (readonly (readonly [x: number, y: number])[])[];
  readonly accuracy: number;
  /** The number of training rows, out of `all` rows that have both numbers. */
  readonly rows: number;
  readonly all: number;
}

const SIZE = 72;
/** Beyond these log-odds nothing is drawn. */
const MOST_ODDS = 60;
const MOST_POINTS = 600;
const MOST_LEARNED = 20_000;

/** Fits regularised discriminant analysis to two columns and scores the whole plane. */
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
    ...everywhere((grid) => model.predictLogProba(grid), model.classes.map(String), classes, from, to),
    ellipses: classes.map((label) => {
      const c = model.classes.map(String).indexOf(label);
      return ellipse(model.means.row(c), model.covariance[c].toArray());
    }),
    accuracy: right / X.length,
    rows: X.length,
    all,
  };
}

/** The scores over the picture and one step around it. */
export function everywhere(
  scores: (points: readonly (readonly number[])[]) => Matrix,
  own: readonly string[],
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
  const found = scores(grid);
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

/** The rows whose points are in a rectangle of the picture, of all that it is made from. */
export function rowsInRegion(
  trained: Trained,
  { from, to, ...asked }: Extract<RowFilter, { kind: 'region' }>,
): { rows: number[]; all: number } {
  const { X, places } = trainingData(trained, { ...asked, moved: [] });
  const isIn = (point: readonly number[]) => [0, 1].every((k) => point[k] >= from[k] && point[k] <= to[k]);
  return { rows: places.filter((_, i) => isIn(X[i])).sort((a, b) => a - b), all: X.length };
}

function trainingData(
  { rows, labels, run, model }: Trained,
  { x, y: other, axes, moved, classes: wanted }: Pick<BoundaryAsked, 'x' | 'y' | 'axes' | 'moved' | 'classes'>,
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
  const [from, to] = [edge(X, -1), edge(X, 1)]; // from the original rows, so that a moved point does not shift the picture
  for (const { place, x: px, y: py } of moved) if (X[place]) X[place] = [px, py];
  const present = classes.filter((label) => y.includes(label));
  if (present.length < 2) refuse('E_CLASSES_TOO_FEW', 'these two columns have numbers of fewer than two classes');
  return { X, y, classes: present, from, to, all: usable.length, places };
}

/** Projects rows onto the two most discriminant directions. */
function onAxes(X: readonly number[][], y: readonly string[]): number[][] {
  const { rows, cols, data } = new LinearDiscriminantAnalysis().fit(X, y).transform(X);
  if (cols < 2) refuse('E_CLASSES_TOO_FEW', 'two discriminant axes need three classes and two columns of numbers');
  return Array.from({ length: rows }, (_, i) => [data[i * cols], data[i * cols + 1]]);
}

/** A corner of the picture, slightly outside all points. */
export function edge(X: readonly (readonly [number, number])[], side: -1 | 1): [number, number] {
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
