import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GaussianNB } from '../../src/index.ts';
import { messages, writeMessages } from './fixtures.ts';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(path, name), content);

beforeAll(async () => {
  writeMessages(path);
  mkdirSync(join(path, 'folder.csv'));
  put(
    'binary.csv',
    Uint8Array.from({ length: 4096 }, (_, i) => (i * 37) % 256),
  );
  put('utf16.csv', Buffer.from('label,text\nham,hello\n', 'utf16le'));
  put('latin1.csv', Buffer.from('label,text\nham,caf\u00e9 au lait\n', 'latin1'));
  put('picture.csv', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  put('empty.csv', '');
  put('header.csv', 'label,text\n');
  put(
    'one-class.csv',
    `label,text\n${messages(40)
      .map(({ text }) => `ham,${text}`)
      .join('\n')}\n`,
  );
  put(
    'unlabeled.csv',
    `label,text\n${messages(40)
      .map(({ label, text }, i) => `${i === 4 || i === 9 ? '' : label},${text}`)
      .join('\n')}\n`,
  );
  put(
    'million.csv',
    `label,text\n${Array.from({ length: 20_000 }, (_, i) => `label ${i},some words here ${i % 90}`).join('\n')}\n`,
  );
  put(
    'identifiers.csv',
    `label,text\n${messages(120)
      .map(({ text }, i) => `user-${i},${text}`)
      .join('\n')}\n`,
  );
  put(
    'prices.csv',
    `price,text\n${messages(120)
      .map(({ text }, i) => `${(i * 1.37).toFixed(2)},${text}`)
      .join('\n')}\n`,
  );
  put(
    'years.csv',
    `year,text\n${messages(120)
      .map(({ text }, i) => `${1900 + i},${text}`)
      .join('\n')}\n`,
  );
  put('broken.csv', 'id,label,text\n87,ham,"see you at 7"\n88,spam,"WIN a prize\n');
  put('ragged.csv', 'label,text\nham,hello there\nspam,win,now\n');
  put('broken.jsonl', '{"label":"ham","text":"a"}\n{"label":"ham",}\n');
  put('cut.csv.gz', gzipSync('label,text\nham,hello\n'.repeat(1000)).subarray(0, 60));
  put(
    'noise.polya',
    Uint8Array.from({ length: 500 }, (_, i) => (i * 91) % 256),
  );
  put('empty.polya', '');
  const made = await polya(['fit', 'sms.csv', '--model', 'multinomial', '-o', 'spam.polya', '-q'], { cwd: path });
  expect([made.code, made.err]).toEqual([0, '']);
  const bytes = readFileSync(join(path, 'spam.polya'));
  put('cut.polya', bytes.subarray(0, bytes.length - 100));
  const flipped = Uint8Array.from(bytes);
  flipped[bytes.length - 50] ^= 1;
  put('flipped.polya', flipped);
  put('newer.polya', newer(bytes));
  put('gaussian.polya', new GaussianNB().fit([[1], [2], [9], [8]], ['a', 'a', 'b', 'b']).toBytes());
  await polya(['demo', 'iris', '-q'], { cwd: path });
  const iris = await polya(['fit', 'iris.csv', '--model', 'gaussian', '-o', 'iris.polya', '-q'], { cwd: path });
  expect([iris.code, iris.err]).toEqual([0, '']);
});

/** The same model under a format version that is not there yet. */
function newer(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/"version":"2"/, '"version":"9"');
  return Buffer.from(text, 'latin1');
}

