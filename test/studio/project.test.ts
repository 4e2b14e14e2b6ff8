import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../browser.ts';
import { Bench, openFile, settled, show, someMessages, trainMessages } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

const isSaved = (page: Page) => expect.poll(() => page.getAttribute('.bar', 'data-saved')).toBe('true');

/** Labels the first row that is asked for, and corrects a text on Try. */
async function labelAndCorrect(page: Page): Promise<void> {
  await show(page, 'label', '?queue=doubted');
  await page.waitForSelector('.card dl');
  await page.keyboard.press('2');
  await expect.poll(() => page.getAttribute('[data-given]', 'data-given')).toBe('1');
  await show(page, 'try');
  await page.fill('textarea', 'lunch at the zebra pavilion');
  await page.locator('textarea').blur();
  await page.waitForSelector('[data-answer]');
  await page.getByRole('button', { name: 'Learn' }).click();
  await expect.poll(() => page.textContent('main')).toMatch(/learned 2 here/i); // the label and the correction
}

test('a reload brings back data, runs, labels, corrections and tries', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  await labelAndCorrect(page);
  const before = await page.textContent('[data-answer]');
  await isSaved(page);
  await page.reload();
  await page.waitForSelector('[data-answer]');
  await settled(page);
  expect(await page.inputValue('textarea')).toBe('lunch at the zebra pavilion');
  await expect.poll(() => page.textContent('[data-answer]')).toBe(before);
  expect(await page.textContent('main table')).toContain('zebra');
  await show(page, 'evaluate');
  await page.waitForSelector('[data-evaluation]');
  await show(page, 'label', '?queue=doubted');
  await expect.poll(() => page.getAttribute('[data-given]', 'data-given')).toBe('2');
  await show(page, 'data', '?search=zebra');
  await expect.poll(() => page.getAttribute('[data-total]', 'data-total')).toBe('1');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('opening other data asks first, and a recent project opens with a click', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  await isSaved(page);
  await openFile(page, 'other.csv', 'size,label\n1,a\n2,b\n3,a\n4,b\n');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.textContent('.where')).toContain('sms.csv');
  await openFile(page, 'other.csv', 'size,label\n1,a\n2,b\n3,a\n4,b\n');
  await page.click('[data-leave]');
  await expect.poll(() => page.textContent('.where')).toContain('other.csv');
  await isSaved(page);
  await show(page, 'start');
  await page.locator('.projects button', { hasText: 'sms.csv' }).first().click();
  await page.waitForSelector('.grid');
  await expect.poll(() => page.textContent('.where')).toMatch(/sms\.csv.*Run 1$/);
  await show(page, 'evaluate');
  await page.waitForSelector('[data-evaluation]');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a project is saved to a file and opened in another browser, with its labels and runs', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  await labelAndCorrect(page);
  await show(page, 'start');
  const download = page.waitForEvent('download');
  await page.click('[data-save-project]');
  const file = readFileSync(await (await download).path());
  await page.close();
  const other = await bench.page(); // a context of its own, with nothing kept
  expect(await other.locator('.projects').count()).toBe(0);
  await openFile(other, 'sms.polya-project', file);
  await expect.poll(() => other.textContent('.where')).toMatch(/sms\.csv.*Run 1$/);
  await show(other, 'label', '?queue=doubted');
  await expect.poll(() => other.getAttribute('[data-given]', 'data-given')).toBe('2');
  await show(other, 'evaluate');
  await other.waitForSelector('[data-evaluation]');
  await openFile(other, 'broken.polya-project', file.subarray(0, file.length - 10));
  await other.waitForSelector('.refusal');
  expect(await other.textContent('.refusal')).toContain('damaged');
  await other.close();
  expect(bench.faults).toEqual([]);
});

test('a file that cannot be read leaves what is open as it was', async () => {
  const page = await bench.page();
  await openFile(page, 'sms.csv', someMessages());
  await page.waitForSelector('.column');
  await openFile(page, 'empty.csv', '');
  await page.waitForSelector('.refusal');
  await show(page, 'data');
  await page.waitForSelector('.grid');
  expect(await page.textContent('.where')).toContain('sms.csv');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await page.close();
});

test('all screens work when the server is gone, also after a reload', async () => {
  const own = await Bench.open();
  const page = await own.page();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).scope); // its files are kept by then
  await trainMessages(page, 'multinomial');
  await isSaved(page);
  await own.served.close();
  for (const screen of ['data', 'train', 'evaluate', 'understand', 'boundary', 'try', 'label', 'compare', 'export']) {
    await show(page, screen);
    expect(await page.locator('main .refusal').count(), screen).toBe(0);
  }
  const download = page.waitForEvent('download');
  await page.click('[data-form=js]'); // its code is loaded now
  await download;
  await page.reload();
  await page.waitForSelector('h1');
  await expect.poll(() => page.textContent('.where'), { timeout: PATIENCE }).toContain('sms.csv');
  await show(page, 'evaluate');
  await page.waitForSelector('[data-evaluation]');
  await own.browser.close();
});

test('a screen that cannot be loaded says so, and is loaded when it is tried again', async () => {
  const page = await bench.page({ serviceWorkers: 'block' });
  await openFile(page, 'sms.csv', someMessages());
  await page.waitForSelector('.column');
  await page.route(/\/assets\/export-.*\.js$/, (route) => route.abort());
  await page.evaluate(() => (location.hash = '#/export'));
  await page.waitForSelector('.refusal');
  expect(await page.textContent('h1')).toBe('Export');
  await page.unroute(/\/assets\/export-.*\.js$/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.locator('.refusal').count()).toBe(0);
  await page.waitForSelector('main .card');
  await page.close();
  bench.faults.length = 0; // the aborted request is one
});
