import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);
const run = (...words: string[]) => polya(words, { cwd: path, columns: 80 });

/** One fifth of the rows is of the first class, and they all come first. */
const table = Array.from({ length: 2500 }, (_, i) => ({
  text: `see you at ${i % 40} for the ${i} th time`,
  amount: (i * 37) % 211,
  decision: i < 500 ? 'a decision in favour' : i < 2480 ? 'a decision against' : '',
}));

beforeAll(() => {
  const names = Object.keys(table[0]);
  const csv = (mark: string) => [names.join(mark), ...table.map((row) => Object.values(row).join(mark))].join('\n');
  const lines = table.map((row) => JSON.stringify(row)).join('\n');
  writeFileSync(join(path, 'rows.csv'), csv(','));
  writeFileSync(join(path, 'rows.tsv'), csv('\t'));
  writeFileSync(join(path, 'rows.jsonl'), lines);
  writeFileSync(join(path, 'rows.jsonl.gz'), gzipSync(lines));
});

test('both classes of a two-class target are shown at 80 columns, with their shares of all rows', async () => {
  const { out, err, code } = await run('inspect', 'rows.csv', '-t', 'decision');
  expect(code).toBe(0);
  expect(out).toMatch(/decision +category +2 classes, 20 rows without a label +← target\n/);
  expect(out).toMatch(/ a decision against +1,980 +79\.8 % {2}█+/);
  expect(out).toMatch(/ a decision in favour +500 +20\.2 % {2}█+/);
  expect(out.split('\n').every((line) => line.length <= 80)).toBe(true);
  expect(err).toContain('20 rows have no label in "decision"');
  expect(err).toContain('→ polya fit rows.csv --target decision --skip-unlabeled -o rows.polya');
});

test('every format gives the same profile', async () => {
  const profiles = await Promise.all(
    ['rows.csv', 'rows.tsv', 'rows.jsonl', 'rows.jsonl.gz'].map(async (file) => {
      const { out } = await run('inspect', file, '-t', 'decision', '--json');
      return JSON.parse(out).profile;
    }),
  );
  expect(profiles[0]).toMatchObject({
    rows: 2500,
    sampledRows: 2500,
    target: { missing: 20, classes: [{ rows: 1980 }, { rows: 500 }] },
    warnings: [{ kind: 'unlabeled', value: 20 }],
  });
  for (const profile of profiles) expect(profile).toEqual(profiles[0]);
});

test('many classes are cut to the largest and the smallest one; --verbose shows all', async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => `${i % 7},c${Math.floor(Math.sqrt(i / 8))}`);
  writeFileSync(join(path, 'many.csv'), ['x,label', ...rows].join('\n'));
  const { out } = await run('inspect', 'many.csv');
  expect(out).toMatch(/label +category +20 classes +← target\n/);
  expect(out).toMatch(/ c18 +296 .*\n(.*\n)*? +… 13 more; --verbose shows all of them\n +c0 +8 /);
  const all = await run('inspect', 'many.csv', '--verbose');
  expect(all.out.match(/^ {6}c\d+ /gm)).toHaveLength(20);
});

test('a list of labels per row is named, with what to do', async () => {
  const rows = Array.from({ length: 40 }, (_, i) =>
    JSON.stringify({ x: i % 7, tags: i % 3 ? ['red'] : ['red', 'blue'] }),
  );
  writeFileSync(join(path, 'tags.jsonl'), rows.join('\n'));
  const { err } = await run('inspect', 'tags.jsonl', '-t', 'tags');
  expect(err.replace(/\s+/g, ' ')).toContain(
    'holds several labels per row, such as ["red","blue"], and each combination counts as a class of its own.',
  );
  expect(err).not.toContain('→ polya fit');
});
