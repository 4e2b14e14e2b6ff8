import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { batches } from '../../test/batches.ts';
import { expectClose } from '../../test/close.ts';
import { count, score } from '../core/model.ts';
import { type Batch, batch, label, sliceBatch } from '../data/batch.ts';
import { Random } from '../math/random.ts';
import { pairs } from '../stats/pairs.ts';
import { conditionalInformation, dependence, spanningForest } from './dependence.ts';
import { leaveOneOutBySubtraction } from './held-out.ts';
import { tree } from './tree.ts';

const levels = batches('levels');
const gaps = batches('levels', { missing: true });
const options = { alpha: 0.5 };

/** All ways to fill the missing cells of a row. */
function completions(row: number[], counts: Int32Array): number[][] {
  const gap = row.findIndex(Number.isNaN);
  if (gap < 0) return [row];
  return Array.from({ length: counts[gap] }, (_, v) => completions(row.with(gap, v), counts)).flat();
}

const rowsOf = ({ rows, features, ...rest }: Batch) =>
  Array.from({ length: rows }, (_, i) => [
    ...(rest as unknown as { x: Float64Array }).x.slice(i * features, (i + 1) * features),
  ]);

describe('the tree', () => {
  check.prop([gaps])('is the heaviest of all trees, whatever the order of columns', (any) => {
    const { features } = any;
    const weights = conditionalInformation(dependence(count(pairs, any)));
    const total = (table: Float64Array) => {
      const { parents } = spanningForest(table, features);
      return parents.reduce((sum, parent, j) => sum + (parent < 0 ? 0 : table[parent * features + j]), 0);
    };
    const turned = weights.map((_, cell) => weights[weights.length - 1 - cell]); // columns in reverse
    expectClose([total(turned)], [total(weights)], 1e-12, 1);
    const parentsOf = (j: number) => Array.from({ length: features }, (_, k) => k).filter((k) => k !== j);
    const walk = (j: number, chosen: number[]): number => {
      if (j === features)
        return isTree(chosen)
          ? chosen.reduce((sum, k, at) => sum + (k < 0 ? 0 : weights[k * features + at]), 0)
          : -Infinity;
      return Math.max(...(j === 0 ? [-1] : parentsOf(j)).map((k) => walk(j + 1, [...chosen, k])));
    };
    const best = walk(0, []);
    if (best > -Infinity) expectClose([total(weights)], [best], 1e-12, 1);
  });

  test('ties go by index: without any dependence every column leans on the first', () => {
    const rows = [0, 1].flatMap((a) => [0, 1].flatMap((b) => [0, 1].map((c) => [a, b, c])));
    const stats = count(
      pairs,
      batch(
        rows,
        rows.map(() => 0),
        undefined,
        { levels: Int32Array.of(2, 2, 2) },
      ),
    );
    expect([...tree.estimate(stats, options).parents]).toEqual([-1, 0, 0]);
  });

  test('columns that were never seen together begin trees of their own', () => {
    const stats = count(
      pairs,
      batch(
        [
          [0, Number.NaN],
          [1, Number.NaN],
          [Number.NaN, 1],
        ],
        [0, 0, 0],
        undefined,
        { levels: Int32Array.of(2, 2) },
      ),
    );
    expect([...tree.estimate(stats, options).parents]).toEqual([-1, -1]);
  });
});

/** Whether following parents always ends at the root. */
function isTree(parents: readonly number[]): boolean {
  return parents.every((_, j) => {
    let at = j;
    for (let step = 0; step < parents.length && at >= 0; step++) at = parents[at];
    return at < 0;
  });
}