// What is wrong, the command, the exit code, the error code, words of the first line.
const cases: [string, string[], number, string, RegExp][] = [
  ['a missing file', ['fit', 'nothing-here.csv'], 5, 'E_PATH', /"nothing-here\.csv" does not exist/],
  ['a directory for a file', ['predict', 'folder.csv', '-m', 'spam.polya'], 3, 'E_EMPTY_INPUT', /folder\.csv/],
  ['a binary file', ['fit', 'binary.csv'], 3, 'E_ENCODING', /binary\.csv/],
  ['a picture', ['fit', 'picture.csv'], 3, 'E_FORMAT', /picture\.csv/],
  ['a text of UTF-16 without a mark', ['inspect', 'utf16.csv'], 3, 'E_ENCODING', /utf16\.csv.*UTF-16/],
  ['a text of Latin-1', ['inspect', 'latin1.csv'], 3, 'E_ENCODING', /latin1\.csv:2:8 {2}/],
  ['an empty file', ['fit', 'empty.csv'], 3, 'E_EMPTY_INPUT', /empty\.csv/],
  ['a header and no rows', ['fit', 'header.csv'], 3, 'E_EMPTY_INPUT', /header\.csv/],
  ['one class alone', ['fit', 'one-class.csv', '-t', 'label'], 3, 'E_CLASSES_TOO_FEW', /"ham"/],
  [
    'labels missing in some rows',
    ['fit', 'unlabeled.csv', '-t', 'label'],
    3,
    'E_LABEL_MISSING',
    /2 of 40 rows have no label in "label", the first at unlabeled\.csv:6\./,
  ],
  ['very many labels', ['fit', 'million.csv', '-t', 'label'], 7, 'E_LIMIT', /20,000 distinct labels/],
  [
    'identifiers for labels',
    ['fit', 'identifiers.csv', '-t', 'label'],
    3,
    'E_LABEL_TYPE',
    /120 distinct labels in 120 rows/,
  ],
  [
    'fractions for labels',
    ['fit', 'prices.csv', '-t', 'price'],
    3,
    'E_LABEL_TYPE',
    /"price" holds 120 distinct numbers/,
  ],
  ['numbers for labels', ['fit', 'years.csv', '-t', 'year'], 3, 'E_LABEL_TYPE', /"year" holds 120 distinct numbers/],
  [
    'a quote that never closes',
    ['fit', 'broken.csv'],
    3,
    'E_FORMAT',
    /broken\.csv:3:9 {2}the quote opened here never closes/,
  ],
  [
    'a row with a cell too many',
    ['fit', 'ragged.csv'],
    3,
    'E_FORMAT',
    /ragged\.csv:3:\d+ {2}the row has 3 cells, the table 2/,
  ],
  ['a line that is no JSON', ['inspect', 'broken.jsonl'], 3, 'E_FORMAT', /broken\.jsonl:2:\d+/],
  ['a packed file that is cut short', ['inspect', 'cut.csv.gz'], 3, 'E_FORMAT', /cut\.csv\.gz/],
  [
    'a target that is not there',
    ['fit', 'sms.csv', '-t', 'nothing'],
    3,
    'E_FEATURE_MISSING',
    /Column "nothing" is not in sms\.csv/,
  ],
  [
    'a filter that lets nothing pass',
    ['fit', 'sms.csv', '--where', 'label=nobody'],
    3,
    'E_EMPTY_INPUT',
    /No row of sms\.csv passes --where/,
  ],
  ['a table for a model', ['predict', 'sms.csv', '-m', 'sms.csv'], 4, 'E_MODEL_', /sms\.csv:/],
  ['noise for a model', ['predict', 'sms.csv', '-m', 'noise.polya'], 4, 'E_MODEL_', /noise\.polya:/],
  ['nothing for a model', ['predict', 'sms.csv', '-m', 'empty.polya'], 4, 'E_MODEL_', /empty\.polya:/],
  ['a model that is cut short', ['predict', 'sms.csv', '-m', 'cut.polya'], 4, 'E_MODEL_CORRUPT', /cut\.polya:/],
  [
    'a model with one bit changed',
    ['predict', 'sms.csv', '-m', 'flipped.polya'],
    4,
    'E_MODEL_CORRUPT',
    /flipped\.polya:/,
  ],
  ['a model of a newer format', ['predict', 'sms.csv', '-m', 'newer.polya'], 4, 'E_MODEL_', /newer\.polya/],
  ['a folder for a model', ['predict', 'sms.csv', '-m', 'folder.csv'], 5, 'E_PATH', /"folder\.csv" is a folder/],
  [
    'a model without its columns',
    ['update', 'sms.csv', '-m', 'gaussian.polya', '-t', 'label'],
    4,
    'E_CONFLICT',
    /gaussian\.polya holds only a GaussianNB/,
  ],
  [
    'models of two families',
    ['merge', 'spam.polya', 'iris.polya', '-o', 'sum.polya'],
    4,
    'E_MERGE_MISMATCH',
    /iris\.polya cannot be merged into spam\.polya/,
  ],
  [
    'data of another model',
    ['predict', 'iris.csv', '-m', 'spam.polya'],
    3,
    'E_FEATURE_MISSING',
    /Column "text" is not in iris\.csv/,
  ],
  [
    'a text for a model of numbers',
    ['predict', '-m', 'iris.polya', '--text', 'hello'],
    2,
    'E_USAGE',
    /iris\.polya uses the columns/,
  ],
  [
    'rows that were never learned',
    ['unlearn', 'more.csv', '-m', 'spam.polya'],
    3,
    'E_UNLEARN_UNDERFLOW',
    /more\.csv has rows that were never learned/,
  ],
  [
    'a file that would be overwritten',
    ['fit', 'sms.csv', '--model', 'bernoulli', '-o', 'spam.polya'],
    5,
    'E_CONFLICT',
    /"spam\.polya" already exists/,
  ],
  [
    'a folder that is not there',
    ['fit', 'sms.csv', '--model', 'bernoulli', '-o', 'nowhere/spam.polya'],
    5,
    'E_PATH',
    /folder does not exist/,
  ],
  ['an option that is none', ['fit', 'sms.csv', '--alpha', 'much'], 2, 'E_USAGE', /--alpha must be a number/],
  ['a model without a name', ['predict', 'sms.csv'], 2, 'E_USAGE', /needs a model file/],
];

