import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { atMost, processorTime } from '../../test/quiet.ts';
import { entropy } from './information.ts';
import { type MdlOptions, mdlCuts } from './mdlp.ts';

const fayyad: MdlOptions = { criterion: 'fayyad-irani', betterEncoding: false };

const cutsOf = (x: readonly number[], y: readonly number[], options = fayyad, w = x.map(() => 1)) =>
  Array.from(
    mdlCuts(
      Float64Array.from(x),
      Int32Array.from(y),
      Float64Array.from(w),
      y.reduce((most, c) => Math.max(most, c), 0) + 1,
      options,
    ),
  );

/** The definition, word for word: every cut is tried, and entropies are computed anew. */
function plainCuts(rows: readonly (readonly [x: number, y: number])[]): number[] {
  const bits = (part: typeof rows) => entropy([0, 1, 2].map((c) => part.filter(([, y]) => y === c).length)) / Math.LN2;
  const kinds = (part: typeof rows) => new Set(part.map(([, y]) => y)).size;
  const values = [...new Set(rows.map(([x]) => x))].sort((a, b) => a - b);
  let best = { at: 0, mixed: bits(rows) };
  for (let v = 1; v < values.length; v++) {
    const [left, right] = [rows.filter(([x]) => x < values[v]), rows.filter(([x]) => x >= values[v])];
    const mixed = (left.length * bits(left) + right.length * bits(right)) / rows.length;
    if (mixed < best.mixed * (1 - 1e-12)) best = { at: v, mixed };
  }
  const gain = bits(rows) - best.mixed;
  if (best.at === 0 || gain <= 1e-12) return [];
  const [left, right] = [rows.filter(([x]) => x < values[best.at]), rows.filter(([x]) => x >= values[best.at])];
  const k = kinds(rows);
  const delta = Math.log2(3 ** k - 2) - (k * bits(rows) - kinds(left) * bits(left) - kinds(right) * bits(right));
  if (gain <= (Math.log2(rows.length - 1) + delta) / rows.length) return [];
  return [...plainCuts(left), (values[best.at - 1] + values[best.at]) / 2, ...plainCuts(right)];
}

const labelled = fc.array(
  fc
    .tuple(fc.nat(12), fc.nat(2), fc.boolean())
    .map(([x, noise, pure]) => [x, pure ? Math.floor(x / 5) : noise] as const),
  { minLength: 1, maxLength: 60 },
);

describe('cuts by minimum description length', () => {
  law.prop([labelled])('are those of the definition', (rows) => {
    const [x, y] = [rows.map(([x]) => x), rows.map(([, y]) => y)];
    expect(cutsOf(x, y)).toEqual(plainCuts(rows));
  });

  law.prop([labelled])('do not depend on the order of the rows or the names of the classes', (rows) => {
    const [x, y] = [rows.map(([x]) => x), rows.map(([, y]) => y)];
    const present = [...new Set(y)].sort();
    const reversed = y.map((c) => present.length - 1 - present.indexOf(c));
    const dense = y.map((c) => present.indexOf(c));
    expect(cutsOf([...x].reverse(), [...dense].reverse())).toEqual(cutsOf(x, dense));
    expect(cutsOf(x, reversed).length).toBe(cutsOf(x, dense).length);
  });

  law.prop([labelled])('count weight k as k rows', (rows) => {
    const [x, y] = [rows.map(([x]) => x), rows.map(([, y]) => y)];
    const w = rows.map((_, i) => 1 + (i % 3));
    const copy = (values: readonly number[]) => values.flatMap((value, i) => Array.from({ length: w[i] }, () => value));
    expect(cutsOf(x, y, fayyad, w)).toEqual(cutsOf(copy(x), copy(y)));
  });

  test('separate two pure groups of ten once, in the middle', () => {
    const x = Array.from({ length: 20 }, (_, i) => i);
    expect(
      cutsOf(
        x,
        x.map((i) => (i < 10 ? 0 : 1)),
      ),
    ).toEqual([9.5]);
  });

  test('are none where a feature is uninformative or constant, or there is one class', () => {
    const x = Array.from({ length: 40 }, (_, i) => i);
    expect(
      cutsOf(
        x,
        x.map((i) => i % 2),
      ),
    ).toEqual([]);
    expect(cutsOf([3, 3, 3], [0, 1, 0])).toEqual([]);
    expect(cutsOf([1, 2, 3], [0, 0, 0])).toEqual([]);
    expect(cutsOf([1], [0])).toEqual([]);
  });

  test('bear hundreds of classes', () => {
    const x = Array.from({ length: 2000 }, (_, i) => i);
    expect(
      cutsOf(
        x,
        x.map((i) => Math.floor(i / 5)),
      ).length,
    ).toBeGreaterThanOrEqual(0);
  });

  test("by Kononenko's criterion and with the true number of cuts are found as well", () => {
    const x = Array.from({ length: 30 }, (_, i) => i);
    const y = x.map((i) => Math.floor(i / 10));
    for (const criterion of ['fayyad-irani', 'kononenko'] as const) {
      for (const betterEncoding of [true, false])
        expect(cutsOf(x, y, { criterion, betterEncoding })).toEqual([9.5, 19.5]);
    }
  });

  test('of 200 000 rows are found in a second or so', () => {
    const x = Array.from({ length: 200_000 }, (_, i) => Math.sin(i * 12.9898) * 43758.5453);
    const y = x.map((value) => (value > 1000 ? 1 : 0));
    const spent = processorTime(() => expect(cutsOf(x, y)).toHaveLength(1));
    expect(spent).toBeLessThan(atMost(2000));
  });
});
