import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { count, type ExactStats, type Moves, type Statistic } from '../../src/core/model.ts';
import { type Batch, type Shape, toSparse } from '../../src/data/batch.ts';
import { toPlanes } from '../../src/stats/exact.ts';
import { statistics } from '../../src/stats/index.ts';
import { type Moments, meanAt, varianceAt } from '../../src/stats/moments.ts';
import { centred, type Quartic } from '../../src/stats/quartic.ts';
import { meanVector, type Scatter, scatterMatrix } from '../../src/stats/scatter.ts';
import { batches, type CellKind, cut, reorder } from '../batches.ts';
import { expectClose } from '../close.ts';

const kindOf: Record<string, CellKind> = {
  sums: 'counts',
  histogram: 'levels',
  pairs: 'levels',
  bursts: 'counts',
  contexts: 'levels',
  'contexts of two parents': 'levels',
};
/** Statistics of rows with missing cells, whatever their options. */
const gapped = { missing: true };
const gapsOf: Record<string, typeof gapped> = { gappedScatter: gapped };
/** Values in the context of the two features before them. */
const underParents = (statistic: Statistic<Shape>): Statistic<Shape> => {
  const previous = ({ features }: Shape) =>
    Array.from({ length: features }, (_, j) => [j - 1, j - 2].filter((parent) => parent >= 0));
  const bound = <S extends Pick<Statistic<Shape>, 'empty' | 'add' | 'reshape'>>(own: S): S => ({
    ...own,
    empty: (shape: Shape) => own.empty({ ...shape, given: previous(shape) }),
    add: (stats: Shape, batch: Batch) => own.add(stats, { ...batch, given: previous(batch) }),
    reshape: (stats: Shape, shape: Shape, moves: Moves) =>
      own.reshape(stats, { ...shape, given: previous(shape) }, moves),
  });
  return { ...bound(statistic), exact: bound(statistic.exact as never) as never };
};
const all: Record<string, Statistic<Shape>> = {
  ...statistics,
  'contexts of two parents': underParents(statistics.contexts),
};

/** The meaning of a statistic, independent of its representation: a shift is arbitrary, means and spreads are not. */
function reading(name: string, stats: Shape): Record<string, Float64Array> {
  const { classes, features } = stats;
  const cells = (at: (c: number, j: number) => number) =>
    Float64Array.from({ length: classes * features }, (_, k) => at(Math.floor(k / features), k % features));
  if (name === 'moments') {
    const m = stats as Moments;
    return { n: m.n, m: m.m, mean: cells((c, j) => meanAt(m, c, j)), spread: cells((c, j) => varianceAt(m, c, j)) };
  }
  if (name === 'scatter' || name === 'gappedScatter') {
    const s = stats as Scatter;
    const flat = (part: (c: number) => Float64Array) =>
      Float64Array.from(Array.from({ length: classes }, (_, c) => [...part(c)]).flat());
    const spread = flat((c) => scatterMatrix(s, c));
    return { n: s.n, ...(s.m && { m: s.m }), mean: flat((c) => meanVector(s, c)), spread };
  }
  if (name === 'quartic') {
    const { n, s3, s4 } = centred(stats as Quartic);
    return { ...reading('scatter', stats), n, 'spread of third order': s3, 'spread of fourth order': s4 };
  }
  const own = all[name].toArrays?.(stats);
  if (own) return Object.fromEntries(Object.entries(own).map(([key, { data }]) => [key, Float64Array.from(data)]));
  const arrays = Object.entries(stats).filter(([, value]) => value instanceof Float64Array);
  return Object.fromEntries(arrays) as Record<string, Float64Array>;
}

/** The magnitude of the sums: values reach 100, squares 10⁴ · Σw, and so on. */
const sizeOf = (key: string) =>
  key.includes('fourth') ? 4e9 : key.includes('third') ? 4e7 : key.includes('spread') ? 4e5 : 100;

/** Counts agree to the bit, moments within 1e-12 of the magnitude of the sums. */
function expectSame(name: string, actual: Shape, expected: Shape): void {
  const [a, b] = [reading(name, actual), reading(name, expected)];
  expect(Object.keys(a)).toEqual(Object.keys(b));
  for (const key of Object.keys(a)) {
    if (/mean|spread/.test(key)) expectClose(a[key], b[key], 1e-12, sizeOf(key));
    else expect(a[key], key).toEqual(b[key]);
  }
}

