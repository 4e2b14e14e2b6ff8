import { encodeLabels, type Label } from '../data/labels.ts';
import { SoftLabels } from '../data/soft-labels.ts';
import { weighing } from '../data/weights.ts';
import { refuse } from '../errors.ts';

/** What rows are labelled with: one class each, or shares of several. */
export type Labels = ArrayLike<Label> | SoftLabels;

/** Which row goes to which class with which weight. Without an order, rows stand as they are. */
interface Assignment {
  readonly order: Uint32Array | undefined;
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
  readonly w: Float64Array;
}

/** Turns labels and weights into class numbers and weights; what weighs nothing is left out, and so is its class. */
export function assign(y: Labels, w: Float64Array): Assignment {
  if (y instanceof SoftLabels) return assignShares(y, w);
  const all = encodeLabels(y);
  const order = weighing(w);
  if (!order) return { order, ...all, w };
  const { classes, codes } = encodeLabels(Array.from(order, (i) => y[i]));
  return { order, classes, codes, w: Float64Array.from(order, (i) => w[i]) };
}

/** A row that belongs to several classes is counted once for each, with its share of the weight. */
function assignShares({ classes, shares }: SoftLabels, w: Float64Array): Assignment {
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
  const present = classes.filter((_, c) => codes.includes(c));
  const place = classes.map((label) => present.indexOf(label));
  return {
    order: Uint32Array.from(order),
    classes: present,
    codes: Int32Array.from(codes, (c) => place[c]),
    w: Float64Array.from(weights),
  };
}
