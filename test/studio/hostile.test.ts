import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { screens } from '../../studio/screen-names.ts';
import { PATIENCE } from '../browser.ts';
import { Bench, openFile, settled, show, trainSample } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(() => bench.close());

const hostile = [
  '<img src=x onerror="globalThis.broken=1">',
  '"><svg onload=globalThis.broken=1>',
  'javascript:globalThis.broken=1',
  '{{7*7}}',
  '</script><script>globalThis.broken=1</script>',
];

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

test('labels, words, columns and file names that look like markup are text on every screen and in the report', async () => {
  const page = await bench.page();
  const rows = Array.from({ length: 120 }, (_, i) => {
    const c = i % hostile.length;
    return [`${hostile[c]} word${c} word${i % 7} نص عربي 文字`, String(i * (c + 1)), hostile[(c + 1) % 2], hostile[c]];
  });
  const heads = ['<b>text</b>', 'number<i>', '__proto__', '<u>label</u>'];
  const csv = [heads, ...rows].map((row) => row.map(quote).join(',')).join('\n');
  await openFile(page, '<img src=x onerror=globalThis.broken=2>.csv', csv);
  await page.waitForSelector('.column');
  await page.getByLabel('Column with the label').first().selectOption('<u>label</u>');
  await page.waitForFunction(() => document.querySelectorAll('.bars li').length >= 5);
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await settled(page);
  for (const [name] of screens) {
    await show(page, name);
    expect(await page.locator('main img, main script, main [onload], main [onerror]').count(), name).toBe(0);
    expect(await page.evaluate('globalThis.broken'), name).toBeUndefined();
  }
  for (const tab of ['words', 'densities', 'posterior', 'nomogram', 'assumptions'])
    await show(page, 'understand', `?tab=${tab}`);
  await show(page, 'evaluate');
  expect(await page.textContent('main')).toContain(hostile[0]);
  await show(page, 'export');
  const saved = page.waitForEvent('download');
  await page.click('[data-form=report]');
  const report = await bench.browser.newPage();
  await report.goto(`file://${await (await saved).path()}`);
  expect(await report.evaluate('globalThis.broken')).toBeUndefined();
  expect(await report.locator('img').count()).toBe(0);
  await report.close();
  expect(await page.evaluate('globalThis.broken')).toBeUndefined();
  await page.close();
  expect(bench.faults).toEqual([]);
});

const header = (columns: number) => Array.from({ length: columns }, (_, k) => `c${k}`).join(',');

const refused: readonly (readonly [name: string, file: string, content: () => string | Buffer, says: RegExp])[] = [
  ['nothing', 'empty.csv', () => '', /empty/],
  ['a header alone', 'header.csv', () => 'a,b\n', /no rows/],
  ['a picture', 'picture.png', () => Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), /picture/],
  ['broken gzip', 'rows.csv.gz', () => gzipSync('a,b\n1,2\n'.repeat(999)).subarray(0, 40), /unpacked/],
  ['bytes that are no text', 'binary.csv', () => Buffer.from(`a,b\n${'\xe9\0,1\n'.repeat(30)}`, 'latin1'), /NUL byte/],
  ['10,000 columns', 'wide.csv', () => `${header(10_000)}\n${header(10_000)}\n`, /10000 columns/],
  ['a model that is none', 'no.polya', () => 'not a model', /E_MODEL/],
  ['200 MB', 'large.csv', () => Buffer.alloc(200_000_000, 'a,b\n'), /200 MB/],
];

test.each(refused)('%s is refused with a sentence, and the page lives on', async (_, file, content, says) => {
  const page = await bench.page();
  const bytes = content();
  if (bytes.length < 40_000_000) await openFile(page, file, bytes);
  else {
    // more than the browser takes over the wire of the test: made where it is read
    await page.evaluate(
      ([name, size]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(Number(size)).fill(97)], String(name)));
        const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
        input.files = transfer.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      },
      [file, bytes.length] as const,
    );
  }
  await page.waitForSelector('.refusal');
  await expect.poll(() => page.textContent('.refusal')).toMatch(says);
  await page.click('.refusal button');
  await page.click('[data-sample=sms]');
  await page.waitForSelector('.column');
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('a column of 100,000 labels is refused as a target, and the last target stays', async () => {
  const page = await bench.page();
  const rows = Array.from({ length: 100_000 }, (_, i) => `name${i},${i % 2 ? 'yes' : 'no'},${i % 10}`);
  await openFile(page, 'names.csv', ['who,label,x', ...rows].join('\n'));
  await page.waitForSelector('.column');
  await page.getByLabel('Column with the label').first().selectOption('who');
  await page.waitForSelector('.refusal');
  expect(await page.textContent('.refusal')).toMatch(/100000 distinct labels/);
  await page.close();
});

test('the page may not be framed, and asks for nothing but itself', async () => {
  const answer = await fetch(`http://127.0.0.1:${bench.served.port}/`);
  expect(answer.status).toBe(403);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a page of another origin cannot frame it', async () => {
  const page = await bench.page();
  const other = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><iframe src="http://127.0.0.1:${bench.served.port}/"></iframe>`,
    );
  });
  await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
  // the browser holds the cookie of the studio, so that only the policy keeps the frame empty
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  await expect.poll(() => bench.faults.join()).toMatch(/frame-ancestors/); // the browser says why the frame is empty
  expect(await page.frames()[1].locator('main, .rail').count()).toBe(0); // the browser's own error page may be there
  bench.faults.splice(0);
  await page.close();
  other.close();
});

test('the folders of the page and of the library are a static site, under any path and without a server behind it', async () => {
  const site = createServer((request, response) => {
    const path = (request.url ?? '').replace('/some/where/', '');
    const file = join(bench.root, '..', path === 'studio/' ? 'studio/index.html' : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    const types = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };
    response.setHeader('content-type', types[extname(file) as keyof typeof types] ?? 'application/octet-stream');
    if (file.endsWith('.br')) response.setHeader('content-encoding', 'br'); // some servers let the browser unpack
    return response.end(readFileSync(file));
  });
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  const page = await bench.browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/some/where/studio/`);
  await page.waitForSelector('h1');
  await trainSample(page, 'iris');
  expect(await page.locator('[data-evaluation]').count()).toBe(1);
  await show(page, 'start');
  await page.click('[data-sample=sms]');
  await page.click('[data-leave]');
  await expect.poll(() => page.textContent('main p')).toContain('5,574 rows');
  expect(errors).toEqual([]);
  await page.close();
  site.close();
});