for (const [name, statistic] of Object.entries(all)) {
  const any = batches(kindOf[name] ?? 'reals', gapsOf[name]);

  describe(name, () => {
    test.prop([any, fc.nat()])('counting two parts and merging them equals counting all rows', (batch, where) => {
      const [left, right] = cut(batch, where);
      const merged = count(statistic, left);
      statistic.merge(merged, count(statistic, right));
      expectSame(name, merged, count(statistic, batch));
    });

    test.prop([any, fc.nat()])('merging is commutative and the empty statistic is its identity', (batch, where) => {
      const [left, right] = cut(batch, where);
      const ab = count(statistic, left);
      statistic.merge(ab, count(statistic, right));
      const ba = count(statistic, right);
      statistic.merge(ba, count(statistic, left));
      expectSame(name, ab, ba);
      const same = statistic.empty(batch);
      statistic.merge(same, ab);
      expectSame(name, same, ab);
      statistic.merge(same, statistic.empty(batch));
      expectSame(name, same, ab);
    });

    test.prop([any, fc.nat()])('subtracting a part leaves the statistic of the other part', (batch, where) => {
      const [left, right] = cut(batch, where);
      const rest = count(statistic, batch);
      statistic.subtract(rest, count(statistic, right));
      expectSame(name, rest, count(statistic, left));
    });

    test.prop([any.filter((batch) => batch.rows > 0)])('subtracting more than was counted is an error', (batch) => {
      const stats = count(statistic, batch);
      const before = structuredClone(stats);
      const tooMuch = count(statistic, batch);
      statistic.merge(tooMuch, count(statistic, batch));
      expect(() => statistic.subtract(stats, tooMuch)).toThrow(
        expect.objectContaining({ code: 'E_UNLEARN_UNDERFLOW' }),
      );
      expect(stats).toEqual(before);
    });

    test.prop([any])('weight two equals the row twice', (batch) => {
      const twice = reorder(batch, [...batch.y.keys(), ...batch.y.keys()]);
      expectSame(name, count(statistic, { ...batch, w: batch.w.map((w) => 2 * w) }), count(statistic, twice));
    });

    test.prop([any])('scaling by a half twice equals a quarter of every weight', (batch) => {
      const stats = count(statistic, batch);
      statistic.scale(stats, 0.5);
      statistic.scale(stats, 0.5);
      expectSame(name, stats, count(statistic, { ...batch, w: batch.w.map((w) => w / 4) }));
    });

    test.prop([any])('moving classes equals counting them under their new numbers', (batch) => {
      const place = Int32Array.from({ length: batch.classes }, (_, c) => 2 * (batch.classes - c) - 1);
      const classes = 2 * batch.classes;
      const moved = statistic.reshape(count(statistic, batch), { ...shape(batch), classes }, { classes: place });
      expectSame(name, moved, count(statistic, { ...batch, classes, y: batch.y.map((c) => place[c]) }));
    });

    if (statistic.sparse) {
      test.prop([any])('sparse rows give the same counts', (batch) => {
        expect(count(statistic, { ...shape(batch), y: batch.y, w: batch.w, ...toSparse(batch) })).toEqual(
          count(statistic, batch),
        );
      });
    }

    exactTwin(name, statistic);
  });
}

function shape({ classes, features, levels, missing }: Shape): Omit<Shape, 'parts'> {
  return { classes, features, ...(levels && { levels }), ...(missing && { missing }) };
}

function exactTwin(name: string, statistic: Statistic<Shape>): void {
  const twin = statistic.exact as unknown as Statistic<Shape>;
  const round = (stats: Shape) => statistic.exact.round(stats as ExactStats);
  const anyWeights = batches(kindOf[name] ?? 'reals', {
    ...gapsOf[name],
    weights: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
  });
  const planes = (stats: Shape): unknown => {
    if (stats.parts) return Object.values(stats.parts).map(planes);
    if (twin.toArrays) return twin.toArrays(stats);
    return Object.values((stats as ExactStats).cells).map(toPlanes);
  };
  const inOrders = anyWeights.chain((batch) =>
    fc.tuple(fc.constant(batch), fc.shuffledSubarray([...batch.y.keys()], { minLength: batch.rows }), fc.nat()),
  );

  test.prop([inOrders])(
    'in exact arithmetic every order and partition gives the same bits',
    ([batch, order, where]) => {
      const stats = count(twin, batch);
      const [left, right] = cut(reorder(batch, order), where);
      const merged = count(twin, right);
      twin.merge(merged, count(twin, left));
      expect(planes(merged)).toEqual(planes(stats));
      twin.subtract(merged, count(twin, left));
      expect(planes(merged)).toEqual(planes(count(twin, right)));
    },
  );

  test.prop([batches(kindOf[name] ?? 'counts', gapsOf[name])])('exact and plain arithmetic agree', (batch) => {
    expectSame(name, round(count(twin, batch)), count(statistic, batch));
    const scaled = count(twin, batch);
    twin.scale(scaled, 0.25);
    expectSame(name, round(scaled), count(statistic, { ...batch, w: batch.w.map((w) => w / 4) }));
  });

  test.prop([batches(kindOf[name] ?? 'reals', gapsOf[name])])(
    'subtracting more than was counted is an error in exact arithmetic',
    (batch) => {
      fc.pre(batch.rows > 0);
      const more: Batch = { ...batch, w: batch.w.map((w) => w + 1) };
      expect(() => twin.subtract(count(twin, batch), count(twin, more))).toThrow(
        expect.objectContaining({ code: 'E_UNLEARN_UNDERFLOW' }),
      );
    },
  );
}
