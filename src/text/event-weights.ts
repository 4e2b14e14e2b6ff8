/** Cells are multiples of 1 / GRID, so that sums of up to 2³³ of them are exact, in any order. */
const GRID = 2 ** 20;

/** √share of a document's known terms, rounded to the grid: rows of these have a length of about 1. */
export const rootShare = (count: number, total: number): number => Math.round(Math.sqrt(count / total) * GRID) / GRID;

/** Sums as whole numbers of grid units; undefined if decay or weights took them off the grid, or they need more than 32 bits. */
export function unitsOf(sums: Float64Array): Uint32Array | undefined {
  const fits = sums.every((sum) => (sum * GRID) % 1 === 0 && sum * GRID < 2 ** 32);
  return fits ? Uint32Array.from(sums, (sum) => sum * GRID) : undefined;
}

/** The inverse of `unitsOf`. */
export const fromUnits = (units: Float64Array): Float64Array => units.map((value) => value / GRID);

/** Cells of terms, one after another: those of term k end before ends[k]. */
export interface ListedCells {
  readonly ends: ArrayLike<number>;
  readonly classes: ArrayLike<number>;
  readonly sums: Float64Array;
}

/** An event model: a class is scored by its own terms, or by those of all other classes. */
export type EventModel = 'multinomial' | 'complement';

/** The weight of a cell with a count: what the score gains beyond that of a term that never occurred in the class. */
export const cellWeight = (model: EventModel, count: number, total: number, alpha: number): number =>
  model === 'multinomial' ? Math.log1p(count / alpha) : -Math.log1p(-count / (total + alpha));

/** What every term adds to the score of a class with this sum of counts; `smoothing` is the pseudo-count of all terms. */
export const baseWeight = (model: EventModel, own: number, all: number, smoothing: number): number =>
  model === 'multinomial' ? -Math.log(own + smoothing) : Math.log(all + smoothing - own);

/** A model of the counts of a view, as a member of an ensemble. */
export interface EventMember {
  readonly model: EventModel;
  readonly alpha: number;
  /** How much its scores count. */
  readonly factor: number;
  /** The weight of a term that has none of its own. */
  readonly initial: number;
  /** The weights of the listed terms; NaN for a term without one. Undefined if all terms have the initial weight. */
  readonly weights: ArrayLike<number> | undefined;
}

/** What one occurrence of the k-th listed term adds to the score of every class, added to a row of zeros. */
export function eventWeights(
  { ends, classes, sums }: ListedCells,
  members: readonly EventMember[],
  labels: number,
): (k: number, row: Float64Array) => void {
  const [byClass, totals] = [new Float64Array(labels), new Float64Array(ends.length)];
  let [all, terms] = [0, 0];
  for (let k = 0, cell = 0; k < ends.length; k++) {
    for (; cell < ends[k]; cell++) {
      totals[k] += sums[cell];
      byClass[classes[cell]] += sums[cell];
    }
    if (totals[k] > 0) terms++;
  }
  for (const own of byClass) all += own;
  const bases = members.map(({ model, alpha, factor }) =>
    byClass.map((own) => factor * baseWeight(model, own, all, alpha * terms)),
  );
  return (k, row) => {
    const own = members.map(({ weights, initial }) => {
      const weight = weights?.[k] ?? Number.NaN;
      return Number.isNaN(weight) ? initial : weight;
    });
    bases.forEach((base, m) => {
      for (let c = 0; c < labels; c++) row[c] += own[m] * base[c];
    });
    for (let cell = k > 0 ? ends[k - 1] : 0; cell < ends[k]; cell++) {
      members.forEach(({ model, alpha, factor }, m) => {
        row[classes[cell]] += factor * own[m] * cellWeight(model, sums[cell], totals[k], alpha);
      });
    }
  };
}
