import { expect, test } from 'vitest';
import { duckdb, makeTable, type SqlCell, scoreTable } from '../../../test/duckdb.ts';
import { run } from '../../../test/exchange/onnx.ts';
import { CategoricalNB, Classifier, makePipeline, OrdinalEncoder, PoissonNB } from '../../index.ts';
import { type Exportable, planOf } from '../plan-of.ts';
import { runPlan } from '../run-plan.ts';
import { toOnnx } from '../to-onnx.ts';

const counts = Array.from({ length: 60 }, (_, i) => [(i * 7) % (3 + (i % 2)), i % 3]);
const labels = counts.map((_, i) => (i % 2 ? 'a' : 'b'));
const records = counts.map(([visits, calls], i) => ({ visits, calls, class: labels[i] }));
const coded = new OrdinalEncoder({ handleUnknown: 'use_encoded_value', unknownValue: 9 });
const scaled = counts.map(([x, y]) => [10 * x - 5, y / 4]);

type Rows = readonly (readonly number[])[];

const cases: readonly { name: string; model: Exportable; fine: Rows; refused: Rows }[] = [
  {
    name: 'counts',
    model: new PoissonNB().fit(counts, labels),
    fine: [[1, 2], [2, 0]], // biome-ignore format: rows
    refused: [[-1, 2], [0, Number.NaN], [0, Infinity]], // biome-ignore format: rows
  },
  {
    name: 'counts of records',
    model: Classifier.fit(records, { target: 'class', model: 'poisson', evaluate: false }),
    fine: [[1, 2], [0, Number.NaN], [2, 0]], // biome-ignore format: rows
    refused: [[-1, 2]],
  },
  {
    name: 'levels that are whole numbers',
    model: new CategoricalNB({ unknown: 'error' }).fit(counts, labels),
    fine: [[1, 2], [0, 0]], // biome-ignore format: rows
    refused: [[1, 7]],
  },
  {
    name: 'levels that are listed numbers',
    model: makePipeline(coded, new PoissonNB()).fit(scaled, labels),
    fine: [[5, 0.25], [-5, 0.5], [6, 0], [-50, 99]], // biome-ignore format: rows
    refused: [],
  },
];

test.each(cases)('$name: SQL and ONNX answer what the plan answers, and refuse what it refuses', async (own) => {
  const { model, fine, refused } = own;
  const plan = planOf(model);
  for (const row of refused) expect(() => runPlan(plan, [row])).toThrow();
  const rows = [...fine, ...refused];
  const connection = await duckdb();
  await makeTable(connection, 't', { a: 'DOUBLE', b: 'DOUBLE' }, rows as SqlCell[][]);
  const { probabilities } = await scoreTable(connection, model, { columns: ['a', 'b'] });
  connection.closeSync();
  const named = rows.map(([visits, calls]) => (plan.row === 'record' ? { visits, calls } : [visits, calls]));
  const graph = await run(toOnnx(model), plan, named);
  const data = Array.from(graph.probabilities.data as Float64Array);
  rows.forEach((row, i) => {
    const expected = i < fine.length ? Array.from(runPlan(plan, [row]).row(0), Math.exp) : undefined;
    for (const found of [probabilities[i], data.slice(2 * i, 2 * i + 2)]) {
      if (!expected) expect(found.every((p) => p === null || Number.isNaN(p))).toBe(true);
      expected?.forEach((p, c) => void expect(Math.abs((found[c] as number) - p)).toBeLessThanOrEqual(1e-9));
    }
  });
});
