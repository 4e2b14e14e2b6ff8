import { refuse } from '../errors.ts';
import {
  compareLabels,
  encodeCodes,
  encodeLabels,
  type Label,
  type Labels,
  requireLabels,
  sortClasses,
} from './labels.ts';
import { Matrix } from './matrix.ts';
import { CodedColumn } from './packed-columns.ts';
import { weighing } from './weights.ts';

/** Which row belongs to which class with which weight. Without an order, rows are in their original order. */
export interface Assignment {
  readonly order: Uint32Array | undefined;
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
  readonly w: Float64Array;
}

/** Soft labels: the share of each row in each class. */
export class SoftLabels {
  /** The sorted classes, one per column of `shares`. */
  readonly classes: readonly Label[];
  readonly shares: Matrix;

  constructor(shares: Matrix, classes: readonly Label[]) {
    this.shares = shares;
    this.classes = classes;
  }

  /** The number of rows. */
  get length(): number {
    return this.shares.rows;
  }

  /** A row that belongs to several classes is counted once for each, with its share of the weight. */
  assign(w: Float64Array): Assignment {
    const { classes, shares } = this;
    const order: number[] = [];
    const codes: number[] = [];
    const weights: number[] = [];
    for (let i = 0; i < shares.rows; i++) {
      for (let c = 0; c < classes.length; c++) {
        const weight = w[i] * shares.at(i, c);
        if (weight === 0) continue;
        order.push(i);
        codes.push(c);
        weights.push(weight);
      }
    }
    if (order.length === 0) refuse('E_WEIGHTS_ALL_ZERO', 'no row belongs to any class: there is nothing to learn from');
    const met = new Set(codes);
    const present = classes.filter((_, c) => met.has(c));
    const place = classes.map((label) => present.indexOf(label));
    return {
      order: Uint32Array.from(order),
      classes: present,
      codes: Int32Array.from(codes, (c) => place[c]),
      w: Float64Array.from(weights),
    };
  }
}

/** Labels of rows: one class each, or shares of several. */
export type GivenLabels = ArrayLike<Label> | SoftLabels;

/** Turns labels and weights into class indices and weights; rows of weight zero are left out, and classes that have only such rows. */
export function assign(y: GivenLabels | CodedColumn<Label>, w: Float64Array): Assignment {
  if ('assign' in y) return y.assign(w);
  const encode = (part: ArrayLike<Label> | CodedColumn<Label>): Labels =>
    part instanceof CodedColumn ? encodeCodes(part) : encodeLabels(part);
  const all = encode(y);
  const order = weighing(w);
  if (!order) return { order, ...all, w };
  const { classes, codes } = encode(y instanceof CodedColumn ? y.take(order) : Array.from(order, (i) => y[i]));
  return { order, classes, codes, w: Float64Array.from(order, (i) => w[i]) };
}

/** Refuses another number of labels than of rows. */
export function requireLengths(rows: number, labels: number): void {
  if (rows !== labels) {
    refuse('E_SHAPE', `there are ${rows} rows and ${labels} labels`, { rows, labels });
  }
}

/**
 * Creates soft labels from shares, one row per row and one column per class in the given order; shares are finite and ≥
 * 0.
 */
export function softLabels(shares: Matrix | ArrayLike<ArrayLike<number>>, classes: ArrayLike<Label>): SoftLabels {
  requireLabels(classes);
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
        refuse('E_WEIGHT_INVALID', `row ${i} has the share ${share}; shares must be finite and not negative`, {
          row: i,
        });
      }
      turned.data[i * sorted.length + c] = share;
    }
  }
  return new SoftLabels(turned, sorted);
}
