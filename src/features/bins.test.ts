import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  binOf,
  cutBetween,
  frequencyEdges,
  kmeansEdges,
  proportionalEdges,
  quantileEdges,
  uniformEdges,
} from './bins.ts';
import { lineMeans } from './kmeans.ts';
import { quantile, quantileMethods, weightedQuantile } from './quantile.ts';

const column = (values: readonly number[], weights = values.map(() => 1)) => {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  return {
    values: Float64Array.from(order, (i) => values[i]),
    weights: Float64Array.from(order, (i) => weights[i]),
  };
};
const uneven = fc
  .array(fc.integer({ min: -40, max: 40 }), { minLength: 2, maxLength: 40 })
  .filter((values) => new Set(values).size > 1);
const binCounts = fc.integer({ min: 2, max: 7 });

const strategies = {
  uniform: uniformEdges,
  quantile: (data, k) => quantileEdges(data, k, 'averaged_inverted_cdf', false),
  kmeans: kmeansEdges,
  frequency: frequencyEdges,
  proportional: proportionalEdges,
} satisfies Record<string, (data: ReturnType<typeof column>, k: number) => Float64Array>;

describe.each(Object.entries(strategies))('bins by %s', (name, edgesOf) => {
  law.prop([uneven, binCounts])(
    'run from the least to the greatest value, and every value has its bin',
    (values, k) => {
      const edges = edgesOf(column(values), k);
      const apart = edges.every((edge, b) => b === 0 || edge > edges[b - 1]);
      expect(apart).toBe(true);
      expect(edges[0]).toBe(Math.min(...values));
      if (name !== 'proportional') expect(edges.length).toBeLessThanOrEqual(k + 1);
      for (const value of values) {
        const b = binOf(edges, value);
        expect(value >= edges[b] && (value < edges[b + 1] || b === edges.length - 2)).toBe(true);
      }
    },
  );

  law.prop([uneven, binCounts])('do not depend on the order of the rows', (values, k) => {
    expect(edgesOf(column([...values].reverse()), k)).toEqual(edgesOf(column(values), k));
  });
});

describe('the edges of [-3, 0, 1, 2, 10, 4] for three bins', () => {
  const data = column([-3, 0, 1, 2, 10, 4]);

  test('are those of scikit-learn', () => {
    expect(Array.from(uniformEdges(data, 3))).toEqual([-3, 1.333333333333333, 5.666666666666666, 10]);
    expect(Array.from(quantileEdges(data, 3, 'averaged_inverted_cdf', false))).toEqual([-3, 0.5, 3, 10]);
    const linear = quantileEdges(data, 3, 'linear', false);
    expect(Array.from(linear, (edge) => edge.toFixed(4))).toEqual(['-3.0000', '0.6667', '2.6667', '10.0000']);
    const means = kmeansEdges(data, 3);
    expect(Array.from(means, (edge) => edge.toFixed(4))).toEqual(['-3.0000', '1.1667', '6.5000', '10.0000']);
  });
});

describe('quantiles', () => {
  law.prop([uneven, fc.constantFrom(...quantileMethods)])(
    'rise from the least to the greatest value',
    (values, method) => {
      const { values: sorted } = column(values);
      const found = Array.from({ length: 11 }, (_, i) => quantile(sorted, i / 10, method));
      expect(found.every((value, i) => i === 0 || value >= found[i - 1])).toBe(true);
      expect([found[0], found[10]]).toEqual([sorted[0], sorted[sorted.length - 1]]);
    },
  );

  law.prop([uneven, fc.integer({ min: 0, max: 8 })])('of weight k are those of k copies', (values, eighth) => {
    const weights = values.map((_, i) => 1 + (i % 3));
    const { values: sorted, weights: w } = column(values, weights);
    const copies = column(values.flatMap((value, i) => Array.from({ length: weights[i] }, () => value))).values;
    let total = 0;
    const cumulated = w.map((weight) => (total += weight));
    const q = eighth / 8;
    expect(weightedQuantile(sorted, cumulated, q, true)).toBe(quantile(copies, q, 'averaged_inverted_cdf'));
    expect(weightedQuantile(sorted, cumulated, q, false)).toBe(quantile(copies, q, 'inverted_cdf'));
  });
});

describe('bins of equal frequency', () => {
  test('hold three rows each where nine values differ', () => {
    expect(Array.from(frequencyEdges(column([1, 2, 3, 4, 5, 6, 7, 8, 9]), 3))).toEqual([1, 3.5, 6.5, 9]);
  });

  test('keep equal values together and share the rest anew', () => {
    expect(Array.from(frequencyEdges(column([0, 0, 0, 0, 0, 0, 1, 2, 3]), 3))).toEqual([0, 0.5, 2.5, 3]);
  });

  test('are √n of √n rows when proportional', () => {
    const values = Array.from({ length: 100 }, (_, i) => i);
    const edges = proportionalEdges(column(values));
    expect(Array.from(edges)).toEqual([0, 9.5, 19.5, 29.5, 39.5, 49.5, 59.5, 69.5, 79.5, 89.5, 99]);
  });

  test('cut between neighbours in floating point', () => {
    const next = 1 + Number.EPSILON;
    expect(cutBetween(1, next)).toBe(next);
    expect(cutBetween(-Number.MAX_VALUE, Number.MAX_VALUE)).toBe(0);
    expect(cutBetween(Number.MAX_VALUE / 2, Number.MAX_VALUE)).toBeLessThanOrEqual(Number.MAX_VALUE);
  });
});

describe('k-means on a line', () => {
  law.prop([uneven, binCounts])('ends where every centre is the mean of its values, or nearly so', (values, k) => {
    const data = column(values);
    const start = uniformEdges(data, k).slice(0, -1);
    const spread = (centres: Float64Array) =>
      data.values.reduce((sum, x) => sum + Math.min(...Array.from(centres, (c) => (x - c) ** 2)), 0);
    expect(spread(lineMeans(data, start))).toBeLessThanOrEqual(spread(start) + 1e-9);
  });

  test('does not give up a centre that lost its values', () => {
    const centres = lineMeans(
      column([0, 0.1, 0.2, 0.15, 100, 101, 250, 7]),
      Float64Array.of(31.25, 93.75, 156.25, 218.75),
    );
    expect(Array.from(centres, (centre) => centre.toFixed(4))).toEqual(['0.1125', '7.0000', '100.5000', '250.0000']);
  });

  test('puts all centres on one value where there is one value', () => {
    expect(Array.from(lineMeans(column([5, 5, 5]), Float64Array.of(5, 6)))).toEqual([5, 5]);
  });
});
