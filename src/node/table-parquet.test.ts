import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DataRow } from '../data/cells.ts';
import type { PolyaError } from '../errors.ts';
import { type OpenTableOptions, openTable, readTable, type TableSource } from '../node.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'polya-table-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function refusal(source: TableSource, options: OpenTableOptions = {}) {
  const error = await readTable(source, options).then(
    () => expect.fail('it was read'),
    (error: PolyaError) => error,
  );
  return { code: error.code, message: error.message, ...error.details };
}

const plain = (rows: readonly DataRow[]) => rows.map((row) => ({ ...row }));

test('Parquet is read by row groups, from a file, from bytes and from gzip, completely or by columns', async () => {
  const data = Array.from({ length: 2500 }, (_, i) => i);
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'id', data: data.map(BigInt), type: 'INT64' },
        { name: 'x', data: data.map((i) => (i % 7 === 0 ? null : i / 2)), type: 'DOUBLE', nullable: true },
        { name: 'label', data: data.map((i) => (i % 2 ? 'ham' : 'spam')), type: 'STRING' },
        { name: 'big', data: data.map((i) => 2n ** 60n + BigInt(i)), type: 'INT64' },
        { name: 'when', data: data.map((i) => new Date(i)), type: 'TIMESTAMP' },
      ],
      rowGroupSize: 1000,
    }),
  );
  const path = await put('data.csv', bytes);
  for (const source of [path, bytes, gzipSync(bytes)]) {
    const table = await readTable(source, { batchRows: 300 });
    expect([table.format, table.rows.length, table.columns]).toEqual([
      'parquet',
      2500,
      ['id', 'x', 'label', 'big', 'when'],
    ]);
    expect(plain(table.rows)[1777]).toEqual({
      id: 1777,
      x: 888.5,
      label: 'ham',
      big: String(2n ** 60n + 1777n),
      when: new Date(1777),
    });
    expect(table.rows[7]!.x).toBe(null);
    expect(table.lines[2499]).toBe(2500);
  }
  const sizes: number[] = [];
  const open = await openTable(path, { batchRows: 300, columns: ['label', 'id'] });
  for await (const rows of open.batches()) sizes.push(rows.length);
  expect(sizes).toEqual([300, 300, 300, 100, 300, 300, 300, 100, 300, 200]);
  expect(open.bytesRead).toBeLessThanOrEqual(open.bytesTotal!);
  for (const damaged of [
    bytes.subarray(0, 1000),
    Buffer.from('PAR1PAR1'),
    Buffer.concat([bytes.subarray(0, -20), bytes.subarray(-8)]),
  ]) {
    expect(await refusal(damaged)).toMatchObject({ code: 'E_FORMAT' });
  }
  expect(await refusal(path, { columns: ['none'] })).toMatchObject({ code: 'E_FEATURE_MISSING', file: 'data.csv' });
});

test('every bit flip of a Parquet file gives rows or a PolyaError', async () => {
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'a', data: ['x', 'y', 'z'], type: 'STRING' },
        { name: 'b', data: [1, 2, 3], type: 'INT32' },
      ],
    }),
  );
  for (let bit = 32; bit < 8 * bytes.length; bit += 5) {
    const flipped = bytes.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    await readTable(flipped).catch((error: PolyaError) =>
      expect(['E_FORMAT', 'E_LIMIT', 'E_EMPTY_INPUT', 'E_ENCODING']).toContain(error.code),
    );
  }
});
