import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Classifier } from '../../src/auto/classifier.ts';
import { folder, polya } from './harness.ts';

const rows = (label: string, count: number) =>
  Array.from(
    { length: count },
    (_, k) => `this is ${label} number ${k} with the words word${k % 7} and some more,${label}`,
  ).join('\n');

async function newModel(): Promise<string> {
  const { path, remove } = folder();
  onTestFinished(remove);
  writeFileSync(join(path, 'mail.csv'), `text,label\n${rows('spam', 20)}\n${rows('ham', 20)}\n`);
  writeFileSync(join(path, 'more.csv'), `text,label\n${rows('spam', 50)}\n`);
  const words = ['fit', 'mail.csv', '--target', 'label', '--model', 'multinomial', '--holdout', '0', '-o', 'm.polya'];
  const result = await polya(words, { cwd: path });
  expect(result.code, result.err).toBe(0);
  return path;
}

const learned = (cwd: string) => Classifier.load(readFileSync(join(cwd, 'm.polya'))).report().learned?.weight;

test('of two updates at once, none loses what the other has learned: the second is refused or comes after', async () => {
  const cwd = await newModel();
  const words = ['update', 'more.csv', '-m', 'm.polya'];
  const all = await Promise.all([polya(words, { cwd }), polya(words, { cwd }), polya(words, { cwd })]);
  const done = all.filter(({ code }) => code === 0).length;
  expect(done).toBeGreaterThan(0);
  for (const { code, err } of all) if (code !== 0) expect(err).toContain('Another command is changing m.polya');
  expect(learned(cwd)).toBe(40 + 50 * done);
  expect((await polya(words, { cwd })).code).toBe(0);
  expect(learned(cwd)).toBe(40 + 50 * (done + 1));
  expect(readdirSync(cwd).sort()).toEqual(['m.polya', 'mail.csv', 'more.csv']);
});

test('a model that is changed keeps its permissions', async () => {
  const cwd = await newModel();
  const file = join(cwd, 'm.polya');
  for (const verb of ['update', 'unlearn']) {
    for (const mode of [0o600, 0o640]) {
      chmodSync(file, mode);
      expect((await polya([verb, 'more.csv', '-m', 'm.polya'], { cwd })).code, verb).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(mode);
    }
  }
});