test.each(cases)('%s', async (_, words, exit, error, sentence) => {
  const before = readdirSync(path).sort();
  const model = readFileSync(join(path, 'spam.polya'));
  const { code, out, err } = await polya(words, { cwd: path, columns: 120 });
  const lines = err.split('\n').filter((line) => /^[✖]/.test(line));
  expect(lines, err).toHaveLength(1);
  expect(lines[0]).toMatch(sentence);
  expect(lines[0]).toMatch(new RegExp(`${error}[A-Z_]*$`));
  expect(err).not.toMatch(/\bat .*\.ts:\d+|node:internal/); // no stack
  expect(err).not.toContain(path); // no folders of this machine
  expect([code, out]).toEqual([exit, '']);
  expect(readdirSync(path).sort()).toEqual(before); // nothing half written
  expect(readFileSync(join(path, 'spam.polya')).equals(model)).toBe(true);
});

test('the lines around a fault are shown, and where it is', async () => {
  const { err } = await polya(['fit', 'broken.csv'], { cwd: path, columns: 100 });
  expect(err.split('\n').slice(1, 5)).toEqual([
    '   2 │ 87,ham,"see you at 7"',
    '   3 │ 88,spam,"WIN a prize',
    '     │         ^',
    '  Fix the row, or skip up to 10 malformed rows: --max-bad-rows 10 (written to broken.csv.rejects)',
  ]);
});

test('bad rows are left out as far as allowed, and kept with line and reason', async () => {
  put(
    'rows.csv',
    `label,text\n${messages(60)
      .map(({ label, text }, i) => `${label},${text}${i === 30 ? ',surplus' : ''}`)
      .join('\n')}\n`,
  );
  const { code, err } = await polya(
    ['fit', 'rows.csv', '-t', 'label', '--model', 'multinomial', '--max-bad-rows', '2', '-o', 'rows.polya'],
    { cwd: path },
  );
  expect(code).toBe(0);
  expect(err).toContain('! one malformed row was skipped; see rows.csv.rejects');
  expect(readFileSync(join(path, 'rows.csv.rejects'), 'utf8')).toMatch(/^line,column,reason,row\n32,\d+,.*surplus/);
});

test('with --json an error is one JSON object, and a stack only with --debug', async () => {
  const { code, out, err } = await polya(['fit', 'sms.csv', '--target', 'lable', '--json'], { cwd: path });
  expect([code, out]).toEqual([3, '']);
  expect(JSON.parse(err)).toMatchObject({
    schema: 'polya/error@1',
    command: 'fit',
    code: 'E_FEATURE_MISSING',
    exit: 3,
    details: { feature: 'lable' },
    suggestion: 'polya fit sms.csv --target label --json',
  });
  expect(JSON.parse(err)).not.toHaveProperty('stack');
  const debug = await polya(['fit', 'sms.csv', '--target', 'lable', '--debug'], { cwd: path });
  expect(debug.err).toMatch(/\n {4}at /);
});
