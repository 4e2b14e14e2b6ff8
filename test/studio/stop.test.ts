import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, openFile, settled, show } from './harness.ts';

/** What Stop keeps. */
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

/** Begins a search on a sample of which every model takes a while. */
async function beginSearch(page: Page): Promise<void> {
  await show(page, 'start');
  await page.click('[data-sample=reviews]');
  await page.waitForSelector('.column');
  await show(page, 'train');
}

/** Runs in the page: begins the training and presses Stop as soon as the page shows `when`, then once more if `twice`. */
async function stopWhen({ when, twice }: { when: string; twice: boolean }): Promise<string> {
  const until = async (holds: () => unknown) => {
    while (!holds()) await new Promise((next) => setTimeout(next, 1));
  };
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  find('button.main')!.click();
  await until(() => find('main')!.textContent!.includes(when));
  find('[data-stop]')?.click();
  await new Promise((next) => setTimeout(next, 20));
  const said = find('.progress [role=status]')?.textContent ?? '';
  if (twice) find('[data-stop]')?.click();
  await until(() => find('.progress') === null);
  return said;
}

test('Stop during a search keeps the best model found so far, says so, and the model is complete', async () => {
  const page = await bench.page();
  await beginSearch(page);
  const said = await page.evaluate(stopWhen, { when: '2 models so far', twice: false });
  expect(said).toBe('Finishing with the best models so far.');
  await page.waitForSelector('[data-evaluation]');
  await settled(page);
  await expect.poll(() => page.textContent('[data-stopped]')).toContain('the best model found until then');
  const { accuracy } = JSON.parse((await page.getAttribute('[data-evaluation]', 'data-evaluation'))!);
  expect(accuracy.value).toBeGreaterThan(0.7);
  await show(page, 'try');
  await page.fill('textarea', 'a masterpiece, moving and beautifully acted');
  await expect.poll(() => page.textContent('[data-answer]')).toBe('positive');
  await page.reload();
  await show(page, 'evaluate');
  await page.waitForSelector('[data-stopped=search]');
  await page.locator('[data-folds]').click(); // not a search, so Stop ends it at once
  await page.locator('[data-stop]').click();
  await expect.poll(() => page.locator('.progress').count()).toBe(0);
  await expect.poll(() => page.textContent('main')).toContain('nothing to keep');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a second press discards the search, and the page says that nothing was kept', async () => {
  const page = await bench.page();
  await beginSearch(page);
  await page.evaluate(stopWhen, { when: '2 models so far', twice: true });
  await settled(page);
  expect(await page.textContent('main > [role=status]')).toContain('nothing to keep');
  expect(await page.locator('.runs tbody tr').count()).toBe(0);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('Stop after the evaluation keeps the evaluated model, and corrections of held-out rows leave it exact', async () => {
  const page = await bench.page();
  const rows = Array.from({ length: 30_000 }, (_, i) => `${i % 3 ? 'ham' : 'spam'},w${i % 701} w${i % 977} w${i % 13}`);
  await openFile(page, 'many.csv', ['label,text', ...rows].join('\n'));
  await page.waitForSelector('.column');
  await show(page, 'train');
  await page.locator('main select').first().selectOption('multinomial');
  await page.evaluate(stopWhen, { when: 'these numbers are final', twice: false });
  await settled(page);
  await expect.poll(() => page.textContent('[data-stopped]')).toContain('not the held-out rows');
  await show(page, 'data', '?answers=wrong');
  await page.waitForSelector('.grid td.label .cell-value');
  const sha = async () => {
    await show(page, 'export');
    return page.locator('.facts div', { hasText: 'SHA-256' }).locator('dd').textContent();
  };
  const before = await sha();
  await show(page, 'data', '?answers=wrong');
  await page.locator('.grid td.label .cell-value').first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('ham');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.textContent('main')).toContain('1 change so far');
  expect(await sha()).toBe(before); // the row is none of those that it has learned
  await page.close();
  expect(bench.faults).toEqual([]);
});
