import { readOptions } from '../core/options.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { chi2Tail } from '../math/tails.ts';
import type { Histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import { type CountedCategories, toHistogram } from './counted.ts';
import { entropy, levelSurprise, perNat, shareOf, type UnitOptions, unitSpec } from './information.ts';
import { readLabelled } from './labelled.ts';
import { levelWalker, type Visit } from './levels.ts';
import type { Scores } from './scores.ts';

/** A feature as a table: the counts of its classes, and a walk over the counts of its values. */
interface Table {
  readonly n: Float64Array;
  walk(visit: Visit): void;
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/** I(C; X) = H(C) − H(C | X), in nats. */
function information({ n, walk }: Table): number {
  const total = sumOf(n);
  let sum = 0;
  walk((counts) => {
    sum += levelSurprise(counts, n, total);
  });
  return shareOf(sum, total);
}

/** I(C; X) / H(X); 0 where X has a single value. */
function ratio(table: Table): number {
  const levels: number[] = [];
  table.walk((counts) => {
    levels.push(sumOf(counts));
  });
  return shareOf(information(table), entropy(levels));
}

/** χ² of the table and its p-value, with (values − 1)(classes − 1) degrees of freedom over those that occur. */
function independence({ n, walk }: Table): [number, number] {
  const total = sumOf(n);
  let [statistic, levels] = [0, 0];
  walk((counts) => {
    const level = sumOf(counts);
    if (level === 0) return;
    levels++;
    for (let c = 0; c < n.length; c++) {
      const expected = (n[c] * level) / total;
      if (expected > 0) statistic += (counts[c] - expected) ** 2 / expected;
    }
  });
  const df = (levels - 1) * (n.filter((weight) => weight > 0).length - 1);
  return df > 0 ? [statistic, chi2Tail(statistic, df)] : [Number.NaN, Number.NaN];
}

/** The tables of a histogram; the classes of a feature are counted over its present cells. */
function tables(counted: Histogram | CountedCategories): Table[] {
  const { classes, levels, h } = toHistogram(counted);
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  return Array.from(levels, (size, j) => {
    const walk = (visit: Visit) => {
      const counts = new Float64Array(classes);
      for (let v = 0; v < size; v++) {
        for (let c = 0; c < classes; c++) counts[c] = h[c * width + offsets[j] + v];
        visit(counts);
      }
    };
    const n = new Float64Array(classes);
    walk((counts) => {
      for (let c = 0; c < classes; c++) n[c] += counts[c];
    });
    return { n, walk };
  });
}

/** The tables of rows whose every distinct value is a level. */
function tablesOf(X: Features, y: ArrayLike<Label>): Table[] {
  const { batch } = readLabelled(X, y, { sparse: true });
  const n = new Float64Array(batch.classes);
  for (const c of batch.y) n[c]++;
  const walker = levelWalker(batch, batch.y, n);
  return Array.from({ length: batch.features }, (_, j) => ({ n, walk: (visit: Visit) => walker(j, visit) }));
}

/** The mutual information of the class and every categorical feature, from histograms by class. */
export function informationFromHistogram(
  counted: Histogram | CountedCategories,
  options: UnitOptions = {},
): Float64Array {
  const factor = perNat(readOptions('informationFromHistogram', unitSpec, options).unit);
  return Float64Array.from(tables(counted), (table) => factor * information(table));
}

/** Information gain over the entropy of the feature itself, from histograms by class. */
export function gainRatioFromHistogram(counted: Histogram | CountedCategories): Float64Array {
  return Float64Array.from(tables(counted), ratio);
}

/** χ² of independence of the class and every categorical feature, from histograms by class. */
export function chi2FromHistogram(counted: Histogram | CountedCategories): Scores {
  const tests = tables(counted).map(independence);
  return [Float64Array.from(tests, ([statistic]) => statistic), Float64Array.from(tests, ([, p]) => p)];
}

/**
 * Information gain H(C) − H(C | X) of every feature, its distinct values taken as levels.
 * Quinlan, Induction of Decision Trees (1986).
 */
export function informationGain(X: Features, y: ArrayLike<Label>, options: UnitOptions = {}): Float64Array {
  const factor = perNat(readOptions('informationGain', unitSpec, options).unit);
  return Float64Array.from(tablesOf(X, y), (table) => factor * information(table));
}

/** Gain ratio (H(C) − H(C | X)) / H(X) of every feature, its distinct values taken as levels; 0 of a constant feature. */
export function gainRatio(
  X: Features,
  y: ArrayLike<Label>,
  options: Readonly<Record<string, never>> = {},
): Float64Array {
  readOptions('gainRatio', {}, options);
  return Float64Array.from(tablesOf(X, y), ratio);
}
