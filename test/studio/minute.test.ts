import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Classifier, Random } from '../../src/index.ts';
import { atMost, quiet } from '../quiet.ts';
import { Bench, openFile, show } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'polya-minute-'));
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Messages of words that come as words do, a fifth of them with words of their own. */
function messages(rows: number, words: number): string {
  const random = new Random(11);
  const word = () => `w${Math.floor(words ** random.uniform())}`;
  const lines = Array.from({ length: rows }, (_, i) => {
    const spam = random.uniform() < 0.2;
    const own = Array.from({ length: 4 + random.integer(16) }, word);
    if (spam ? random.uniform() < 0.8 : random.uniform() < 0.05) own.push(`offer${random.integer(200)}`);
    return `${i},${spam ? 'spam' : 'ham'},${own.join(' ')}`;
  });
  return ['id,label,text', ...lines, ''].join('\n');
}

test('the minute: 100,000 rows are opened, trained, tried and exported with three clicks in sixty seconds', async () => {
  const page = await bench.page();
  page.setDefaultTimeout(atMost(60_000));
  await page.evaluate(() => {
    const seen: { at: number; long: number }[] = [];
    Object.assign(globalThis, { longTasks: seen });
    const note = (list: PerformanceObserverEntryList) =>
      seen.push(...list.getEntries().map(({ startTime, duration }) => ({ at: startTime, long: duration })));
    new PerformanceObserver(note).observe({ type: 'longtask' });
  });
  const file = join(folder, 'messages.csv');
  writeFileSync(file, messages(100_000, 30_000));
  let clicks = 0;
  const click = async (selector: string) => {
    clicks++;
    await page.click(selector);
  };
  const begun = performance.now();
  const passed = () => ((performance.now() - begun) / 1000).toFixed(1);
  await page.setInputFiles('input[type=file]', file);
  await page.waitForSelector('.column');
  const opened = passed();
  const from = (await page.evaluate('performance.now()')) as number;
  await click('button.main');
  await page.waitForSelector('[data-evaluation]');
  const scored = passed();
  await click('.rail a[href="#/try"]');
  await page.locator('textarea').pressSequentially('w5 offer3 now');
  await page.waitForFunction(() => document.querySelector('[data-answer]')?.textContent !== '');
  const tried = passed();
  await page.waitForFunction(() => !document.querySelector('.progress'));
  const learned = passed();
  const to = (await page.evaluate('performance.now()')) as number;
  await page.keyboard.press('Tab');
  await page.keyboard.press('g');
  await page.keyboard.press('x');
  await page.waitForSelector('[data-form=polya]');
  const saved = page.waitForEvent('download');
  await click('[data-form=polya]');
  const model = Classifier.load(readFileSync(await (await saved).path()));
  const seconds = (performance.now() - begun) / 1000;
  const tasks = (await page.evaluate('longTasks')) as { at: number; long: number }[];
  const training = tasks.filter(({ at }) => at > from && at < to).map(({ long }) => Math.round(long));
  console.info(
    `the minute: opened ${opened} s, scored ${scored} s, tried ${tried} s, all rows learned ${learned} s, exported ${seconds.toFixed(1)} s, ${clicks} clicks; tasks over 50 ms from the click until all rows are learned: ${training.join(', ') || 'none'}`,
  );
  expect(model.report().learned?.weight).toBe(100_000);
  expect(clicks).toBeLessThanOrEqual(3);
  expect(seconds * 1000).toBeLessThanOrEqual(atMost(60_000));
  const slow = quiet ? training : training.sort((a, b) => b - a).slice(1); // one may have fallen into a pause
  for (const long of slow) expect(long).toBeLessThanOrEqual(quiet ? 50 : Math.max(500, (to - from) / 10));
  await page.close();
  expect(bench.faults).toEqual([]);
}, 1_200_000);

/** Rows of three classes with six numbers and four categories. */
function tableOf(rows: number): string {
  const random = new Random(7);
  const lines = Array.from({ length: rows }, () => {
    const c = random.integer(3);
    const numbers = Array.from({ length: 6 }, (_, j) => (random.normal() + (j < 4 ? c / 2 : 0)).toFixed(3));
    const words = [5, 12, 3, 40].map((size) => `v${random.uniform() < 0.3 ? c : random.integer(size)}`);
    return [...numbers, ...words, `class${c}`].join(',');
  });
  return ['a,b,c,d,e,f,k,l,m,n,label', ...lines, ''].join('\n');
}

