import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Matrix } from '../../../src/data/matrix.ts';
import { SparseMatrix } from '../../../src/data/sparse.ts';
import { ColumnTransformer } from '../../../src/estimators/column-transformer.ts';
import { KBinsDiscretizer } from '../../../src/estimators/kbins-discretizer.ts';
import { MdlpDiscretizer } from '../../../src/estimators/mdlp-discretizer.ts';
import { OneHotEncoder } from '../../../src/estimators/one-hot-encoder.ts';
import { OrdinalEncoder } from '../../../src/estimators/ordinal-encoder.ts';
import { mutualInfoClassif } from '../../../src/features/mutual-information.ts';
import { chi2, fClassif } from '../../../src/features/scores.ts';
import { markBest, markPercentile } from '../../../src/features/select.ts';
import { expectClose } from '../../close.ts';

// biome-ignore lint/suspicious/noExplicitAny: recorded cases have many shapes, and every test names the one it reads
type Recorded = any;

/** Numbers that JSON cannot write were recorded as words. */
const words: Record<string, number> = { nan: Number.NaN, inf: Infinity, '-inf': -Infinity };
const read = (name: string): Recorded =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'), (_, value) =>
    typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value,
  );
const recorded = read('./fixtures.json');

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const optionsOf = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [camel(name), value])) as never;

describe(`scores of ${recorded.source}`, () => {
  test.each(recorded.scores as Recorded[])('chi-square, F and discrete information, case %#', (item) => {
    const sparse = SparseMatrix.fromRows(
      item.X.map((row: number[]) => row.map((value, j) => [j, value] as const)),
      item.X[0].length,
    );
    for (const X of [item.X, sparse]) {
      const [c, cp] = chi2(X, item.y);
      expectClose(c, item.chi2, 1e-12, 1e-3); // there a constant feature has 4e-30
      expectClose(cp, item.chi2P, 1e-12);
      const [f, fp] = fClassif(X, item.y);
      expectClose(f, item.f, 1e-9, 1e-3); // there F is a difference of sums of squares
      expectClose(fp, item.fP, 1e-9);
      // There the terms cancel to within some 1e-16.
      expectClose(mutualInfoClassif(X, item.y, { discreteFeatures: true }), item.mi, 1e-12, 1e-3);
    }
  });

  test.each(recorded.neighbours as Recorded[])('information of continuous features, case %#', (item) => {
    const options = item.discrete ? { discreteFeatures: item.discrete } : {};
    expectClose(mutualInfoClassif(item.X, item.y, { ...options, nNeighbors: item.k }), item.mi, 1e-6, 1e-9);
  });

  test.each(recorded.selections as Recorded[])(
    'the selected features, case %#',
    ({ scores, k, percentile, support }) => {
      const values = Float64Array.from(scores);
      expect(k === undefined ? markPercentile(values, percentile) : markBest(values, k)).toEqual(support);
    },
  );
});

describe(`bins of ${recorded.source}`, () => {
  test.each(recorded.bins as Recorded[])('edges, codes and middles, case %#: $options', (item) => {
    const model = new KBinsDiscretizer({ encode: 'ordinal', ...(optionsOf(item.options) as object) });
    model.fit(item.X, undefined, item.weights ? { sampleWeight: item.weights } : {});
    // Sums of k-means are rounded in another order there.
    const tolerance = item.options.strategy === 'kmeans' ? 1e-12 : 0;
    model.binEdges.forEach((edges, j) => {
      expectClose(edges, item.edges[j], tolerance);
    });
    expect(Array.from(model.nBins)).toEqual(item.nBins);
    const codes = model.transform(item.new);
    expect(codes.toArray()).toEqual(item.codes);
    expectClose(model.inverseTransform(codes).data, item.inverse.flat(), tolerance);
  });
});

describe(`encoders of ${recorded.source}`, () => {
  test.each(recorded.ordinal as Recorded[])('ordinal codes and back, case %#: $options', (item) => {
    const model = new OrdinalEncoder(optionsOf(item.options)).fit(item.data);
    expect(model.categories).toEqual(item.categories);
    expect(model.transform(item.new).toArray()).toEqual(item.out);
    expect(model.inverseTransform(item.out)).toEqual(item.inverse);
    expect(model.getFeatureNamesOut()).toEqual(item.names);
  });

  test.each(recorded.onehot as Recorded[])('columns of 0 and 1 and back, case %#: $options', (item) => {
    const { feature_name_combiner: _, ...options } = item.options;
    const model = new OneHotEncoder(optionsOf(options)).fit(item.data);
    expect(model.categories).toEqual(item.categories);
    expect(model.transform(item.new).toArray()).toEqual(item.out);
    expect(model.getFeatureNamesOut()).toEqual(item.names);
    expect(model.inverseTransform(item.out)).toEqual(item.inverse);
  });

  test.each(recorded.columns as Recorded[])('columns side by side, case %#', (item) => {
    const model = new ColumnTransformer(
      [
        ['bins', new KBinsDiscretizer({ nBins: 3 }), [2]],
        ['kind', new OneHotEncoder(), [1]],
      ],
      { remainder: item.remainder, sparseThreshold: item.threshold },
    );
    const out = model.fitTransform(item.X);
    expect(out instanceof SparseMatrix).toBe(item.sparse);
    expect(out.toArray()).toEqual(item.out);
    expect(model.getFeatureNamesOut()).toEqual(item.names);
  });
});

describe('the cuts of iris by minimum description length', () => {
  const { millimetres, classes } = read('./iris.json');
  const y = millimetres.map((_: unknown, i: number) => classes[Math.floor(i / 50)]);
  const centimetres = (rows: number[][]) => Matrix.from(rows.map((row) => row.map((value) => value / 10)));
  const published = [
    [5.55, 6.15],
    [2.95, 3.35],
    [2.45, 4.75],
    [0.8, 1.75],
  ];
  const expectCuts = (rows: number[][]) => {
    const { cutPoints } = new MdlpDiscretizer().fit(centimetres(rows), y);
    published.forEach((cuts, j) => {
      expectClose(cutPoints[j], cuts, 1e-15);
    });
  };

  test('are those of Weka on its own copy, whose rows 35 and 38 differ', () => {
    const weka = structuredClone(millimetres);
    weka[34] = [49, 31, 15, 1];
    weka[37] = [49, 31, 15, 1];
    expectCuts(weka);
  });

  test("are the same on scikit-learn's copy", () => {
    expectCuts(millimetres);
  });
});
