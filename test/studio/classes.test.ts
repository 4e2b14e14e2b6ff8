import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/index.ts';
import { Bench, openFile, settled, show, trainSample } from './harness.ts';

/** Pictures of data with more classes than they show. */
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

/** Rows of forty classes; the names have commas and quotes. */
function manyClasses(): string {
  const random = new Random(2);
  const rows = Array.from({ length: 1200 }, (_, i) => {
    const c = i % 40;
    return `"class ""${c}"", ${c % 3}",${(c + random.normal()).toFixed(2)},${(c * 0.5 + random.normal()).toFixed(2)},w${c} w${i % 7}`;
  });
  return ['label,x,y,text', ...rows, ''].join('\n');
}

async function trained(features: string, model: string): Promise<Page> {
  const page = await bench.page();
  await openFile(page, 'many.csv', manyClasses());
  await page.waitForSelector('.column');
  await show(page, 'train');
  await page.locator('main select').first().selectOption(model);
  if (features) {
    await page.locator('main details summary').first().click();
    await page.locator(`.checks label:has-text("${features}") input`).uncheck();
  }
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await page.waitForFunction(() => !document.querySelector('.progress'));
  await settled(page);
  return page;
}

const name = (c: number): string => `class "${c}", ${c % 3}`;

test('pictures that show some of the classes say so and let the reader choose', async () => {
  const page = await trained('', 'mixed');
  const summary = () => page.locator('[data-some-classes] summary').textContent();
  await show(page, 'boundary');
  expect(await summary()).toBe('8 of 40 classes are shown. Choose up to 8.');
  expect(await page.locator('figure .keys li').count()).toBe(8);
  await page.locator('[data-some-classes] summary').click();
  await page.locator(`[data-some-classes] label:has-text('class "37"') input`).check();
  await expect.poll(() => page.locator('figure .keys').textContent()).toContain(name(37));
  expect(await page.locator('figure .keys li').count()).toBe(8);
  const pair = `&classes=${encodeURIComponent(JSON.stringify([name(5), name(31)]))}`;
  for (const [screen, view] of [
    ['boundary', '?'],
    ['understand', '?tab=densities'],
    ['understand', '?tab=words'],
    ['evaluate', '?'],
  ] as const) {
    await show(page, screen, view + pair);
    expect(await summary(), screen + view).toMatch(/^2 of 40 classes are shown/);
    const drawn = await page.locator('main').textContent();
    expect(drawn).toContain(name(31));
  }
  const heads = await page.locator('table.confusion thead th').allTextContents();
  expect(heads.slice(1)).toEqual([name(31), name(5)]); // in the order of the labels
  await page.close();
});

test('curves are drawn for any class that has held-out rows', async () => {
  const page = await trained('', 'mixed');
  await show(page, 'evaluate', `?class=${encodeURIComponent(name(33))}&threshold=0.2`);
  await expect.poll(() => page.locator('figure.chart svg[role=img]').count()).toBeGreaterThan(4);
  await settled(page);
  expect(await page.locator('.sticky select').inputValue()).toBe(name(33));
  expect(await page.textContent('p.big')).toContain(name(33));
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('the ellipses of the diagonal mode are parallel to the axes, those of the others are not', async () => {
  const page = await bench.page();
  await trainSample(page, 'iris', 'gaussian');
  /** For each dashed outline, how far its highest point is from its middle, in half widths. */
  const tilts = async () =>
    page
      .locator('figure .picture path[stroke-dasharray="6 4"], figure .picture g[stroke-dasharray="6 4"] path')
      .evaluateAll((paths) =>
        paths.map((path) => {
          const numbers = (path.getAttribute('d') ?? '').match(/-?[\d.]+/g)!.map(Number);
          const points = Array.from({ length: numbers.length / 2 }, (_, k) => [numbers[2 * k], numbers[2 * k + 1]]);
          const xs = points.map(([x]) => x);
          const [low, high] = [Math.min(...xs), Math.max(...xs)];
          const top = points.reduce((best, point) => (point[1] < best[1] ? point : best));
          return Math.abs(top[0] - (low + high) / 2) / ((high - low) / 2);
        }),
      );
  await show(page, 'boundary', '?x=sepal_length&y=sepal_width');
  expect(Math.max(...(await tilts()))).toBeGreaterThan(0.3);
  await show(page, 'boundary', '?x=sepal_length&y=sepal_width&diagonal=1');
  await expect.poll(async () => Math.max(...(await tilts()))).toBeLessThan(0.06); // an outline has 60 points
  expect((await tilts()).length).toBe(3);
  await page.close();
});
