import type { ColumnBatch } from './engine.ts';

/** The first columns of a result of texts, complete: for catalog queries. */
export async function textColumns(batches: AsyncIterable<ColumnBatch>, count: number): Promise<string[][]> {
  const columns = Array.from({ length: count }, () => [] as string[]);
  for await (const batch of batches) {
    columns.forEach((column, j) => {
      for (const cell of batch.columns[j]) column.push(String(cell));
    });
  }
  return columns;
}
