import { sum } from '../math/arrays.ts';
import { cutBetween, frequencyEdges } from './bins.ts';
import { mdlCuts } from './mdlp.ts';

/** How numbers are cut into bins: by description length, or into equally many rows, a few or many of them. */
export type Cutting = 'mdl' | 'frequency' | 'fine';

/** Columns with as few values as this keep each of them apart. */
const FEW_VALUES = 12;
/** The most bins of equal frequency, and about how many rows one has at least. */
const binsOf = { frequency: [10, 25], fine: [40, 100] } as const;

/** The cuts of a column of numbers; NaN is missing. */
export function cutColumn(column: Float64Array, codes: Int32Array, classes: number, cutting: Cutting): number[] {
  const [x, y] = [new Float64Array(column.length), new Int32Array(column.length)];
  let count = 0;
  for (let i = 0; i < column.length; i++) {
    if (Number.isNaN(column[i])) continue;
    x[count] = column[i];
    y[count++] = codes[i];
  }
  if (count === 0) return [];
  const values = x.subarray(0, count);
  if (cutting !== 'mdl') return frequencyCuts(values, binsOf[cutting]);
  const weights = new Float64Array(count).fill(1);
  return Array.from(mdlCuts(values, y, weights, classes, { criterion: 'fayyad-irani', betterEncoding: false }));
}

/** Cuts between bins of about equally many rows; of few values, between all of them. */
function frequencyCuts(x: Float64Array, [most, rowsEach]: readonly [number, number]): number[] {
  const counts = new Map<number, number>();
  for (const value of x) counts.set(value, (counts.get(value) ?? 0) + 1);
  const values = Float64Array.from(counts.keys()).sort();
  if (values.length <= FEW_VALUES) return Array.from(values.subarray(1), (value, v) => cutBetween(values[v], value));
  const weights = values.map((value) => counts.get(value)!);
  const bins = Math.max(3, Math.min(most, Math.floor(sum(weights) / rowsEach)));
  return Array.from(frequencyEdges({ values, weights }, bins).subarray(1, -1));
}
