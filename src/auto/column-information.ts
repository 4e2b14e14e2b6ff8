import { requireItems, requireKind, requireLike } from '../data/arguments.ts';
import { cellOf, type DataRow, isBlank } from '../data/cells.ts';
import { type ColumnTable, RecordTable } from '../data/column-table.ts';
import { levelTable } from '../features/level-table.ts';
import { type Counted, tableInformation } from '../features/rank.ts';
import { columnFeatures, readColumn, requireRecords, type SchemaColumn } from './schema.ts';

/** How often each level of the features of a column occurs in each class; numbers are cut into ranges by description length. */
export function countColumn(table: ColumnTable, column: SchemaColumn, codes: Int32Array, classes: number): Counted[] {
  const values = readColumn(table, column);
  return columnFeatures(column).map(({ name, levels }, k) => levelTable(name, values[k], levels, codes, classes));
}

/**
 * I(column; label) in bits by column, over the rows with a label, as `polya features` prints it; of a date that of its most informative
 * part. Texts are left out: their words have information, not the column.
 */
export function columnInformation(
  rows: readonly DataRow[],
  target: string,
  columns: readonly SchemaColumn[],
): Map<string, number> {
  requireRecords(rows);
  requireKind(target, 'the name of the target', 'string');
  for (const column of requireItems(columns, 'the columns of a schema'))
    requireLike(column, 'a column of a schema', { name: 'string', kind: 'string' });
  const labelled = rows.filter((row) => !isBlank(cellOf(row, target)));
  const labels = labelled.map((row) => String(cellOf(row, target)));
  const places = new Map([...new Set(labels)].map((label, c) => [label, c]));
  const codes = Int32Array.from(labels, (label) => places.get(label)!);
  const table = new RecordTable(labelled);
  const measured = columns.filter(({ name, kind, role }) => name !== target && kind !== 'text' && role === 'feature');
  return new Map(
    measured.map((column) => {
      const bits = countColumn(table, column, codes, places.size).map((counted) => tableInformation(counted.table));
      return [column.name, Math.max(0, ...bits)];
    }),
  );
}
