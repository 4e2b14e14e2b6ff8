import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadIris } from '../../src/datasets/iris.ts';
import { Bench, openFile, settled, show, someMessages, trainMessages, trainSample, violations } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

const total = (page: Page) => page.getAttribute('[data-total]', 'data-total');

/** Opens a list of files as the button for folders or files does. */
async function openMany(page: Page, files: readonly (readonly [name: string, content: string])[]): Promise<void> {
  await show(page, 'start');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(files.map(([name, content]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })));
}

test('identifiers are left out, the split column is offered and used, and a column that explains the label is reported', async () => {
  const page = await bench.page();
  const rows = Array.from({ length: 200 }, (_, i) => {
    const label = i % 2 ? 'yes' : 'no';
    const hint = i % 10 === 0 ? 'x' : label === 'yes' ? 'y' : 'n';
    return `${1000 + i},${i < 150 ? 'train' : 'test'},${hint},${(i * 7) % 13},${label}`;
  });
  await openFile(page, 'orders.csv', ['order_id,split,code,size,label', ...rows].join('\n'));
  await page.waitForSelector('.column');
  await settled(page);
  const warnings = await page.textContent('.warnings');
  expect(warnings).toContain('"order_id" is an identifier');
  expect(warnings).toMatch(/"code" alone explains \d+\.\d % of the label's entropy/);
  expect(await page.locator('.column.ignored h3').allTextContents()).toEqual(['order_id', 'split']);
  await page.getByLabel('Rows to evaluate on').selectOption('split');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await expect.poll(() => page.textContent('main')).toContain('50 held-out rows; trained on 150 rows');
  await page.locator('.switches button').first().click();
  await expect.poll(() => page.textContent('[data-copy=cli]')).toContain('--split-column split');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('rows are searched, filtered by class and by errors, and sorted', async () => {
  const page = await bench.page();
  await trainMessages(page, 'multinomial');
  await show(page, 'data');
  expect(await total(page)).toBe('500');
  await page.getByLabel('Contains the words').fill('free call');
  const wanted = someMessages()
    .split('\n')
    .filter((line) => /free/i.test(line) && /call/i.test(line)).length;
  await expect.poll(() => total(page)).toBe(String(wanted));
  await page.getByLabel('Contains the words').fill('');
  await page.locator('.filters select').first().selectOption('spam');
  await expect.poll(async () => Number(await total(page))).toBeLessThan(120);
  await page.locator('.filters select').first().selectOption('');
  await page.getByLabel('Held-out rows').selectOption('wrong');
  await expect.poll(async () => Number(await total(page))).toBeLessThan(10);
  expect(Number(await total(page))).toBeGreaterThan(0);
  expect(await page.locator('.grid td.wrong').count()).toBe(Number(await total(page)));
  await page.close();
  const iris = await bench.page();
  await show(iris, 'start');
  await iris.click('[data-sample=iris]');
  await iris.waitForSelector('.grid');
  const [name] = loadIris().columns;
  await iris.locator('.grid th button', { hasText: name }).click();
  const first = () => iris.locator('.grid tbody tr').first().locator('td').nth(1).textContent();
  const values = loadIris().rows.map((row) => Number(row[name]));
  await expect.poll(first).toBe(String(Math.min(...values)));
  await iris.locator('.grid th button', { hasText: name }).click();
  await expect.poll(first).toBe(String(Math.max(...values)));
  await iris.close();
  expect(bench.faults).toEqual([]);
});

test('a bin, a range of bins or a value filters the rows, by pointer and by keys, together with the other filters', async () => {
  const page = await bench.page();
  await show(page, 'start');
  await page.click('[data-sample=iris]');
  await page.waitForSelector('.grid');
  await settled(page);
  const values = loadIris().rows.map(({ sepal_length: x }) => Number(x));
  const width = (Math.max(...values) - Math.min(...values)) / 24;
  /** The rows of a range of bins; the last bin has the maximum too. */
  const within = (first: number, last: number) => {
    const bin = (x: number) => Math.min(23, Math.floor((x - Math.min(...values)) / width + 1e-9));
    return values.filter((x) => bin(x) >= first && bin(x) <= last).length;
  };
  const spark = page.locator('.column:has(bdi:text-is("sepal_length")) .spark');
  const chips = () => page.locator('.filters .chip').allTextContents();
  await spark.focus();
  await page.keyboard.press('End');
  expect(await spark.locator('.tip').textContent()).toContain(`n = ${within(23, 23)}`);
  await page.keyboard.press('Enter');
  await expect.poll(() => total(page)).toBe(String(within(23, 23)));
  expect(await chips()).toEqual(['sepal_length 7.75 – 7.9 ×']);
  expect(await spark.locator('rect.chosen').count()).toBe(1);
  await page.keyboard.press('Enter'); // the same bin once more
  await expect.poll(() => total(page)).toBe('150');
  await page.keyboard.press('Home');
  for (let k = 0; k < 3; k++) await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => total(page)).toBe(String(within(0, 3)));
  expect(await spark.locator('rect.chosen').count()).toBe(4);
  await page.locator('.filters .chip').click();
  await expect.poll(() => total(page)).toBe('150');
  await spark.scrollIntoViewIfNeeded();
  const { x, y, width: wide, height } = (await spark.boundingBox())!;
  const at = (bin: number) => x + ((bin + 0.5) * wide) / 24;
  await page.mouse.move(at(14), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(at(11), y + height / 2, { steps: 3 });
  expect(await spark.locator('.brush').count()).toBe(1);
  await page.mouse.move(at(8), y + height + 60, { steps: 3 }); // below the picture
  await page.mouse.up();
  await expect.poll(() => total(page)).toBe(String(within(8, 14)));
  expect(await spark.locator('.brush').count()).toBe(0);
  const shown = await page.locator('.grid tbody tr td:nth-child(2)').allTextContents();
  for (const cell of shown) expect(Number(cell)).toBeGreaterThan(5.4);
  await page.locator('.filters select').first().selectOption('setosa');
  const both = loadIris().rows.filter(
    ({ sepal_length: own, species }) => species === 'setosa' && Number(own) > 5.45 && Number(own) < 6.55,
  ).length;
  await expect.poll(() => total(page)).toBe(String(both));
  expect(await violations(page)).toEqual([]);
  await page.reload(); // the filters are in the address
  await expect.poll(() => total(page)).toBe(String(both));
  await page.locator('.filters .chip').press('Enter');
  await expect.poll(() => total(page)).toBe('50');
  await page.close();
  const titanic = await bench.page();
  await titanic.click('[data-sample=titanic]');
  await titanic.waitForSelector('.grid');
  const column = titanic.locator('.column:has(bdi:text-is("sex"))');
  const value = column.locator('.bars li', { hasText: 'female' });
  const share = (await value.locator('.number').textContent())!;
  await value.locator('button').click();
  await expect.poll(async () => Number(await total(titanic)) / 2201).toBeCloseTo(Number.parseFloat(share) / 100, 2);
  expect(await titanic.locator('.filters .chip').textContent()).toBe('sex = female ×');
  await titanic.close();
  expect(bench.faults).toEqual([]);
});

test('a cell is changed in place: the model follows, and undo brings both back', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris', 'gaussian');
  const sha = async () => {
    await show(page, 'export');
    return page.locator('.facts div', { hasText: 'SHA-256' }).locator('dd').textContent();
  };
  const before = await sha();
  await show(page, 'data');
  const cell = page.locator('.grid tbody tr').first().locator('.cell-value').first();
  const value = await cell.textContent();
  await cell.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('9.75');
  await page.keyboard.press('Enter');
  await expect.poll(() => cell.textContent()).toBe('9.75');
  await expect.poll(sha).not.toBe(before);
  await show(page, 'data');
  const download = page.waitForEvent('download');
  await page.click('[data-merged]');
  expect(readFileSync(await (await download).path(), 'utf8').split('\n')[1]).toMatch(/^9\.75,/);
  await page.keyboard.press('u');
  await expect.poll(() => cell.textContent()).toBe(value);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('encodings are detected, and another one is chosen from the menu', async () => {
  const page = await bench.page();
  // 「很好」「不好」 in GBK, and the same file in UTF-16
  const gbk = Buffer.concat([
    Buffer.from('text,label\n'),
    ...Array.from({ length: 20 }, (_, i) =>
      Buffer.concat([
        Buffer.from(i % 2 ? [0xba, 0xdc, 0xba, 0xc3] : [0xb2, 0xbb, 0xba, 0xc3]),
        Buffer.from(`,${i % 2 ? 'a' : 'b'}\n`),
      ]),
    ),
  ]);
  await openFile(page, 'hotels.csv', gbk);
  await page.waitForSelector('.grid');
  expect(await page.getByLabel('Encoding').inputValue()).toBe('gb18030');
  expect(await page.textContent('.grid tbody')).toContain('不好');
  await page.getByLabel('Encoding').selectOption('windows-1252');
  await expect.poll(() => page.textContent('.grid tbody')).toContain('²»');
  await openFile(page, 'wide.csv', Buffer.from('text,label\ngood,a\nbad,b\n', 'utf16le'));
  await expect.poll(() => page.textContent('.where')).toContain('wide.csv');
  await page.waitForSelector('.grid');
  expect(await page.getByLabel('Encoding').inputValue()).toBe('utf-16le');
  expect(await page.textContent('.grid tbody')).toContain('good');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('JSON arrays, several files and rows that cannot be read', async () => {
  const page = await bench.page();
  const objects = Array.from({ length: 30 }, (_, i) => ({ size: i, kind: i % 2 ? 'a' : 'b' }));
  await openFile(page, 'rows.json', JSON.stringify(objects));
  await page.waitForSelector('.grid');
  await expect.poll(() => page.textContent('main p')).toContain('30 rows');
  await openMany(page, [
    ['first.csv', 'size,kind\n1,a\n2,b\n'],
    ['second.csv', 'kind,size\nb,3\na,4\na,5\n'],
  ]);
  await expect.poll(() => page.textContent('main p')).toContain('5 rows');
  await openFile(
    page,
    'broken.csv',
    ['size,kind', ...objects.map(({ size, kind }) => `${size},${kind}`), '1,2,3,4'].join('\n'),
  );
  await expect.poll(() => page.locator('[data-bad]').count()).toBe(1);
  expect(await page.textContent('[data-bad] h2')).toContain('1 row could not be read');
  const [bad, target] = await page.evaluate(() =>
    ['[data-bad]', 'section.card'].map((own) => document.querySelector(own)!.getBoundingClientRect().top),
  );
  expect(bad).toBeLessThan(target); // it is said at the top
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a folder with a sub-folder of texts for each class is a table of texts', async () => {
  const root = join(mkdtempSync(join(tmpdir(), 'polya-folder-')), 'mail');
  for (const label of ['good', 'bad']) {
    mkdirSync(join(root, label), { recursive: true });
    for (let k = 0; k < 12; k++)
      writeFileSync(join(root, label, `${k}.txt`), `${label} words, number ${k}\nand a second line`);
  }
  const page = await bench.page();
  await page.locator('input[data-files=folder]').setInputFiles(root);
  await page.waitForSelector('.grid');
  await expect.poll(() => page.textContent('main p')).toMatch(/^mail 24 rows · 3 columns · folder/);
  expect(await page.locator('.bars').first().textContent()).toContain('good');
  expect(await page.locator('.column.target h3').textContent()).toBe('label');
  await page.close();
  rmSync(dirname(root), { recursive: true });
  expect(bench.faults).toEqual([]);
});

test('what a format cannot do is said before the click; classes keep their names', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris', 'gaussian');
  await show(page, 'export');
  const possible = (form: string) => page.locator(`li:has([data-form=${form}])`).getAttribute('data-possible');
  await expect.poll(() => page.locator('[data-form=json]').isEnabled()).toBe(true);
  const saved = async (form: string) => {
    await expect.poll(() => page.locator(`[data-form=${form}]`).isEnabled()).toBe(true);
    const download = page.waitForEvent('download');
    await page.click(`[data-form=${form}]`);
    return readFileSync(await (await download).path(), 'utf8');
  };
  expect(JSON.parse(await saved('json'))).toMatchObject({ model: 'Classifier' });
  expect(await saved('sql')).toMatch(/SELECT/i);
  expect(await saved('csv')).toMatch(/^feature,mean_setosa/);
  expect(await saved('ts')).toContain('export');
  await show(page, 'train');
  await page.locator('main select').first().selectOption('auto');
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => document.querySelector('.where')?.textContent?.endsWith('Run 2'));
  await settled(page);
  await show(page, 'export');
  await expect.poll(() => possible('csv')).toBe('false');
  expect(await page.locator('[data-form=csv]').isDisabled()).toBe(true);
  expect(await page.locator('li:has([data-form=csv])').textContent()).toContain('no parameters by feature');
  await page.close();
  expect(bench.faults).toEqual([]);
});