test('a table of 100,000 rows is opened and trained in sixty seconds, and shows the remaining time', async () => {
  const page = await bench.page();
  page.setDefaultTimeout(atMost(60_000));
  const file = join(folder, 'table.csv');
  writeFileSync(file, tableOf(100_000));
  const begun = performance.now();
  await page.setInputFiles('input[type=file]', file);
  await page.waitForSelector('.column');
  const opened = (performance.now() - begun) / 1000;
  await page.click('button.main');
  await page.waitForFunction(() => / s left/.test(document.querySelector('.progress')?.textContent ?? ''));
  await page.waitForSelector('[data-evaluation]');
  const scored = (performance.now() - begun) / 1000;
  await page.waitForFunction(() => !document.querySelector('.progress'));
  const seconds = (performance.now() - begun) / 1000;
  console.info(
    `the table: opened ${opened.toFixed(1)} s, evaluated ${scored.toFixed(1)} s, trained ${seconds.toFixed(1)} s`,
  );
  expect(seconds * 1000).toBeLessThanOrEqual(atMost(60_000));
  await page.close();
  expect(bench.faults).toEqual([]);
}, 1_200_000);

test('with 100,000 words every keystroke is answered within a frame', async () => {
  const page = await bench.page();
  const rows = Array.from({ length: 20_000 }, (_, i) =>
    [i % 2 ? 'a' : 'b', Array.from({ length: 10 }, (_, k) => `w${(i * 10 + k) % 100_000}`).join(' ')].join(','),
  );
  await openFile(page, 'words.csv', ['label,text', ...rows].join('\n'));
  await page.waitForSelector('.column');
  await show(page, 'train');
  await page.locator('main select').first().selectOption('multinomial');
  await page.click('button.main');
  await page.waitForSelector('[data-evaluation]');
  await page.waitForFunction(() => !document.querySelector('.progress'));
  await show(page, 'try');
  const times: number[] = [];
  for (const letter of 'w17 w30 call w99999 free w5 w12345') {
    await page.locator('textarea').pressSequentially(letter);
    await page.waitForTimeout(60);
    times.push(Number(await page.getAttribute('[data-milliseconds]', 'data-milliseconds')));
  }
  const order = times.slice(1).sort((a, b) => a - b);
  const median = order[Math.floor(order.length / 2)];
  console.info(
    `a keystroke with 100,000 words: median ${median.toFixed(1)} ms, slowest ${order.at(-1)!.toFixed(1)} ms`,
  );
  expect(median).toBeLessThanOrEqual(atMost(16));
  await page.close();
});

test('the first load is small, and a thousand runs scroll lightly', async () => {
  const page = await bench.page();
  const { root } = bench;
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const named = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name]) => `assets/${name}`);
  const first = new Set(named(read('index.html'), /"\.\/assets\/([^"]+\.js)"/g));
  for (const path of first)
    for (const own of named(read(path), /(?:from|import) ?["']\.\/([^"']+)["']/g)) first.add(own);
  const size = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + gzipSync(read(path)).length, 0);
  const loaded = (): Promise<string[]> =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  await expect.poll(async () => (await loaded()).join()).toMatch(/train-.*evaluate-|evaluate-.*train-/); // the last of what it fetches ahead
  const isWorker = (path: string) => /\/main-|^\/lib\//.test(path); // the live example trains in it, after the page is shown
  const ahead = size((await loaded()).filter((path) => path.endsWith('.js') && !isWorker(path)));
  console.info(
    `script, compressed: ${size(first) / 1000} kB to show the page, ${ahead / 1000} kB with what comes next`,
  );
  expect(size(first)).toBeLessThanOrEqual(40_000);
  expect(ahead).toBeLessThanOrEqual(200_000);
  expect(readdirSync(join(root, 'assets')).every((name) => statSync(join(root, 'assets', name)).size < 1_500_000)).toBe(
    true,
  );
  await openFile(
    page,
    'few.csv',
    ['x,label', ...Array.from({ length: 12 }, (_, i) => `${i % 5},${i % 2 ? 'a' : 'b'}`)].join('\n'),
  );
  await page.waitForSelector('.column');
  await show(page, 'train');
  await page.locator('main select').first().selectOption('gaussian');
  await show(page, 'try'); // from here a training leads nowhere else
  await page.evaluate(async (most) => {
    const where = document.querySelector('.where')!;
    for (let id = 1; id <= most; id++) {
      dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }));
      while (!(where.textContent ?? '').endsWith(` ${id}`) || document.querySelector('.progress')) {
        await new Promise((next) => setTimeout(next));
      }
    }
  }, 1000);
  await show(page, 'train');
  await page.waitForFunction(() => document.querySelector('table.runs')?.getAttribute('aria-rowcount') === '1001');
  expect(await page.locator('table.runs tbody tr').count()).toBeLessThanOrEqual(30);
  const frames = await page.evaluate(async () => {
    const place = document.querySelector('table.runs')!.closest('section')!;
    const gaps: number[] = [];
    let last = performance.now();
    for (let k = 0; k < 60; k++) {
      place.scrollTop += 400;
      await new Promise(requestAnimationFrame);
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    return gaps.sort((a, b) => a - b);
  });
  console.info(`a frame while 1,000 runs scroll: median ${frames[30].toFixed(1)} ms`);
  expect(frames[30]).toBeLessThanOrEqual(atMost(34));
  await page.close();
});
