import { execFileSync } from 'node:child_process';
import { createReadStream, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeMessages } from './fixtures.ts';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);
const made = ['fit', 'sms.csv', '--model', 'multinomial', '--holdout', '0', '-q'];

beforeAll(async () => {
  writeMessages(path);
  mkdirSync(join(path, 'folder'));
  symlinkSync(join(path, 'sms.csv'), join(path, 'link.csv'));
  expect((await polya([...made, '-o', 'spam.polya'], { cwd: path })).code).toBe(0);
});

let before: string[];
beforeEach(() => {
  before = readdirSync(path).sort();
});
const begun = () => readdirSync(path).filter((name) => !before.includes(name));

test.each([
  ['the data of fit', [...made, '-o', 'sms.csv', '--force'], 'sms.csv'],
  ['the data of fit under another name', [...made, '-o', 'link.csv', '--force'], 'sms.csv'],
  ['the data of predict', ['predict', 'sms.csv', '-m', 'spam.polya', '--out', 'sms.csv', '--force'], 'sms.csv'],
])('%s are not overwritten, forced or not, and no command is proposed that would', async (_, words, file) => {
  const content = readFileSync(join(path, file));
  for (const said of [words, words.filter((word) => word !== '--force')]) {
    const { code, out, err } = await polya(said, { cwd: path });
    expect([code, out]).toEqual([5, '']);
    expect(err).toMatch(/^✖ "(sms|link)\.csv" is an input file; name another output file\. +E_CONFLICT\n$/);
  }
  expect(readFileSync(join(path, file)).equals(content)).toBe(true);
});

test('a folder is no file to write, which is said before the work and not turned into a question of force', async () => {
  for (const force of [[], ['--force']]) {
    const { code, out, err } = await polya([...made, '-o', 'folder', ...force], { cwd: path });
    expect([code, out]).toEqual([5, '']);
    expect(err).toMatch(/^✖ "folder" is a folder; name a file +E_PATH\n$/);
  }
});

test('only a model can have been made with other settings', async () => {
  writeFileSync(join(path, 'notes.txt'), 'mine');
  const other = await polya([...made, '-o', 'notes.txt'], { cwd: path });
  expect(other.err).toMatch(/^✖ "notes\.txt" already exists\. +E_CONFLICT\n/);
  const model = await polya([...made, '--alpha', '2', '-o', 'spam.polya'], { cwd: path });
  expect(model.err).toMatch(/^✖ "spam\.polya" already exists, and was made with other settings\. +E_CONFLICT\n/);
  expect((await polya([...made, '-o', 'spam.polya'], { cwd: path })).code).toBe(0); // the same recipe
});

test.runIf(process.platform === 'linux')(
  'devices are written to, never read to their end, never replaced',
  async () => {
    const answers = ['predict', 'sms.csv', '-m', 'spam.polya', '-q'];
    expect(await polya([...made, '-o', '/dev/null'], { cwd: path })).toEqual({ code: 0, out: '', err: '' });
    expect(await polya([...answers, '--out', '/dev/null'], { cwd: path })).toEqual({ code: 0, out: '', err: '' });
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
    for (const words of [
      [...made, '-o', '/dev/full'],
      [...answers, '--out', '/dev/full'],
    ]) {
      const { code, out, err } = await polya(words, { cwd: path });
      expect([code, out]).toEqual([5, '']);
      expect(err).toMatch(/^✖ "full" cannot be written: the disk is full; nothing was changed +E_DISK_FULL\n$/);
    }
  },
);

test.runIf(process.platform !== 'win32')('answers go into a pipe that has a name', async () => {
  const pipe = join(path, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const read = (async () => {
    let content = '';
    for await (const chunk of createReadStream(pipe, 'utf8')) content += chunk;
    return content;
  })();
  const words = ['predict', 'more.csv', '-m', 'spam.polya', '--output', 'csv', '-q'];
  expect((await polya([...words, '--out', 'pipe'], { cwd: path })).code).toBe(0);
  expect(await read).toBe((await polya(words, { cwd: path })).out);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test('answers that end in an error leave no file, and an older one as it was', async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => `ham,lunch at ${i}`);
  writeFileSync(join(path, 'late.csv'), `label,text\n${rows.join('\n')}\nham,one,two\n`);
  writeFileSync(join(path, 'old.tsv'), 'old');
  before = readdirSync(path);
  const words = ['predict', 'late.csv', '-m', 'spam.polya', '--out'];
  expect((await polya([...words, 'new.tsv'], { cwd: path })).code).toBe(3);
  expect((await polya([...words, 'old.tsv', '--force'], { cwd: path })).code).toBe(3);
  expect(begun()).toEqual([]);
  expect(readFileSync(join(path, 'old.tsv'), 'utf8')).toBe('old');
});
