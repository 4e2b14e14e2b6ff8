import { readFileSync } from 'node:fs';
import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { compileKernels, kernelModule } from '../../scripts/kernels.ts';
import { parseCsv } from './csv.ts';
import { addLevelCounts, LevelCounter, type LevelCounts, newTableKernels } from './level-counter.ts';
import { rowsOf } from './table.ts';
import { decodeUtf8 } from './utf8.ts';

const encoder = new TextEncoder();
const isUtf8 = (bytes: Uint8Array) => decodeUtf8(bytes.slice()) !== undefined;

const piece = fc.constantFrom(
  'a',
  'bb',
  ',',
  ',',
  '"',
  '""',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '\t',
  'é',
  'longer than eight',
  '',
);
const anything = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));
const cell = fc.constantFrom('', 'a', 'b', '"c"', '"d, ""e"""', '"f\ng"', 'é"', 'longer than eight bytes', '"h" ');
const row = fc.tuple(cell, cell, fc.constantFrom('x', 'y', '"z"')).map((cells) => cells.join(','));
const table = fc.array(row, { minLength: 1, maxLength: 60 }).map((rows) => `${rows.join('\n')}\n`);

/** The rows that the reader of rows sees; undefined where it refuses. */
function rowsByReader(bytes: Uint8Array, columns: number, delimiter: string): string[][] | undefined {
  try {
    return rowsOf(parseCsv(bytes, { header: Array.from({ length: columns }, (_, j) => `c${j}`), delimiter }));
  } catch {
    return undefined;
  }
}

/** The rows that the kernel sees, when the bytes come in two chunks. */
function rowsByKernel(bytes: Uint8Array, columns: number, delimiter: string, cut: number): string[][] | undefined {
  const kernels = newTableKernels()!;
  kernels.askFields(delimiter.charCodeAt(0), columns);
  const at = kernels.take(bytes.length);
  const memory = new Uint8Array(kernels.memory.buffer);
  memory.fill(34, at, at + bytes.length + 64).set(bytes, at);
  const found: string[][] = [];
  const read = (from: number, to: number, last: boolean) => {
    kernels.goToRow(from, to);
    let state = kernels.nextRow(last);
    for (; state === 1; state = kernels.nextRow(last)) {
      const bounds = new Uint32Array(memory.buffer, kernels.fieldBounds(), columns * 2);
      const doubled = new Uint8Array(memory.buffer, kernels.fieldQuotes(), columns);
      const text = (j: number) => decodeUtf8(memory.slice(bounds[2 * j], bounds[2 * j + 1]))!;
      found.push(Array.from(doubled, (twice, j) => (twice ? text(j).replaceAll('""', '"') : text(j))));
    }
    return state;
  };
  const first = read(at, at + cut, false);
  return first === 0 && read(kernels.rowStart(), at + bytes.length, true) === 0 ? found : undefined;
}

describe('rows of a table of text, as bytes', () => {
  check.prop([fc.oneof(anything, table), fc.integer({ min: 1, max: 4 }), fc.constantFrom(',', '\t', ' '), fc.nat()], {
    numRuns: 400,
  })('are those of the reader of rows, and strange where it refuses', (text, columns, delimiter, cut) => {
    const bytes = encoder.encode(text);
    const wanted = rowsByReader(bytes, columns, delimiter);
    expect(rowsByKernel(bytes, columns, delimiter, cut % (bytes.length + 1))).toEqual(wanted);
  });

  test('a NUL, and bytes that are no UTF-8, are strange', () => {
    const plan = { delimiter: ',', columns: 2, target: 1 };
    const count = (...bytes: number[]) => {
      const counter = LevelCounter.of(plan)!;
      counter.reserve(bytes.length).set(bytes);
      return counter.count(bytes.length, true, isUtf8);
    };
    expect(count(97, 44, 98)).toBe(3);
    expect(count(0, 44, 98)).toBe(-1);
    expect(count(0xff, 44, 98)).toBe(-1);
  });
});

/** Counts as entries of a map, whatever their order. */
function entriesOf({ labels, columns }: LevelCounts): Map<string, number> {
  const found = new Map<string, number>();
  columns.forEach(({ levels, counts }, j) => {
    for (const [v, level] of levels.entries()) {
      for (const [c, label] of labels.entries()) {
        const count = counts[v * labels.length + c];
        if (count > 0) found.set(JSON.stringify([j, level, label]), count);
      }
    }
  });
  return found;
}

function countChunks(bytes: Uint8Array, step: number): LevelCounts {
  const counter = LevelCounter.of({ delimiter: ',', columns: 3, target: 2 })!;
  let kept = 0;
  for (let at = 0; at < bytes.length; ) {
    const part = bytes.subarray(at, at + step);
    at += part.length;
    counter.reserve(kept + part.length).set(part, kept);
    const used = counter.count(kept + part.length, at === bytes.length, isUtf8);
    expect(used).toBeGreaterThanOrEqual(0);
    kept += part.length - used;
    counter.reserve(used + kept).copyWithin(0, used, used + kept);
  }
  return counter.counts();
}

check.prop([table, table, fc.integer({ min: 1, max: 200 })])(
  'counts are those of the rows, in any chunks',
  (a, b, step) => {
    const bytes = encoder.encode(a + b);
    const wanted = new Map<string, number>();
    for (const [first, second, label] of rowsByReader(bytes, 3, ',')!) {
      for (const [j, level] of [first, second].entries()) {
        const key = JSON.stringify([j, level, label]);
        wanted.set(key, (wanted.get(key) ?? 0) + 1);
      }
    }
    expect(entriesOf(countChunks(bytes, step))).toEqual(wanted);
    const parts = [a, b].map((text) => countChunks(encoder.encode(text), 1000));
    expect(entriesOf(addLevelCounts(parts))).toEqual(wanted);
  },
);

test('many classes and many levels find room', () => {
  const rows = Array.from({ length: 3000 }, (_, i) => `level ${i},${i % 7},class ${i % 100}`);
  const counts = countChunks(encoder.encode(rows.join('\n')), 1 << 16);
  expect(counts.labels).toHaveLength(100);
  expect(counts.columns[0].levels).toHaveLength(3000);
  expect(entriesOf(counts).get(JSON.stringify([0, 'level 2999', 'class 99']))).toBe(1);
  expect(counts.columns[1].counts.reduce((a, b) => a + b)).toBe(3000);
});

test('what is shipped is what kernels/table.ts says', async () => {
  const shipped = readFileSync(new URL('./table-bytes.ts', import.meta.url), 'utf8');
  expect(kernelModule(await compileKernels('table'), 'table')).toBe(shipped);
});
