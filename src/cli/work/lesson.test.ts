import { expect, test } from 'vitest';
import { profileRows } from '../../auto/profile.ts';
import { sample } from './lesson.ts';

test('a label that alternates from row to row is found in a sample of the rows', () => {
  const rows = Array.from({ length: 12_000 }, (_, i) => ({ label: i % 2 ? 'no' : 'yes', text: `some words ${i}` }));
  expect(sample(rows).length).toBeLessThan(rows.length);
  expect(profileRows(sample(rows)).target).toMatchObject({ name: 'label', classes: [{}, {}] });
});
