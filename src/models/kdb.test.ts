import { describe, expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { count, score } from '../core/model.ts';
import { posterior } from '../core/posterior.ts';
import { type Batch, label } from '../data/batch.ts';
import type { Parents } from '../data/parents.ts';
import { Generator } from '../math/generator.ts';
import { logSumExp } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { contexts } from '../stats/contexts.ts';
import { pairs } from '../stats/pairs.ts';
import { classInformation } from './dependence.ts';
import { kdb } from './kdb.ts';
import { kdbLeaveOneOut } from './kdb-held-out.ts';
import { chooseSubmodel, fitting, informativeParents, submodelLosses } from './kdb-structure.ts';
import { MOST_CONCENTRATION, tablesOf } from './kdb-tables.ts';

/** A row of a plain list: cells, class and weight. */
interface Row {
  readonly x: readonly number[];
  readonly c: number;
  readonly w: number;
}

const CLASSES = 3;
const LEVELS = [2, 3, 2, 4, 3];
const free = { most: MOST_CONCENTRATION };

/** Rows whose columns depend on the class and on each other; whole weights. */
function draw(seed: number, rows: number, gaps = 0): Row[] {
  const random = new Random(seed);
  return Array.from({ length: rows }, () => {
    const c = random.integer(CLASSES);
    const x: number[] = [];
    for (const [j, levels] of LEVELS.entries()) {
      const alone = random.uniform() < 0.4;
      x.push(alone ? random.integer(levels) : (c + (x[j - 1] ?? 0) + (x[j - 2] ?? 0)) % levels);
    }
    return { x: x.map((cell) => (random.uniform() < gaps ? Number.NaN : cell)), c, w: 1 + random.integer(2) };
  });
}

function batchOf(rows: readonly Row[], given?: Parents): Batch {
  const shape = { classes: CLASSES, features: LEVELS.length, levels: Int32Array.from(LEVELS), ...(given && { given }) };
  const x = Float64Array.from(rows.flatMap((row) => [...row.x]));
  const cells = { rows: rows.length, features: LEVELS.length, x };
  return label(cells, shape, Int32Array.from(rows, ({ c }) => c), Float64Array.from(rows, ({ w }) => w)); // biome-ignore format: short
}

const weigh = (rows: readonly Row[]) => rows.reduce((sum, { w }) => sum + w, 0);

/** p(x_j = v | c, parents as in `x`) straight from the definition, with one concentration per number of parents. */
function share(rows: readonly Row[], given: Parents, m: readonly number[], x: readonly number[], c: number, j: number) {
  let p = 1 / LEVELS[j];
  const parents = given[j] ?? [];
  for (let d = 0; d <= parents.length; d++) {
    const first = parents.slice(0, d);
    if (first.some((parent) => Number.isNaN(x[parent]))) break;
    const context = rows.filter(
      (row) => row.c === c && !Number.isNaN(row.x[j]) && first.every((parent) => row.x[parent] === x[parent]),
    );
    const same = context.filter((row) => row.x[j] === x[j]);
    p = (weigh(same) + m[d] * p) / (weigh(context) + m[d]);
  }
  return p;
}

/** ln p(c, x) by summing over all values of missing cells. */
function logJoint(rows: readonly Row[], given: Parents, m: readonly number[], x: readonly number[], c: number): number {
  let all = [[...x]];
  for (let j = 0; j < x.length; j++) {
    if (Number.isNaN(x[j])) all = all.flatMap((own) => Array.from({ length: LEVELS[j] }, (_, v) => own.with(j, v)));
  }
  const logs = all.map((own) =>
    own.reduce((sum, _, j) => sum + (given[j] ? Math.log(share(rows, given, m, own, c, j)) : 0), 0),
  );
  const missing = x.filter((cell, j) => Number.isNaN(cell) && !given[j]);
  const copies =
    missing.length === 0 ? 1 : all.length / new Set(all.map((own) => own.filter((_, j) => given[j]).join())).size;
  const prior = weigh(rows.filter((row) => row.c === c)) / weigh(rows);
  return Math.log(prior) + logSumExp(Float64Array.from(logs)) - Math.log(copies);
}

const structures: Record<string, Parents> = {
  'no parents': [[], [], [], [], []],
  'one parent': [[], [0], [1], [2], [2]],
  'three parents and a column that is left out': [[3], null, [0, 3], [], [2, 0, 3]],
};

describe.each(Object.entries(structures))('under %s', (_, given) => {
  test.each([0, 0.15])('scores follow from the definition, with a share of %d of the cells missing', (gaps) => {
    const rows = draw(1, 60, gaps);
    const params = kdb.estimate(count(contexts, batchOf(rows, given)), { concentration: 1.5 });
    const asked = draw(2, 20, gaps);
    const scores = score(kdb, params, batchOf(asked));
    const m = [1.5, 1.5, 1.5, 1.5];
    const expected = asked.flatMap(({ x }) => [0, 1, 2].map((c) => logJoint(rows, given, m, x, c)));
    expectClose(scores, expected, 1e-11, 1);
  });

  test.each([0, 0.15])(
    'leave-one-out is the model of the other rows, with a share of %d of the cells missing',
    (gaps) => {
      const rows = draw(3, 30, gaps);
      const options = { concentration: 0.7 };
      const out = new Float64Array(rows.length * CLASSES);
      kdbLeaveOneOut(count(contexts, batchOf(rows, given)), options, batchOf(rows, given), out);
      rows.forEach((row, i) => {
        const others = kdb.estimate(count(contexts, batchOf(rows.toSpliced(i, 1), given)), options);
        expectClose(out.slice(i * CLASSES, (i + 1) * CLASSES), score(kdb, others, batchOf([row])), 1e-11, 1);
      });
    },
  );

  test('concentrations have the highest leave-one-out likelihood, one depth after another', () => {
    const rows = draw(4, 80).map((row) => ({ ...row, w: 1 }));
    const tables = tablesOf(count(contexts, batchOf(rows, given)), free);
    for (const [j, { depths, parents }] of tables.entries()) {
      for (let d = 0; d <= parents.length; d++) {
        const chosen = depths.map(({ concentration }) => concentration);
        const only = given.map((_own, k) => (k === j ? parents.slice(0, d) : []));
        const likelihood = (m: number) =>
          rows.reduce((sum, { x, c }, i) => {
            return sum + Math.log(share(rows.toSpliced(i, 1), only, chosen.with(d, m), x, c, j));
          }, 0);
        const found = likelihood(chosen[d]);
        expect(chosen[d]).toBeGreaterThanOrEqual(LEVELS[j]);
        for (let m = LEVELS[j]; m < 1e6; m *= 3) expect(likelihood(m)).toBeLessThanOrEqual(found + 1e-3);
      }
    }
  });
});

test('the order is that of information on the class, and parents have the most information on the column given the class, less chance', () => {
  const rows = draw(5, 200);
  const share_ = (some: readonly Row[]) => weigh(some) / weigh(rows);
  const range = (size: number) => Array.from({ length: size }, (_, v) => v);
  const aboutClass = LEVELS.map((levels, j) => {
    const terms = range(levels).flatMap((v) =>
      range(CLASSES).map((c) => {
        const p = share_(rows.filter((row) => row.x[j] === v && row.c === c));
        const q = share_(rows.filter((row) => row.x[j] === v)) * share_(rows.filter((row) => row.c === c));
        return p > 0 ? p * Math.log(p / q) : 0;
      }),
    );
    return terms.reduce((sum, term) => sum + term, 0);
  });
  const mutual = (j: number, k: number) =>
    range(CLASSES)
      .flatMap((c) =>
        range(LEVELS[j]).flatMap((u) =>
          range(LEVELS[k]).map((v) => {
            const own = rows.filter((row) => row.c === c);
            const both = own.filter((row) => row.x[j] === u && row.x[k] === v);
            const [a, b] = [own.filter((row) => row.x[j] === u), own.filter((row) => row.x[k] === v)];
            return both.length > 0 ? share_(both) * Math.log((weigh(both) * weigh(own)) / (weigh(a) * weigh(b))) : 0;
          }),
        ),
      )
      .reduce((sum, term) => sum + term, 0);
  const present = (j: number, c: number) => new Set(rows.filter((row) => row.c === c).map((row) => row.x[j])).size;
  const chance = (j: number, k: number) =>
    range(CLASSES).reduce((sum, c) => sum + (present(j, c) - 1) * (present(k, c) - 1), 0) / (2 * weigh(rows));
  const corrected = (j: number, k: number) => mutual(j, k) - chance(j, k);
  const order = range(LEVELS.length).sort((a, b) => aboutClass[b] - aboutClass[a]);
  const found = informativeParents(count(pairs, batchOf(rows)), 2);
  expect([...found.order]).toEqual(order);
  order.forEach((j, place) => {
    const expected = order.slice(0, place).sort((a, b) => corrected(j, b) - corrected(j, a));
    expect(found.parents[j]).toEqual(expected.slice(0, 2));
  });
});

test('a drawn order starts with informative columns, ends with those that say nothing, and has parents before children', () => {
  const rows = draw(9, 200).map((row) => ({ ...row, x: row.x.with(2, 0) })); // the third column is constant
  const counts = count(pairs, batchOf(rows));
  const drawn = Array.from({ length: 500 }, (_, seed) => informativeParents(counts, 2, new Generator(seed)));
  expect(new Set(drawn.map(({ order }) => order.join())).size).toBeGreaterThan(5);
  const information = classInformation(counts);
  const total = information.reduce((sum, nats) => sum + nats, 0);
  for (const j of LEVELS.keys()) {
    const drawnFirst = drawn.filter(({ order }) => order[0] === j).length / drawn.length;
    expect(Math.abs(drawnFirst - information[j] / total)).toBeLessThan(0.08); // 3.6 standard deviations at most
  }
  for (const { order, parents } of drawn) {
    expect(order[LEVELS.length - 1]).toBe(2);
    expect([...order].sort()).toEqual([...LEVELS.keys()]);
    for (const [place, j] of order.entries()) {
      for (const parent of parents[j]) expect(order.indexOf(parent)).toBeLessThan(place);
    }
  }
});

describe('submodels', () => {
  const rows = draw(6, 40);
  const batch = batchOf(rows);
  const structure = informativeParents(count(pairs, batch), 3);
  const stats = count(contexts, { ...batch, given: structure.parents });
  const prefix = (k: number, columns: number): Parents => {
    const used = new Set(structure.order.subarray(0, columns));
    return structure.parents.map((own, j) => (used.has(j) ? own.slice(0, k) : null));
  };

  test('the loss of every submodel is that of models counted without each row', () => {
    const bounds = [0.5, 2];
    const losses = submodelLosses(tablesOf(stats, 8), structure.order, stats.n, { k: 3, bounds }, batch);
    let at = 0;
    for (const concentration of bounds) {
      for (let k = 0; k <= 3; k++) {
        for (let columns = 1; columns <= LEVELS.length; columns++) {
          const given = prefix(k, columns);
          const expected = rows.reduce((sum, row, i) => {
            const others = kdb.estimate(count(contexts, batchOf(rows.toSpliced(i, 1), given)), { concentration });
            const { logProba } = posterior(score(kdb, others, batchOf([row])), kdb.logPrior(others));
            return sum - row.w * logProba[row.c];
          }, 0);
          expect(losses[at++]).toBeCloseTo(expected, 8);
        }
      }
    }
  });

  test('the one that is chosen is within the tolerance of the best, and none smaller is', () => {
    const choices = { depth: true, features: true, concentration: 2 };
    const { given, loss = Number.NaN } = chooseSubmodel(structure, choices, batch);
    const losses = submodelLosses(tablesOf(stats, 2), structure.order, stats.n, { k: 3, bounds: [2] }, batch);
    const perRow = Array.from(losses, (own) => own / weigh(rows));
    expect(loss).toBeCloseTo(Math.min(...perRow), 12);
    const first = perRow.findIndex((own) => own <= Math.min(...perRow) + 1e-4);
    expect(given).toEqual(prefix(Math.floor(first / LEVELS.length), (first % LEVELS.length) + 1));
  });

  test('without a choice the structure stays as it is', () => {
    const choices = { depth: false, features: false, concentration: 2 };
    expect(chooseSubmodel(structure, choices, batch)).toEqual({ given: structure.parents, concentration: 2 });
  });
});

test('parents beyond those whose combinations have exact codes are left out', () => {
  const shape = { classes: 1, features: 6, levels: new Int32Array(6).fill(1000) };
  expect(fitting(shape, 5, [0, 1, 2, 3, 4])).toEqual([0, 1, 2, 3]); // 1001⁵ · 1000 is above 2⁵³
  expect(fitting({ ...shape, levels: new Int32Array(6).fill(400) }, 5, [0, 1, 2, 3, 4])).toEqual([0, 1, 2, 3, 4]);
});

test('a column drawn from the model has the shares that it gives', () => {
  const rows = draw(7, 100);
  const params = kdb.estimate(count(contexts, batchOf(rows, structures['one parent'])), { concentration: 1 });
  const random = new Random(8);
  const drawn = Array.from({ length: 4000 }, () => {
    const row = new Float64Array(LEVELS.length);
    kdb.sample(params, 1, random as never, row);
    return row;
  });
  const both = drawn.filter((row) => row[0] === 1 && row[1] === 2).length / drawn.filter((row) => row[0] === 1).length;
  const expected = share(rows, structures['one parent'], [1, 1], [1, 2, 0, 0, 0], 1, 1);
  expect(both).toBeCloseTo(expected, 1);
});
