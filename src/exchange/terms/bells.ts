import { dense } from '../cells.ts';
import { byClass, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

const shape = term(
  'bells',
  { mean: byClass, variance: byClass, df: byClass, logPeak: byClass },
  'Σ logPeak[c][j] − ½ (x − mean)² / variance; with a finite df, logPeak − ½ (df + 1) ln(1 + (x − mean)² / variance / df).',
);

/** Normal curves, and Student's where df is finite. */
export type BellTerm = ValueOf<typeof shape>;

/** Adds in the order of the library, which sums squares separately if every df is infinite. */
const run: Add<BellTerm> = (own, cells, score) => {
  const { mean, variance, df, logPeak } = own;
  const x = dense(cells);
  const gaussian = df.every((value) => value === Infinity);
  for (let c = 0; c < score.length; c++) {
    let squares = 0;
    for (let j = 0; j < x.length; j++) {
      if (Number.isNaN(x[j])) continue;
      const cell = c * x.length + j;
      const distance = x[j] - mean[cell];
      if (gaussian) {
        const z = distance * (1 / Math.sqrt(variance[cell]));
        score[c] += logPeak[cell];
        squares += z * z;
        continue;
      }
      const square = (distance * distance) / variance[cell];
      const fall = df[cell] === Infinity ? -0.5 * square : -0.5 * (df[cell] + 1) * Math.log1p(square / df[cell]);
      score[c] += logPeak[cell] + fall;
    }
    if (gaussian) score[c] += -0.5 * squares;
  }
};

export const bellTerm: TermOperation<BellTerm> = { shape, run };
