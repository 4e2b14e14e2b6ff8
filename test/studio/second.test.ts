import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Classifier } from '../../src/auto/classifier.ts';
import { formatCsv } from '../../src/data/csv-format.ts';
import { loadIris } from '../../src/datasets/iris.ts';
import { evaluateRows } from '../../src/evaluate/evaluation.ts';
import { Bench, openFile, pictures, settled, show, someMessages, speak, trainMessages, violations } from './harness.ts';

/** Evaluation on a second file and on folds, and what differs between training and new rows. */
let bench: Bench;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  bench = await Bench.open();
});
afterAll(() => bench.close());

const { rows } = loadIris();
const columns = Object.keys(rows[0]);
const table = (own: readonly object[]) =>
  formatCsv([columns, ...own.map((row) => columns.map((name) => String((row as Record<string, unknown>)[name])))]);

test('a second file is evaluated as by the library, and a moved column is found', async () => {
  const page = await bench.page();
  const first = rows.filter((_, i) => i % 3 !== 0);
  const moved = rows
    .filter((_, i) => i % 3 === 0)
    .map((row) => ({ ...row, [columns[1]]: Number(row[columns[1] as never]) + 2 }));
  await openFile(page, 'iris.csv', table(first));
  await page.waitForSelector('.column');
  await show(page, 'train');
  await page.locator('main select').first().selectOption('gaussian');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await settled(page);
  await show(page, 'evaluate');
  await page.locator('input[data-files=second]').scrollIntoViewIfNeeded();
  await page.setInputFiles('input[data-files=second]', {
    name: 'new.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(table(moved)),
  });
  await page.waitForSelector('[data-second-evaluation]');
  const found = JSON.parse((await page.getAttribute('[data-second-evaluation]', 'data-second-evaluation'))!);
  const target = columns[columns.length - 1];
  const model = Classifier.fit(first, { target, model: 'gaussian', evaluate: false });
  const truth = moved.map((row) => String((row as Record<string, unknown>)[target]));
  const own = evaluateRows(
    { classes: model.classes.map(String), truth, logProba: model.predictLogProba(moved) },
    'new.csv',
  );
  expect(found.rows).toBe(50);
  expect(found.accuracy).toEqual(own.accuracy);
  expect(found.logLoss).toBeCloseTo(own.logLoss!, 12);
  const drifted = page.locator('section[data-part=second] tr', { hasText: 'drift' });
  expect(await drifted.count()).toBe(1);
  expect(await drifted.textContent()).toContain(columns[1]);
  await page.click('[data-folds]');
  await page.waitForSelector('section[data-part=folds] table');
  expect(await page.locator('section[data-part=folds] tbody tr').count()).toBe(6);
  for (const tag of ['en', 'zh-CN']) {
    await speak(page, tag);
    await settled(page);
    expect(await violations(page), tag).toEqual([]);
  }
  const inputs = page.locator('input[type=file]');
  expect((await inputs.first().boundingBox())!.width).toBe(1); // its words are the browser's
  expect(await page.locator('section[data-part=second] .pick').textContent()).toBe('选择文件');
  const asked = page.waitForEvent('filechooser');
  await inputs.first().focus();
  await page.keyboard.press('Enter');
  await asked;
  await page.locator('section[data-part=second]').screenshot({ path: join(pictures, 'second-file.png') });
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('words that become frequent in a second file are listed first', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  await show(page, 'evaluate');
  await page.locator('input[data-files=second]').scrollIntoViewIfNeeded();
  const [head, ...lines] = someMessages().trimEnd().split('\n');
  const text = [head, ...lines.map((line) => line.replace(/"?$/, (end) => ` bitcoin${end}`))].join('\n');
  await page.setInputFiles('input[data-files=second]', {
    name: 'new.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
  await page.waitForSelector('section[data-part=second] table');
  const words = page.locator('section[data-part=second] table').last().locator('tbody tr');
  expect(await words.first().textContent()).toContain('bitcoin');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('beside an ensemble a readable model is offered, and a click trains it', async () => {
  const page = await bench.page();
  await trainMessages(page);
  await show(page, 'evaluate');
  await page.locator('[data-folds]').scrollIntoViewIfNeeded();
  const offer = page.locator('[data-offer]');
  await offer.waitFor();
  expect(await offer.textContent()).toMatch(/readable model, .+ (points behind|as accurate)/);
  expect(await offer.getAttribute('data-offer')).toMatch(/multinomial|complement|bernoulli/);
  await offer.locator('button').click();
  await page.waitForFunction(() => document.querySelector('.where')?.textContent?.endsWith('Run 2'));
  await settled(page);
  expect(await page.locator('[data-offer]').count()).toBe(0); // a single model has no offer
  await page.close();
  expect(bench.faults).toEqual([]);
});
