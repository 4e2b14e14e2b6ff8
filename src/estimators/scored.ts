import type { Matrix } from '../data/matrix.ts';

/**
 * Rows that have been scored already: a classifier takes them in the place of rows, and answers by their scores. They come from
 * whoever knows the parameters of these rows without those of all.
 */
export class Scored {
  /** ln p(c) + ln p(x | c) for every row and class. */
  readonly joint: Matrix;
  /** ln p(c). */
  readonly logPrior: Float64Array;

  constructor(joint: Matrix, logPrior: Float64Array) {
    this.joint = joint;
    this.logPrior = logPrior;
  }
}
