import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);
const put = (name: string, lines: readonly string[]) => writeFileSync(join(path, name), `${lines.join('\n')}\n`);
const run = (...words: string[]) => polya(words, { cwd: path, columns: 100 });

/** Customers who leave when they are new and pay much; every fifth row is a test row. */
const rows = Array.from({ length: 300 }, (_, i) => {
  const [year, amount] = [2015 + ((i * 7) % 9), 200 + ((i * 37) % 100) * 20];
  const leaves = year > 2019 !== ((i * 13) % 10 === 0);
  return {
    customer_id: `C-${1000 + i}`,
    signup: `${1 + ((i * 5) % 28)}.${1 + ((i * 11) % 12)}.${year}`,
    paid: i % 17 === 0 ? 'NA' : `"$${amount.toLocaleString('en-US')}.50"`,
    zip: ['08713', '10115', '80331'][i % 3],
    split: i % 5 === 0 ? 'test' : 'train',
    churn: leaves ? 'left' : 'stayed',
  };
});
const names = Object.keys(rows[0]);

beforeAll(() => {
  put('churn.csv', [names.join(), ...rows.map((row) => Object.values(row).join())]);
  const converted = rows.map(({ signup, paid, zip, churn }) => {
    const [day, month, year] = signup.split('.').map(Number);
    const amount = paid === 'NA' ? '' : paid.replace(/["$,]/g, '');
    return [Date.UTC(year, month - 1, day) / 86_400_000, amount, `z${zip}`, churn].join();
  });
  put('converted.csv', ['signup,paid,zip,churn', ...converted]);
});

test('fit reads dates, money and codes, names every ignored column, and says how to use the split', async () => {
  const { code, out, err } = await run('fit', 'churn.csv', '-t', 'churn', '-o', 'churn.polya');
  expect([code, err]).toEqual([0, expect.stringContaining('  ignored  customer_id: named like an identifier\n')]);
  expect(err).toContain('  ignored  split: says which rows are for training: test, train\n');
  expect(err).toContain('  polya fit churn.csv -t churn -o churn.polya --split-column split --force\n');
  const accuracyIn = (text: string) => Number(/accuracy (0\.\d+)/.exec(text)?.[1]);
  const byHand = await run('fit', 'converted.csv', '-t', 'churn', '-o', 'converted.polya');
  expect(accuracyIn(byHand.out)).toBeGreaterThan(0.8);
  expect(accuracyIn(out)).toBeGreaterThanOrEqual(accuracyIn(byHand.out) - 0.01);
  const answers = await run('predict', 'churn.csv', '-m', 'churn.polya', '--max-rows', '50', '-q');
  const right = answers.out.split('\n').filter((line, i) => line.startsWith(rows[i]?.churn ?? '?'));
  expect(right.length).toBeGreaterThan(35);
});

test('with --split-column, fit learns from the training rows and evaluates on the test rows', async () => {
  const asked = ['fit', 'churn.csv', '-t', 'churn', '--model', 'mixed', '--split-column', 'split', '-o', 'split.polya'];
  const { code, out } = await run(...asked, '--json');
  expect(code).toBe(0);
  const said = JSON.parse(out);
  expect(said.evaluation).toMatchObject({ rows: 60, on: expect.stringContaining('held out by column split: 60 rows') });
  expect(said.ignored).toEqual([
    { name: 'customer_id', reason: 'named like an identifier' },
    { name: 'split', reason: 'the split into training and test rows' },
  ]);
  expect(JSON.parse((await run('info', 'split.polya', '--json')).out).provenance.rows).toBe(240);
  const missing = await run(...asked.map((word) => (word === 'split' ? 'splitt' : word)), '--force');
  expect(missing.err).toContain('Did you mean "split"?');
  expect((await run(...asked, '--cv', '3', '--force')).err).toContain('E_USAGE');
});

test('an ambiguous order of day and month is warned about, and --date-order decides', async () => {
  const cells = Array.from({ length: 60 }, (_, i) => `${1 + (i % 12)}/${1 + ((i * 5) % 12)}/2023,${'ab'[i % 2]}`);
  put('dates.csv', ['when,label', ...cells]);
  const asked = ['fit', 'dates.csv', '--model', 'mixed', '-o', 'dates.polya', '--force'];
  expect((await run(...asked)).err).toContain('! column "when": "2/6/2023" is read month first; the other order is');
  const given = await run(...asked, '--date-order', 'day-first', '--verbose');
  expect(given.err).toMatch(/column {2}when {2}date, feature: dates, day first/);
  expect(given.err).not.toContain('the other order');
});

test('nested objects of JSON Lines are columns, and predict reads them too', async () => {
  const lines = Array.from({ length: 60 }, (_, i) =>
    JSON.stringify({ user: { age: 20 + (i % 2) * 20 + (i % 7), home: { zip: '0871' } }, label: 'ab'[i % 2] }),
  );
  put('nested.jsonl', lines);
  const fitted = await run(
    'fit',
    'nested.jsonl',
    '--model',
    'gaussian',
    '--features',
    'user.age',
    '-o',
    'nested.polya',
  );
  expect([fitted.code, fitted.out]).toEqual([0, expect.stringContaining('accuracy 1.000')]);
  const said = await run('predict', 'nested.jsonl', '-m', 'nested.polya', '--max-rows', '2', '-q');
  expect(said.out).toMatch(/^a\t.*\nb\t/);
});

test('in a folder of texts, the names of the files are no feature', async () => {
  const texts = { spam: 'win a prize now', ham: 'see you at noon' };
  for (const [label, text] of Object.entries(texts)) {
    mkdirSync(join(path, 'mail', label), { recursive: true });
    for (let k = 0; k < 10; k++) put(`mail/${label}/${k}.txt`, [`${text} ${k}`]);
  }
  for (const model of ['auto', 'multinomial']) {
    const fitted = await run('fit', 'mail', '--model', model, '-o', `${model}.polya`, '-q');
    expect(fitted).toMatchObject({ code: 0, err: '' });
    const said = await polya(['predict', '-', '-m', `${model}.polya`, '-q'], { cwd: path, stdin: 'win a prize\n' });
    expect([said.code, said.out.split('\t')[0]]).toEqual([0, 'spam']);
  }
});

test('compare proposes a second model that is not the first, and features have no NaN', async () => {
  expect((await run('compare', 'churn.csv', '-m', 'gaussian')).err).toContain('compare churn.csv -m gaussian -m lda');
  put('dates.csv', ['day,y', ...Array.from({ length: 40 }, (_, i) => `2023-01-${10 + (i % 19)},${'ab'[(i * 7) % 2]}`)]);
  expect((await run('features', 'dates.csv', '-t', 'y')).out).not.toContain('NaN');
});
