import { refuse } from '../errors.ts';
import { compareLabels, type Label, sortClasses } from './labels.ts';
import { Matrix } from './matrix.ts';

/** Labels that are not sure: how much of each row belongs to each class. */
export class SoftLabels {
  /** The sorted classes, one per column of `shares`. */
  readonly classes: readonly Label[];
  readonly shares: Matrix;

  constructor(shares: Matrix, classes: readonly Label[]) {
    this.shares = shares;
    this.classes = classes;
  }

  /** One label per row, so to speak. */
  get length(): number {
    return this.shares.rows;
  }
}

/** Makes soft labels of shares, one row per row and one column per class in the order given; shares are finite and ≥ 0. */
export function softLabels(shares: Matrix | ArrayLike<ArrayLike<number>>, classes: ArrayLike<Label>): SoftLabels {
  const given = shares instanceof Matrix ? shares : Matrix.from(shares);
  const sorted = sortClasses(classes);
  if (given.cols !== sorted.length && given.rows > 0) {
    refuse('E_SHAPE', `there are ${given.cols} shares per row for ${sorted.length} classes`, {
      expected: sorted.length,
      actual: given.cols,
    });
  }
  const column = Array.from(classes, (_, c) => c).sort((a, b) => compareLabels(classes[a], classes[b]));
  const turned = new Matrix(given.rows, sorted.length);
  for (let i = 0; i < given.rows; i++) {
    for (let c = 0; c < sorted.length; c++) {
      const share = given.at(i, column[c]);
      if (!(share >= 0 && share < Infinity)) {
        refuse('E_WEIGHT_INVALID', `row ${i} belongs to a class by ${share}; shares are finite and not negative`, {
          row: i,
        });
      }
      turned.data[i * sorted.length + c] = share;
    }
  }
  return new SoftLabels(turned, sorted);
}
