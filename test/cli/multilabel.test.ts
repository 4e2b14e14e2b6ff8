import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { load } from '../../src/index.ts';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);

const topics: Record<string, string> = {
  grain: 'wheat harvest corn',
  trade: 'tariff export import',
  ship: 'vessel port cargo',
};

beforeAll(() => {
  const names = Object.keys(topics);
  const rows = Array.from({ length: 90 }, (_, i) => {
    const own = names.filter((_, k) => (i >> k) % 2 === 1);
    const words = own.flatMap((name) => topics[name].split(' ')).join(' ');
    return `"note ${i} ${words} today",${own.join(' | ')}`;
  });
  writeFileSync(join(path, 'news.csv'), ['body,topics', ...rows, ''].join('\n'));
});

const run = (...words: string[]) => polya(words, { cwd: path });

test('fit learns several labels, evaluates them by F1 and writes a model that the library loads', async () => {
  const { code, out, err } = await run('fit', 'news.csv', '-t', 'topics', '--multilabel', '|', '-o', 'news.polya');
  expect([code, err.includes('wrote news.polya')]).toEqual([0, true]);
  expect(out).toContain('samples avg');
  expect(out).toMatch(/micro F1 1(\.0+)? · macro F1 1(\.0+)? · all labels correct 1(\.0+)? · 18 rows/);
  const model = load(readFileSync(join(path, 'news.polya'))) as unknown as { predict(X: string[]): string[][] };
  expect(model.predict(['vessel with wheat'])).toEqual([['grain', 'ship']]);
});

test('fit, evaluate and predict print JSON', async () => {
  const words = ['-t', 'topics', '--multilabel', '|', '--json'];
  const fitted = JSON.parse((await run('fit', 'news.csv', ...words, '--model', 'bernoulli', '-o', 'b.polya')).out);
  expect(fitted).toMatchObject({ schema: 'polya/fit-labels@1', labels: ['grain', 'ship', 'trade'], rows: 90 });
  expect(fitted.scores.microF1).toBeGreaterThan(0.95);
  const evaluated = JSON.parse((await run('evaluate', 'news.csv', '-m', 'b.polya', ...words)).out);
  expect(evaluated).toMatchObject({ schema: 'polya/evaluate-labels@1', model: 'b.polya', scores: { rows: 90 } });
  const line = (await run('predict', '-m', 'b.polya', '--text', 'tariff export import wheat harvest corn', '--json'))
    .out;
  expect(JSON.parse(line)).toMatchObject({ schema: 'polya/predict-labels@1', labels: ['grain', 'trade'] });
});

test('predict gives every row its labels, as text and as CSV', async () => {
  const text = await run('predict', 'news.csv', '-m', 'news.polya', '-x', 'body', '-q');
  const lines = text.out.split('\n');
  expect(lines.slice(0, 4)).toEqual(['', 'grain', 'trade', 'grain|trade']);
  const csv = await run('predict', 'news.csv', '-m', 'news.polya', '-x', 'body', '--output', 'csv', '-q');
  expect(csv.out.split('\n').slice(0, 3)).toEqual(['labels', '""', '"grain"']);
  const table = await run('evaluate', 'news.csv', '-m', 'news.polya', '-t', 'topics', '--multilabel', '|');
  const known = await run('evaluate', 'news.csv', '-m', 'news.polya', '-t', 'topics'); // the model knows its separator
  expect(known).toEqual(table);
  expect(table.out).toContain('micro avg');
});

test('predict writes ; between labels where the model file names no separator', async () => {
  const model = load(readFileSync(join(path, 'news.polya'))) as unknown as { toBytes(): Uint8Array };
  writeFileSync(join(path, 'plain.polya'), model.toBytes());
  const { out } = await run('predict', '-m', 'plain.polya', '--text', 'tariff export import wheat harvest corn', '-q');
  expect(out).toBe('grain;trade\n');
});

test('options that would have no effect are refused by name', async () => {
  const predict = ['predict', 'news.csv', '-m', 'news.polya', '-x', 'body'];
  const evaluate = ['evaluate', 'news.csv', '-m', 'news.polya', '-t', 'topics', '--multilabel', '|'];
  const fit = ['fit', 'news.csv', '-t', 'topics', '--multilabel', '|', '-o', 'x.polya'];
  const attempts: string[][] = [
    [...predict, '--threshold', 'grain=0.9'],
    [...predict, '--cost', 'grain:trade=3'],
    [...predict, '--keep', 'topics'],
    [...predict, '--proba'],
    [...predict, '--line-buffered'],
    ['predict', '-m', 'news.polya', '--row', 'body=wheat'],
    [...evaluate, '--fail-under', 'accuracy=0.9'],
    [...evaluate, '--fail-over', 'log-loss=0.9'],
    [...evaluate, '--threshold', 'grain=0.9'],
    [...evaluate, '--by', 'body'],
    [...evaluate, '--compare', 'news.polya'],
    [...fit, '--priors', 'uniform'],
    [...fit, '--calibrate', 'sigmoid'],
    [...fit, '--unlabeled', 'skip'],
  ];
  for (const words of attempts) {
    const { code, err } = await run(...words);
    const option = words.findLast((word) => word.startsWith('--'))!;
    expect([code, err.includes(option)], words.join(' ')).toEqual([2, true]);
  }
  const digits = await run(...evaluate, '--digits', '1');
  expect(digits.out).toMatch(/micro avg +1\.0 +1\.0/);
});

test('what does not go together is refused', async () => {
  const codes = await Promise.all([
    run('fit', 'news.csv', '--multilabel', '|', '-o', 'x.polya'),
    run('fit', 'news.csv', '-t', 'topics', '--multilabel', '|', '--model', 'lda', '-o', 'x.polya'),
    run('fit', 'news.csv', '-t', 'topics', '--multilabel', '|', '--cv', '3', '-o', 'x.polya'),
    run('predict', '-m', 'news.polya', '--text', 'wheat', '--top', '2'),
  ]);
  expect(codes.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
});
