import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Classifier } from '../../src/index.ts';
import { screens } from '../../studio/screen-names.ts';
import { folder, polya } from '../cli/harness.ts';
import { atMost } from '../quiet.ts';
import { Bench, openFile, settled, show, trainMessages, trainSample } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

/** Presses Tab until the focus is where it should be. */
async function tabTo(page: Page, selector: string): Promise<void> {
  await settled(page); // a screen that has just opened takes the focus
  for (let k = 0; k < 80; k++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${selector}`);
}

test('from Start to a downloaded model with the keyboard alone', async () => {
  const page = await bench.page();
  await tabTo(page, '[data-sample=sms]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.column');
  await tabTo(page, 'button.main');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-evaluation]');
  await settled(page);
  await page.keyboard.press('g');
  await page.keyboard.press('y');
  await page.waitForSelector('textarea');
  await tabTo(page, 'textarea');
  await page.keyboard.type('win a free prize g y ?'); // keys of the page are letters in a field
  await page.waitForFunction(() => document.querySelector('[data-answer]')?.textContent === 'spam');
  await expect.poll(() => page.inputValue('textarea')).toBe('win a free prize g y ?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('g');
  await page.keyboard.press('x');
  await page.waitForSelector('[data-form=polya]');
  await tabTo(page, '[data-form=polya]');
  const saved = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const bytes = readFileSync(await (await saved).path());
  expect(Classifier.load(bytes).classify({ text: 'win a free prize' }).label).toBe('spam');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('the texts of a sample are fetched when it is opened, and not before', async () => {
  const page = await bench.page();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await settled(page);
  expect(asked.filter((path) => path.endsWith('.br'))).toEqual([]);
  await page.click('[data-sample=reviews]');
  await page.waitForSelector('.column');
  await expect.poll(() => page.textContent('main p')).toContain('10,662 rows · 2 columns · csv');
  expect(asked.filter((path) => path.endsWith('.br'))).toEqual(['/assets/reviews.csv.br']);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('every screen has its key and its address; back and forward work; the language is remembered', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris');
  for (const [name, key] of screens) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.waitForFunction((wanted) => location.hash.startsWith(`#/${wanted}`), name);
  }
  await page.goBack();
  await page.waitForFunction(() => location.hash.startsWith('#/export'));
  await page.goForward();
  await page.waitForFunction(() => location.hash.startsWith('#/server'));
  await show(page, 'evaluate', '?run=1&class=virginica&threshold=0.25');
  await expect.poll(() => page.locator('output').first().textContent()).toBe('0.250');
  await page.locator('.switches select').last().selectOption('zh-CN');
  await page.reload();
  await expect.poll(() => page.textContent('h1')).toBe('评估');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('labels are given by keys, learned at once and taken back exactly', async () => {
  const page = await bench.page();
  await trainMessages(page);
  await show(page, 'label', '?queue=doubted');
  await page.waitForSelector('.card dl');
  const text = () => page.locator('.card dd').first().textContent();
  const before = await text();
  await page.keyboard.press('2');
  await page.waitForFunction(() => /1 labelled/.test(document.querySelector('main')?.textContent ?? ''));
  await expect.poll(text).not.toBe(before);
  await page.keyboard.press('u');
  await page.waitForFunction(() => /0 labelled/.test(document.querySelector('main')?.textContent ?? ''));
  await expect.poll(text).toBe(before);
  await page.keyboard.press('Space');
  await page.waitForFunction((old) => document.querySelector('.card dd')?.textContent !== old, before);
  await page.close();
});

test('a threshold moves all curves, a cell of the confusion matrix opens its rows, a chart leaves as SVG, PNG and CSV', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris');
  await page.locator('.cell:not([disabled])').first().click();
  await page.waitForFunction(() => document.querySelectorAll('h3').length > 0);
  await expect.poll(() => page.url()).toContain('truth=');
  const said = () => page.locator('p[aria-live]').first().textContent();
  const before = await said();
  await page.locator('input[type=range]').first().focus();
  await page.keyboard.press('End');
  await expect.poll(said).not.toBe(before);
  await settled(page);
  for (const [form, begins] of [
    ['SVG', '<svg'],
    ['PNG', '\u0089PNG'],
    ['CSV', 'FPR,TPR'],
  ] as const) {
    const saved = page.waitForEvent('download');
    await page.locator('figure.chart').first().getByRole('button', { name: form }).click();
    const content = readFileSync(await (await saved).path());
    expect(content.subarray(0, 40).toString('latin1').startsWith(begins), form).toBe(true);
    if (form === 'SVG') expect(content.toString()).not.toMatch(/<style|currentColor"[^>]*color=""/);
  }
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('JSON Lines, tables with tabs, packed tables and Parquet are read as the command reads them', async () => {
  const page = await bench.page();
  const rows = Array.from({ length: 40 }, (_, i) => ({ size: i % 9, label: i % 2 ? 'odd' : 'even' }));
  const tsv = ['size\tlabel', ...rows.map(({ size, label }) => `${size}\t${label}`), ''].join('\n');
  const columnData = [
    { name: 'size', data: rows.map(({ size }) => size) },
    { name: 'label', data: rows.map(({ label }) => label) },
  ];
  const files: readonly (readonly [name: string, format: string, content: string | Buffer])[] = [
    ['rows.jsonl', 'jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join('')],
    ['rows.tsv', 'tsv', tsv],
    ['rows.tsv.gz', 'tsv', gzipSync(tsv)],
    ['rows.parquet', 'parquet', Buffer.from(parquetWriteBuffer({ columnData }))],
  ];
  for (const [name, format, content] of files) {
    await openFile(page, name, content);
    await page.waitForFunction((wanted) => document.querySelector('main p b')?.textContent === wanted, name);
    await expect.poll(() => page.textContent('main p')).toContain(`40 rows · 2 columns · ${format}`);
  }
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('what the command was given is open when the page opens, and a model file can be tried alone', async () => {
  const { path, remove } = folder();
  await polya(['demo', 'sms', '-q'], { cwd: path });
  await polya(['fit', 'sms.csv', '--model', 'multinomial', '-o', 'words.polya', '-q'], { cwd: path });
  const given = await Bench.open({ data: join(path, 'sms.csv'), model: join(path, 'words.polya') });
  const page = await given.page();
  await page.waitForSelector('.column');
  await expect.poll(() => page.textContent('.where')).toMatch(/sms\.csv · multinomial naive Bayes/);
  await show(page, 'try');
  await page.fill('textarea', 'call now to claim your free prize');
  await page.waitForFunction(() => document.querySelector('[data-answer]')?.textContent === 'spam');
  expect(given.faults).toEqual([]);
  await given.close();
  remove();
});

/** Trains, presses Stop as soon as it appears, and returns how long it took. */
async function trainAndStop(): Promise<number> {
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise((next) => setTimeout(next, 1));
  };
  const press = (button: string) => document.querySelector<HTMLButtonElement>(button)?.click();
  press('button.main');
  await until(() => document.querySelector('.progress, [data-evaluation]') !== null);
  const begun = performance.now();
  press('.progress button');
  await until(() => document.querySelector('.progress') === null);
  return performance.now() - begun;
}

test('Stop ends a training at once, and earlier runs can still be looked into', async () => {
  const page = await bench.page();
  const rows = Array.from({ length: 30_000 }, (_, i) => `${i % 3 ? 'ham' : 'spam'},w${i % 701} w${i % 977} w${i % 13}`);
  await openFile(page, 'many.csv', ['label,text', ...rows].join('\n'));
  await page.waitForSelector('.column');
  await show(page, 'train');
  await page.locator('main select').first().selectOption('multinomial');
  await page.click('button.main');
  await page.waitForSelector('[data-evaluation]');
  await settled(page);
  let spent: number | undefined;
  for (let tries = 0; tries < 5 && spent === undefined; tries++) {
    await show(page, 'train');
    await page.locator('main select').first().selectOption('auto');
    const runs = await page.textContent('.where');
    const took = await page.evaluate(trainAndStop);
    await settled(page);
    if ((await page.textContent('.where')) === runs) spent = took; // else the training was over before it was stopped
  }
  if (spent === undefined) throw new Error('five trainings went on to their end');
  console.info(`Stop took ${spent.toFixed(0)} ms`);
  expect(spent).toBeLessThan(atMost(1000));
  await show(page, 'understand', '?tab=words');
  await expect.poll(() => page.locator('figure.chart svg[role=img]').count()).toBe(1);
  await page.close();
  expect(bench.faults).toEqual([]);
});
