import { expect, test } from 'vitest';
import { guessTarget } from '../../auto/profile.ts';
import { tallyColumn } from '../../auto/schema-kinds.ts';
import { RecordTable } from '../../data/column-table.ts';
import { sample } from './labelled.ts';

test('a label that alternates from row to row is found in a sample of the rows', () => {
  const rows = Array.from({ length: 12_000 }, (_, i) => ({ label: i % 2 ? 'no' : 'yes', text: `some words ${i}` }));
  const some = sample(new RecordTable(rows));
  expect(some.length).toBeLessThan(rows.length);
  const counts = new Map(some.names.map((name) => [name, tallyColumn(some.column(name))]));
  expect(guessTarget(counts)).toMatchObject({ name: 'label', reason: 'named like a label, 2 values' });
});
