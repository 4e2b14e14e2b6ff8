import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { batches } from '../../test/batches.ts';
import { refusalOf } from '../../test/close.ts';
import { count, type Statistic } from '../core/model.ts';
import { type Batch, sliceBatch, takeRows } from '../data/batch.ts';
import { blocks } from './blocks.ts';
import { histogram } from './histogram.ts';
import { sums } from './sums.ts';

const both = blocks((name) => (name === 'levels' ? histogram : sums) as Statistic<never>);

/** The same rows in two blocks: levels, and whether each is above zero. */
const blocked = batches('levels').map((whole): Batch => {
  const { rows, features, classes, levels, y, w } = whole;
  const { x } = whole as Batch & { x: Float64Array };
  const bits = { rows, features, classes: 0, x: x.map(Math.sign) };
  const parts = { levels: { rows, features, classes: 0, x, ...(levels && { levels }) }, bits };
  return { rows, features, classes, x: new Float64Array(rows * features), y, w, parts };
});

describe('blocks', () => {
  const statistic = both;
  check.prop([blocked, fc.nat()])('counts every part separately, at once or in two, and back', (batch, where) => {
    const at = where % (batch.rows + 1);
    const [left, right] = [sliceBatch(batch, 0, at), sliceBatch(batch, at, batch.rows)];
    const whole = count(statistic, batch);
    const own = { ...batch.parts?.levels, classes: batch.classes, y: batch.y, w: batch.w } as Batch;
    expect(whole.parts.levels).toEqual(count(histogram, own));
    const merged = count(statistic, left);
    statistic.merge(merged, count(statistic, right));
    expect(merged).toEqual(whole);
    statistic.subtract(merged, count(statistic, right));
    expect(merged).toEqual(count(statistic, left));
    statistic.scale(merged, 0.5);
    statistic.scale(merged, 2);
    expect(merged).toEqual(count(statistic, left));
    const { exact } = statistic;
    const exactly = exact.empty(batch);
    exact.add(exactly, batch);
    expect(exact.round(exactly)).toEqual(whole);
  });

  check.prop([blocked])('moves classes in all parts, and features of one part only there', (batch) => {
    const stats = count(statistic, batch);
    const shape = { ...stats, classes: batch.classes + 1 };
    const classes = Int32Array.from({ length: batch.classes }, (_, c) => c + 1);
    const wider = statistic.reshape(stats, shape, { classes, parts: { bits: {} } });
    const moved = { ...batch, classes: batch.classes + 1, y: batch.y.map((c) => c + 1) } as Batch;
    expect(wider).toEqual(count(statistic, moved));
  });

  test('subtracts nothing if a part has too little', () => {
    const rows = (level: number): Batch => ({
      rows: 1,
      features: 1,
      classes: 1,
      x: new Float64Array(1),
      y: new Int32Array(1),
      w: Float64Array.of(1),
      parts: {
        bits: { rows: 1, features: 1, classes: 0, x: Float64Array.of(1) },
        levels: { rows: 1, features: 1, classes: 0, levels: Int32Array.of(2), x: Float64Array.of(level) },
      },
    });
    const stats = count(statistic, rows(0));
    expect(refusalOf(() => statistic.subtract(stats, count(statistic, rows(1)))).code).toBe('E_UNLEARN_UNDERFLOW');
    expect(stats).toEqual(count(statistic, rows(0)));
  });
});

check.prop([blocked])('taking rows takes them in all parts', (batch) => {
  const order = [...batch.y.keys()].reverse();
  const { parts } = takeRows(batch, order);
  const { x } = batch.parts!.levels as unknown as { x: Float64Array };
  const { x: turned } = parts!.levels as unknown as { x: Float64Array };
  const { features } = batch;
  expect([...turned]).toEqual(order.flatMap((i) => [...x.subarray(i * features, (i + 1) * features)]));
});
