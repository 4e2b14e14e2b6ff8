import { afterAll, beforeAll, expect, test } from 'vitest';
import { duckdb, makeTable } from '../../../test/duckdb.ts';
import { Random } from '../../math/random.ts';
import type { Line, Plan, PlanCurve, PlanScore } from '../plan.ts';
import { runPlan } from '../run-plan.ts';
import { toSql } from '../sql.ts';

type Connection = Awaited<ReturnType<typeof duckdb>>;
let connection: Connection;
beforeAll(async () => void (connection = await duckdb()));
afterAll(() => connection.closeSync());

const random = new Random(7);
const number = (scale = 1) => scale * (2 * random.uniform() - 1);
const numbers = (n: number, scale = 1) => Float64Array.from({ length: n }, () => number(scale));
const rising = (n: number, from: number, to: number) =>
  Float64Array.from({ length: n }, () => from + (to - from) * random.uniform()).sort();
const line = (from: number, to: number): Line => ({ x: rising(5, from, to), y: rising(5, 0, 1) });

const CLASSES = 3;
const linear = (classes = CLASSES, scale = 3): PlanScore => ({
  op: 'sum',
  start: numbers(classes),
  terms: [{ op: 'linear', vector: 0, weights: numbers(2 * classes, scale) }],
});
const posterior = (of: PlanScore): PlanScore => ({
  op: 'posterior',
  of,
  prior: Float64Array.of(-1, -1, -1),
  impossible: 'prior',
  sum: 'together',
});

function planWith(score: PlanScore, classes: readonly string[]): Plan {
  const input = {
    kind: 'number',
    name: 'x',
    column: 0,
    width: 2,
    list: false,
    least: -1e9,
    most: 1e9,
    bits: false,
    missing: 'refuse',
    lenient: false,
  } as const;
  return {
    format: 'polya/plan@1',
    model: 'by hand',
    classes,
    row: 'list',
    inputs: [input],
    vectors: [{ op: 'inputs', inputs: [0], width: 2 }],
    score,
  };
}

const curves: Record<string, PlanCurve> = {
  sigmoid: { method: 'sigmoid', a: Float64Array.of(-4, -2, -30), b: Float64Array.of(1, 0.5, 0) },
  isotonic: {
    method: 'isotonic',
    lines: [line(0, 1), line(0, 1), { x: Float64Array.of(0.2, 0.6), y: Float64Array.of(0, 0) }],
  },
  temperature: { method: 'temperature', beta: 0.4 },
};

const scores: Record<string, () => PlanScore> = {
  add: () => posterior({ op: 'add', start: numbers(3), parts: [{ of: linear(), less: numbers(3) }, { of: linear(), less: null }] }), // biome-ignore format: one line
  either: () => posterior({ op: 'either', first: linear(), second: linear(), needed: Uint8Array.of(1, 1, 1) }),
  place: () => posterior({ op: 'place', of: linear(2), places: Int32Array.of(2, 0), classes: 3, fill: -Infinity }),
  soften: () => ({ op: 'pool', members: [{ op: 'soften', of: posterior(linear(3, 900)), least: -50, tail: 4, share: null, unmet: Uint8Array.of(0, 0, 1), unmetScore: -20 }], weights: Float64Array.of(0.7), bias: numbers(3), share: null }), // biome-ignore format: one line
  pool: () => ({
    op: 'pool',
    members: [posterior(linear()), posterior(linear())],
    weights: Float64Array.of(0.3, 1.2),
    bias: numbers(3),
    share: null,
  }),
  platt: () => ({ op: 'platt', of: linear(3, 40), a: Float64Array.of(-1.5, -0.2, -3), b: numbers(3) }),
  ...Object.fromEntries(
    Object.entries(curves).map(([name, curve]) => [
      `calibrated by ${name}`,
      () => ({ op: 'calibrated', members: [{ of: posterior(linear()), over: 'probabilities', curve }, { of: posterior(linear(3, 300)), over: 'probabilities', curve }] }) as PlanScore, // biome-ignore format: one line
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(curves).map(([name, curve]) => [
      `curve by ${name}`,
      () => ({ op: 'curve', of: posterior(linear(3, 8)), curve, floor: 1e-3, share: null }) as PlanScore,
    ]),
  ),
  'calibrated scores': () => ({
    op: 'calibrated',
    members: [{ of: linear(3, 500), over: 'scores', curve: curves.temperature }],
  }),
};

async function expectPlan(plan: Plan): Promise<void> {
  const rows = [[0, 0], [1, 0], [0, -1], [1000, 1000], ...Array.from({ length: 30 }, () => [number(5), number(5)])]; // biome-ignore format: rows
  await makeTable(connection, 't', { x0: 'DOUBLE', x1: 'DOUBLE' }, rows);
  const { select } = toSql(plan, { dialect: 'duckdb', table: 't', key: 'key' });
  const answers = (await connection.runAndReadAll(`${select} ORDER BY 1`)).getRows();
  const expected = runPlan(plan, rows);
  rows.forEach((row, i) => {
    expected.row(i).forEach((log, c) => {
      const p = answers[i][2 + c];
      if (!(typeof p === 'number' && Math.abs(p - Math.exp(log)) <= 1e-9)) {
        expect.fail(`row ${row}, class ${c}: ${p} is not ${Math.exp(log)}`);
      }
    });
  });
}

test.each(Object.entries(scores))('%s means in DuckDB what it means in the plan', async (_, make) => {
  for (let k = 0; k < 5; k++) await expectPlan(planWith(make(), ['a', 'b', 'c']));
});

test('two classes with one curve for the second', async () => {
  const of = linear(2, 30);
  const curve: PlanCurve = { method: 'sigmoid', a: Float64Array.of(-0.7), b: Float64Array.of(0.1) };
  await expectPlan(planWith({ op: 'calibrated', members: [{ of, over: 'scores', curve }] }, ['no', 'yes']));
  const shares: PlanScore = { op: 'posterior', of: linear(2, 8), prior: null, impossible: 'prior', sum: 'apart' };
  await expectPlan(planWith({ op: 'curve', of: shares, curve, floor: 1e-4, share: null }, ['no', 'yes']));
  await expectPlan(
    planWith(
      { op: 'curve', of: shares, curve: { method: 'isotonic', lines: [line(-5, 5)] }, floor: 1e-4, share: null },
      ['no', 'yes'],
    ),
  );
  const lines: PlanCurve = { method: 'isotonic', lines: [line(-3, 3)] };
  await expectPlan(planWith({ op: 'calibrated', members: [{ of, over: 'scores', curve: lines }] }, ['no', 'yes']));
});

test('a sum of two thousand terms is not too deep', async () => {
  const width = 2000;
  const weights = numbers(2 * width, 0.01);
  const score = posterior({ op: 'sum', start: numbers(2), terms: [{ op: 'linear', vector: 1, weights }] });
  const plan: Plan = {
    ...planWith(score, ['a', 'b']),
    vectors: [
      { op: 'inputs', inputs: [0], width: 2 },
      { op: 'pick', from: 0, columns: Uint32Array.from({ length: width }, (_, j) => j % 2), width },
    ],
  };
  await expectPlan({
    ...plan,
    score: { ...(score as Extract<PlanScore, { op: 'posterior' }>), prior: Float64Array.of(-0.7, -0.7) },
  });
});