describe('scores', () => {
  check.prop([gaps, gaps])('a missing cell is summed over exactly', (lesson, other) => {
    const stats = count(pairs, lesson);
    const params = tree.estimate(stats, options);
    const rows = rowsOf(other)
      .filter(() => other.features >= lesson.features)
      .map((row) => row.slice(0, lesson.features));
    for (const row of rows) {
      const whole = completions(row, stats.levels).map((x) => score(tree, params, batch([x])));
      const summed = Array.from({ length: lesson.classes }, (_, c) =>
        Math.log(whole.reduce((sum, s) => sum + Math.exp(s[c] - params.logPrior[c]), 0)),
      );
      const scored = score(tree, params, batch([row])).map((s, c) => s - params.logPrior[c]);
      for (let c = 0; c < lesson.classes; c++)
        if (params.logPrior[c] > -Infinity) expectClose([scored[c]], [summed[c]], 1e-12, 10);
    }
  });

  check.prop([gaps])('without smoothing nothing becomes NaN, and terms add up', (lesson) => {
    const params = tree.estimate(count(pairs, lesson), { alpha: 0 });
    const scores = score(tree, params, lesson);
    expect(scores.some(Number.isNaN)).toBe(false);
    for (let i = 0; i < lesson.rows; i++) {
      const { terms, rest } = tree.terms(params, lesson, i);
      for (let c = 0; c < lesson.classes; c++) {
        let sum = params.logPrior[c] + rest[c];
        for (let j = 0; j < lesson.features; j++) sum += terms[j * lesson.classes + c];
        expectClose([sum], [scores[i * lesson.classes + c]], 1e-12, 10);
      }
    }
  });

  check.prop([levels])(
    'two columns under one class: the tree is the joint table of pairs',
    ({ rows, y, w, ...rest }) => {
      if (rest.features < 2) return;
      const two = label(
        {
          rows,
          features: 2,
          x: Float64Array.from(
            { length: rows * 2 },
            (_, k) => (rest as unknown as { x: Float64Array }).x[(k >> 1) * rest.features + (k & 1)],
          ),
        },
        { classes: 1, features: 2, levels: Int32Array.of(3, 3) },
        new Int32Array(y.length),
        w,
      );
      const stats = count(pairs, two);
      const scores = score(tree, tree.estimate(stats, { alpha: 0 }), two);
      const { x } = two as unknown as { x: Float64Array };
      for (let i = 0; i < rows; i++) {
        expectClose([scores[i]], [Math.log(stats.p[x[2 * i] * 6 + 3 + x[2 * i + 1]] / stats.n[0])], 1e-12, 1);
      }
    },
  );

  test('six rows by hand: the second column copies the first in class 0 and not in class 1', () => {
    const lesson = batch(
      [
        [0, 0],
        [0, 0],
        [1, 1],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      [0, 0, 0, 1, 1, 1],
      undefined,
      {
        levels: Int32Array.of(2, 2),
      },
    );
    const params = tree.estimate(count(pairs, lesson), { alpha: 1 });
    expect([...params.parents]).toEqual([-1, 0]);
    // class 0: (2+1)/(3+2) · (2+1)/(2+2); class 1: (1+1)/(3+2) · (0+1)/(1+2)
    expectClose(score(tree, params, batch([[0, 0]])), [Math.log(0.5 * 0.6 * 0.75), Math.log((0.5 * 0.4) / 3)], 1e-12);
    // a level on no list in the second column is an empty face: 1/(2+2) and 1/(1+2)
    expectClose(score(tree, params, batch([[0, 2]])), [Math.log(0.5 * 0.6 * 0.25), Math.log((0.5 * 0.4) / 3)], 1e-12);
    // and in the first: 1/(3+2), then a fair die
    expectClose(score(tree, params, batch([[7, 0]])), [Math.log(0.05), Math.log(0.05)], 1e-12);
  });
});

describe('leave-one-out and samples', () => {
  check.prop([gaps, fc.boolean()])('leaving a row out is counting without it', (lesson, uniform) => {
    const chosen = { alpha: 0.3, classPrior: uniform ? ('uniform' as const) : ('empirical' as const) };
    const out = new Float64Array(lesson.rows * lesson.classes);
    leaveOneOutBySubtraction(count(pairs, lesson), chosen, lesson, out, tree);
    for (let i = 0; i < lesson.rows; i++) {
      const rest = pairs.empty(lesson);
      pairs.add(rest, sliceBatch(lesson, 0, i));
      pairs.add(rest, sliceBatch(lesson, i + 1, lesson.rows));
      const expected = score(tree, tree.estimate(rest, chosen), sliceBatch(lesson, i, i + 1));
      expectClose(out.subarray(i * lesson.classes, (i + 1) * lesson.classes), expected, 1e-12, 1);
    }
  });

  test('samples follow the tables', () => {
    const lesson = batch(
      [
        [0, 0],
        [0, 0],
        [1, 1],
        [1, 1],
        [1, 0],
      ],
      [0, 0, 0, 0, 0],
      undefined,
      { levels: Int32Array.of(2, 2) },
    );
    const params = tree.estimate(count(pairs, lesson), { alpha: 0 });
    const random = new Random(1);
    const row = new Float64Array(2);
    const seen = new Map<string, number>();
    for (let i = 0; i < 10_000; i++) {
      tree.sample(params, 0, random, row);
      seen.set(row.join(), (seen.get(row.join()) ?? 0) + 1);
    }
    const share = (key: string) => (seen.get(key) ?? 0) / 10_000;
    expect(share('0,1')).toBe(0);
    for (const [key, p] of [
      ['0,0', 0.4],
      ['1,1', 0.4],
      ['1,0', 0.2],
    ] as const)
      expect(Math.abs(share(key) - p)).toBeLessThan(0.02);
  });
});
