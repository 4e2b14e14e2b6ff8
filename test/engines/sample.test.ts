import { expect, test } from 'vitest';
import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import { drawSample } from '../../src/warehouse/sample.ts';
import { openSource } from '../../src/warehouse/source.ts';

const ROWS = 60_000;

test('a sample has every class in proportion, some rows of small classes, and cells as in the table', async () => {
  const engine = await openDuckDb({});
  await engine.execute(
    `CREATE TABLE t AS SELECT CASE WHEN range < 30 THEN 'rare' WHEN range % 4 = 0 THEN 'quarter' ELSE 'rest' END AS label,
      range AS n, CASE WHEN range % 3 = 0 THEN NULL ELSE range % 5 = 0 END AS flag, 'w' || range AS word FROM range(${ROWS})`,
  );
  const opened = await openSource({ engine, table: 't', target: 'label', weight: 'n' });
  const { records, labels, weights, total } = await drawSample(opened);
  expect(total).toBe(ROWS - 1); // a row of weight zero is not there
  const share = (label: string) => labels.filter((own) => own === label).length / 25_000;
  expect(labels.filter((own) => own === 'rare').length).toBeGreaterThanOrEqual(20);
  expect(share('quarter')).toBeCloseTo(0.25, 3);
  expect(share('rest')).toBeCloseTo(0.75, 3);
  const numbers = records.map(({ word }) => Number(String(word).slice(1)));
  expect(new Set(numbers).size).toBe(records.length);
  expect(Array.from(weights ?? [])).toEqual(numbers);
  records.forEach(({ flag }, i) => {
    expect(flag).toBe(numbers[i] % 3 === 0 ? null : numbers[i] % 5 === 0);
  });
  const spread = numbers.reduce((sum, n) => sum + n, 0) / numbers.length / ROWS;
  expect(spread).toBeCloseTo(0.5, 1);
  await engine.close();
});
