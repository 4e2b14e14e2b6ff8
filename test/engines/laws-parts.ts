import { expect, test } from 'vitest';
import { classifierFromEngine } from '../../src/warehouse/classifier.ts';
import { classifierFromPartitions, type PartitionStore, type StoredPartition } from '../../src/warehouse/partitions.ts';
import type { Bench } from './law-tools.ts';
import type { TestTable } from './load.ts';

const rowsOf = (day: string, rows: number): TestTable['rows'] =>
  Array.from({ length: rows }, (_, i) => [i, day, i % 3 ? 'a' : 'b', ((i * 7) % 11) / 4, i % 5 ? `v${i % 3}` : null]);

const table: TestTable = {
  columns: [
    ['id', 'integer'],
    ['day', 'text'],
    ['label', 'text'],
    ['x', 'real'],
    ['c', 'text'],
  ],
  rows: ['mon', "tue's"].flatMap((day, k) => rowsOf(day, 30 + k)),
};

function memoryStore(): PartitionStore {
  let index: { settings: string; partitions: readonly StoredPartition[] } | undefined;
  const bytes = new Map<string, Uint8Array>();
  const key = ({ value, version }: StoredPartition) => `${value}:${version}`;
  return {
    list: async () => index,
    read: async (own) => bytes.get(key(own)) as Uint8Array,
    write: async (own, content) => void bytes.set(key(own), content),
    commit: async (settings, partitions) => {
      index = { settings, partitions };
    },
  };
}

/** Tables are counted partition by partition, and conditions are evaluated by the engine. */
export function partLaws({ under }: Bench): void {
  test('partitions add up to the table, and only changed ones are counted again', async ({ skip }) => {
    if (under().countsOnly) skip('not supported by the old release');
    const { engine, load, oneScan } = under();
    const name = await load('parts', table);
    const state = memoryStore();
    const source = { engine, table: name, target: 'label', features: ['x', 'c'], oneScan };
    const statuses = async () => {
      const { partitions, model } = await classifierFromPartitions({ ...source, partitionBy: 'day', state });
      const whole = await classifierFromEngine(source, { model: 'mixed' });
      for (const row of [
        { x: 1, c: 'v0' },
        { x: 2.5, c: null },
      ]) {
        expect(model.predictProba([row]).at(0, 0)).toBeCloseTo(whole.predictProba([row]).at(0, 0), 12);
      }
      return partitions.map(({ value, status }) => `${value} ${status}`);
    };
    expect(await statuses()).toEqual(['mon counted', "tue's counted"]);
    expect(await statuses()).toEqual(['mon unchanged', "tue's unchanged"]);
    const rows = (await classifierFromEngine({ ...source, where: { day: "tue's" } }, { model: 'mixed' })).report()
      .schema.rows;
    expect(rows).toBe(31);
    await load('parts', { ...table, rows: [...table.rows, ...rowsOf('mon', 2)] });
    expect(await statuses()).toEqual(['mon counted', "tue's unchanged"]);
  });
}
