import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryStore } from '../../src/server/memory-store.ts';
import { startServer } from '../../src/server/server.ts';
import { folder, polya, wordsOf } from '../cli/harness.ts';
import { Bench, openFile, settled, show } from './harness.ts';

/** "Copy as": the lines of every screen run, and say what the screen shows. */
const { path, remove } = folder();
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
  remove();
});

/** A table with a broken row and rows without a label. */
function broken(): string {
  const rows = Array.from({ length: 160 }, (_, i) => {
    const c = i % 2;
    const label = i % 20 === 7 ? '' : ['low', 'high'][c];
    return `${(c * 3 + ((i * 7) % 11) / 2).toFixed(1)},${(c + ((i * 5) % 9) / 3).toFixed(1)},${'xyz'[i % 3]},${label}`;
  });
  return ['width,height,kind,level', ...rows, '"no end', ''].join('\n');
}

async function opened(): Promise<Page> {
  writeFileSync(join(path, 'sizes.csv'), broken());
  const page = await bench.page();
  await openFile(page, 'sizes.csv', broken());
  await page.waitForSelector('.column');
  return page;
}

async function train(page: Page, model: string): Promise<void> {
  await show(page, 'train');
  await page.locator('main select').first().selectOption(model);
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await page.waitForFunction(() => !document.querySelector('.progress'));
  await settled(page);
}

/** What the drawer shows on a screen. */
async function copied(page: Page, form: 'cli' | 'typescript' | 'curl'): Promise<string> {
  const button = page.locator('.switches button').first();
  await button.click();
  const text = await page.textContent(`[data-copy=${form}]`);
  await button.click();
  return text!;
}

/** Runs lines one after the other, also those that pipe a row; the last one's output. */
async function run(lines: string): Promise<string> {
  let said = '';
  for (const line of lines.split('\n')) {
    const [, row, command] = /^printf '%s\\n' '(.*)' \| (polya .*)$/.exec(line) ?? [];
    const words = wordsOf(command ?? line).slice(1);
    const { code, out, err } = await polya([...words, '--json'], { cwd: path, ...(row && { stdin: `${row}\n` }) });
    expect([code, code === 0 ? '' : err], line).toEqual([0, '']);
    said = out;
  }
  return said;
}

test('every screen has its own command, and it runs', async () => {
  const page = await opened();
  await show(page, 'data');
  expect(JSON.parse(await run(await copied(page, 'cli'))).schema).toContain('inspect');
  await train(page, 'gaussian');
  await train(page, 'mixed');
  const rows = page.waitForEvent('download');
  await page.click('[data-held-out]');
  await (await rows).saveAs(join(path, 'held-out.csv'));
  const wanted = {
    'train?': 'fit',
    'evaluate?': 'fit',
    'evaluate?class=high&threshold=0.3': 'evaluate',
    'understand?tab=densities': 'explain',
    'boundary?x=width&y=height&lambda=0.5': 'fit',
    'boundary?x=width&y=height&diagonal=1': 'fit',
    'try?': 'predict',
    'compare?pair=1,2': 'compare',
    'export?': 'export',
  };
  for (const [hash, schema] of Object.entries(wanted)) {
    const [screen, view] = hash.split('?');
    await show(page, screen, `?${view}`);
    const said = await run(await copied(page, 'cli'));
    expect(JSON.parse(said.split('\n')[0]).schema, hash).toContain(`polya/${schema}`);
    if (schema === 'predict') expect(JSON.parse(said).label).toBe(await page.textContent('[data-answer]'));
    if (hash.includes('lambda=0.5')) expect(JSON.parse(said).evaluation.accuracy.value).toBeGreaterThan(0.7);
  }
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('the copied request works for numbers, the copied program for rows that are broken or have no label', async () => {
  const page = await opened();
  await train(page, 'mixed');
  await show(page, 'export');
  const saved = page.waitForEvent('download');
  await page.click('[data-form=polya]');
  const model = readFileSync(await (await saved).path());
  await show(page, 'try');
  await page.locator('fieldset input').first().fill('6.5');
  await page.locator('fieldset input').nth(1).fill('');
  await settled(page);
  const answer = (await page.textContent('[data-answer]'))!;
  const request = await copied(page, 'curl');
  const store = new MemoryStore(new Map([['sizes', model]]));
  const server = await startServer({ store, port: 0, startThread: () => undefined, limits: { lateness: 60_000 } });
  const response = await fetch(
    `http://127.0.0.1:${server.port}${/http:\/\/127\.0\.0\.1:8787(\S+)/.exec(request)![1]}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: /-d '(.*)'$/s.exec(request)![1],
    },
  );
  const body = (await response.json()) as { predictions: { label: string }[] };
  await server.close();
  expect(response.status, JSON.stringify(body)).toBe(200);
  expect(body.predictions[0].label).toBe(answer);
  expect(runProgram(await copied(page, 'typescript'))).toContain(`label: '${answer}'`);
  await page.close();
});

/** Runs a copied program against the sources. */
function runProgram(text: string): string {
  const source = (name: string) => JSON.stringify(new URL(`../../src/${name}.ts`, import.meta.url).pathname);
  const program = text.replace("'polya/node'", source('node')).replace("'polya'", source('index'));
  writeFileSync(join(path, 'program.mts'), program);
  const tsx = new URL('../../node_modules/tsx/dist/cli.mjs', import.meta.url).pathname;
  return execFileSync(process.execPath, [tsx, 'program.mts'], { cwd: path, encoding: 'utf8' });
}

/** A text as GBK bytes, by the decoder of the platform read backwards. */
function gbk(text: string): Buffer {
  const codes = new Map<string, number[]>();
  const decoder = new TextDecoder('gbk');
  for (let high = 0x81; high < 0xff; high++)
    for (let low = 0x40; low < 0xff; low++) codes.set(decoder.decode(Uint8Array.of(high, low)), [high, low]);
  return Buffer.from([...text].flatMap((letter) => codes.get(letter) ?? [letter.charCodeAt(0)]));
}

test('a file in GBK whose columns share a name is read, says so, and its copied lines read it too', async () => {
  const rows = Array.from({ length: 80 }, (_, i) => {
    const gone = i % 2 === 0;
    return `客户${1000 + i},2023/${(i % 12) + 1}/3,"￥1,${200 + i}.50",${gone ? '太慢了' : '很满意'},电话,${gone ? '流失' : '留存'}`;
  });
  const file = gbk(['客户编号,日期,金额,备注,备注,是否流失', ...rows, ''].join('\r\n'));
  writeFileSync(join(path, 'customers.csv'), file);
  const page = await bench.page();
  await openFile(page, 'customers.csv', file);
  await page.waitForSelector('.column');
  expect(await page.textContent('.warnings')).toContain('the later ones are called 备注_2');
  expect(await page.locator('.column:has(bdi:text-is("金额")) .spark').count()).toBe(1); // money is a number
  await train(page, 'mixed');
  expect(JSON.parse(await run(await copied(page, 'cli'))).schema).toContain('polya/fit');
  await show(page, 'data');
  expect(JSON.parse(await run(await copied(page, 'cli'))).schema).toContain('polya/inspect');
  await show(page, 'try');
  await settled(page);
  const answer = await page.textContent('[data-answer]');
  expect(runProgram(await copied(page, 'typescript'))).toContain(`label: '${answer}'`);
  await page.close();
  expect(bench.faults).toEqual([]);
});
