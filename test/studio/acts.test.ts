import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../browser.ts';
import { Bench, openFile, settled, show, trainMessages, trainSample } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

/** What a button hands over. */
async function saved(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await press();
  return readFileSync(await (await download).path());
}

/** Presses PNG and SVG, and looks at what comes. */
async function expectPictures(page: Page, scope: string, holds: RegExp): Promise<void> {
  const press = (form: string) => () => page.locator(scope).getByRole('button', { name: form }).first().click();
  const svg = (await saved(page, press('SVG'))).toString();
  expect(svg.startsWith('<svg')).toBe(true);
  expect(svg).toMatch(holds);
  expect(svg).not.toMatch(/var\(--|class="handle"[^>]*style=/);
  expect((await saved(page, press('PNG'))).subarray(0, 4).toString('latin1')).toBe('\u0089PNG');
  const alone = await bench.browser.newPage();
  await alone.setContent(`<!doctype html><body>${svg}</body>`);
  const drawn = await alone.evaluate(() => document.querySelector('svg')!.getBoundingClientRect().width);
  expect(drawn).toBeGreaterThan(200);
  await alone.close();
}

test('a point of Boundary is dragged, and the model has learned again before it is let go', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris');
  await show(page, 'boundary');
  const outlines = () =>
    page.evaluate(() => [...document.querySelectorAll('.picture path')].map((path) => path.getAttribute('d')).join());
  const still = async () => {
    let last = '';
    const isStill = async () => last === (last = await outlines());
    await expect.poll(isStill, { interval: 200 }).toBe(true);
    return last;
  };
  const before = await still();
  const dot = await page.evaluate(() => {
    const { left, top, width, height } = [...document.querySelectorAll('.picture svg > g:last-of-type path')]
      .at(0)!
      .getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
  await page.mouse.move(dot.x, dot.y);
  await page.mouse.down();
  await page.mouse.move(dot.x + 60, dot.y - 40, { steps: 4 });
  await page.mouse.move(dot.x + 240, dot.y - 150, { steps: 8 });
  await expect.poll(outlines).not.toBe(before);
  const during = await outlines();
  await page.mouse.move(dot.x + 300, dot.y - 220, { steps: 4 });
  await expect.poll(outlines).not.toBe(during);
  await expect.poll(() => page.locator('.panel button').first().textContent()).toContain('1 moved');
  await page.mouse.up();
  await page.locator('.panel button').first().click();
  await expect.poll(outlines).toBe(before);
  await still();
  await page.mouse.move(dot.x, dot.y);
  await page.mouse.down();
  await page.mouse.move(dot.x + 60, dot.y - 40);
  await still();
  await page.mouse.up(); // where the last move was: there is nothing to learn again
  const dropped = await still();
  await page.mouse.move(dot.x + 60, dot.y - 40);
  await page.mouse.down();
  await page.mouse.move(dot.x + 240, dot.y - 150, { steps: 8 });
  await expect.poll(outlines).not.toBe(dropped);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('contours of p(class) are drawn for every class', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris');
  await show(page, 'boundary');
  const strokes = await page.evaluate(() =>
    [...document.querySelectorAll('.picture g[stroke]')]
      .filter((group) => group.querySelectorAll('path').length >= 6)
      .map((group) => group.getAttribute('stroke')),
  );
  expect(new Set(strokes.filter((stroke) => stroke?.startsWith('#'))).size).toBeGreaterThanOrEqual(3);
  await page.close();
});

test('the dots of a nomogram are dragged and moved by keys; it and the confusion matrix leave as pictures', async () => {
  const page = await bench.page();
  await trainMessages(page);
  await expectPictures(page, 'section:has(.confusion)', /ham/);
  await show(page, 'train');
  await page.locator('main select').first().selectOption('multinomial');
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => document.querySelector('.where')?.textContent?.endsWith('Run 2'));
  await settled(page);
  await show(page, 'understand', '?tab=nomogram&class=spam');
  const share = () => page.locator('.bars li').last().locator('.number').textContent();
  const first = await share();
  await page.locator('.handle').first().focus();
  await page.keyboard.press('End');
  await expect.poll(share).not.toBe(first);
  await expect.poll(() => page.locator('.handle').first().getAttribute('aria-valuetext')).toMatch(/^1: \d/);
  const second = await share();
  const { x, y } = (await page.locator('.handle').nth(1).boundingBox())!;
  await page.mouse.move(x + 7, y + 7);
  await page.mouse.down();
  await page.mouse.move(x + 900, y + 7, { steps: 5 });
  await expect.poll(share).not.toBe(second);
  await page.mouse.up();
  await expectPictures(page, 'figure.chart', /claim/);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('the belief in three shares sharpens as rows are counted', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris');
  await show(page, 'understand', '?tab=posterior');
  const height = () =>
    page.evaluate(() => document.querySelector('.picture svg g[clip-path]')!.getBoundingClientRect().height);
  await page.waitForSelector('.picture svg g[clip-path]', { state: 'attached' });
  const sharp = await height();
  const reading = () => page.locator('figure.chart figcaption p').textContent();
  await expect.poll(reading).toContain('Dirichlet(51, 51, 51)');
  await page.locator('input[type=range]').last().focus();
  for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowLeft');
  await expect.poll(reading).not.toContain('51');
  await expect.poll(height).toBeGreaterThan(1.5 * sharp);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a word is left out and learned again at once, put back, and pinned words stay on top', async () => {
  const page = await bench.page();
  await trainMessages(page);
  await show(page, 'train');
  await page.locator('main select').first().selectOption('multinomial');
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => document.querySelector('.where')?.textContent?.endsWith('Run 2'));
  await settled(page);
  await show(page, 'understand', '?tab=words');
  const size = async () =>
    Number(/([\d,]+) words/.exec((await page.textContent('.where')) ?? '')?.[1].replaceAll(',', ''));
  const all = await size();
  expect(all).toBeGreaterThan(300);
  const words = () => page.locator('[data-leave-out]').evaluateAll((all) => all.map((own) => own.dataset.leaveOut));
  const before = await words();
  await page.getByRole('button', { name: `Pin ${before[4]} to the top` }).click();
  await expect.poll(words).toEqual([before[4], ...before.filter((word) => word !== before[4])]);
  await expect.poll(() => page.url()).toContain(`pin=${before[4]}`);
  const [word] = before;
  await page.getByRole('button', { name: `Train without ${word}`, exact: true }).click();
  await page.waitForFunction(() => document.querySelector('.where')?.textContent?.endsWith('Run 3'));
  await settled(page);
  await expect.poll(size).toBe(all - 1);
  await expect.poll(words).not.toContain(word);
  await page.locator('.switches button').first().click();
  await expect.poll(() => page.textContent('[data-copy=cli]')).toContain(`--stop-words ${word},`);
  await page.getByRole('button', { name: `Restore ${word}` }).click();
  await page.waitForFunction(() => document.querySelector('.where')?.textContent?.endsWith('Run 4'));
  await expect.poll(size).toBe(all);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a run is named, and the name is on every screen', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris');
  await show(page, 'train');
  await page.getByLabel('Name of run 1').fill('<b>all columns</b>');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.textContent('.where')).toContain('<b>all columns</b>');
  await show(page, 'compare');
  await expect.poll(() => page.textContent('main table')).toContain('<b>all columns</b>');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('what was chosen for columns comes back with a file of the same columns, until it is forgotten', async () => {
  const context = await bench.browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(bench.served.url());
  const rows = Array.from({ length: 60 }, (_, i) => `${i % 7},${i % 3},${i % 2 ? 'yes' : 'no'}`);
  const csv = ['size,code,label', ...rows].join('\n');
  await openFile(page, 'first.csv', csv);
  await page.waitForSelector('.column');
  await page.locator('.column:has-text("code") select').selectOption('category');
  await settled(page); // effects have run: the choice is stored
  await page.reload();
  await openFile(page, 'second.csv', csv);
  await page.waitForSelector('.column');
  await expect.poll(() => page.locator('mark').first().textContent()).toBe('as last time');
  expect(await page.locator('.column:has-text("code") select').inputValue()).toBe('category');
  await page.getByRole('button', { name: 'Use the detected settings' }).click();
  await expect.poll(() => page.locator('.column:has-text("code") select').inputValue()).toBe('');
  await settled(page); // effects have run: the choice is stored
  await page.reload();
  await openFile(page, 'third.csv', csv);
  await page.waitForSelector('.column');
  await expect.poll(() => page.locator('mark').first().textContent()).toBe('guessed');
  await context.close();
});

test('what the library says is said in Chinese too', async () => {
  const page = await bench.page();
  await page.locator('.switches select').last().selectOption('zh-CN');
  await openFile(page, 'empty.csv', '');
  await page.waitForSelector('.refusal');
  expect(await page.textContent('.refusal')).toMatch(/“empty\.csv”是空文件.*E_EMPTY_INPUT/);
  const rows = Array.from({ length: 60 }, (_, i) => `${i},${i % 7},same,${i < 57 ? (i % 2 ? '是' : '否') : '少'}`);
  await openFile(page, 'rows.csv', ['id,size,fixed,label', ...rows].join('\n'));
  await page.waitForSelector('.column');
  await settled(page);
  const result = await page.locator('.warnings').textContent();
  expect(result).toContain('类别“少”只有 3 行');
  expect(result).toContain('“fixed”列总是同一个值');
  expect(result).not.toMatch(/column|class|rows/);
  expect(await page.textContent('main')).not.toMatch(/named like|of the first/);
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await expect.poll(() => page.textContent('.where')).toMatch(/贝叶斯|判别|估计|罐子/);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('the gate for CI is saved as a script', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris');
  const script = await saved(page, () => page.getByRole('button', { name: 'Save as gate.sh' }).click());
  expect(script.toString()).toMatch(
    /^#!\/bin\/sh\nset -e\npolya evaluate held-out\.csv -m iris\.polya --fail-under \w+\.recall=[\d.]+\n$/,
  );
  await page.close();
});
