import { Matrix } from '../data/matrix.ts';
import { binBetween } from './bins.ts';
import { cutColumn } from './cuts.ts';
import type { Counted } from './rank.ts';

const OTHERS = '(others)';
const MISSING = '(missing)';

/**
 * How often each level of a column occurs in each class. The values are places among the levels, the place past the last one for all
 * others; without levels they are numbers, and are cut into ranges by description length. NaN is missing.
 */
export function levelTable(
  feature: string,
  values: Float64Array,
  levels: readonly string[] | undefined,
  codes: Int32Array,
  classes: number,
): Counted {
  const cuts = levels ? undefined : cutColumn(values, codes, classes, 'mdl');
  const names = levels ? [...levels, OTHERS] : Array.from({ length: cuts!.length + 1 }, (_, b) => rangeName(cuts!, b));
  const words = [...names, MISSING];
  const table = new Matrix(classes, words.length);
  for (let i = 0; i < values.length; i++) {
    const level = Number.isNaN(values[i]) ? names.length : cuts ? binBetween(cuts, values[i]) : values[i];
    table.data[codes[i] * words.length + level]++;
  }
  return { feature, levels: words, table };
}

function rangeName(cuts: readonly number[], bin: number): string {
  const show = (value: number) => String(Number(value.toPrecision(4)));
  if (cuts.length === 0) return 'any number';
  if (bin === 0) return `< ${show(cuts[0])}`;
  return bin === cuts.length ? `≥ ${show(cuts[bin - 1])}` : `${show(cuts[bin - 1])} … ${show(cuts[bin])}`;
}
