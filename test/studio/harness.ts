import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type ServedStudio, type StudioFiles, serveStudio } from '../../src/cli/work/studio-server.ts';
import { formatCsv } from '../../src/data/csv-format.ts';
import { loadSms } from '../../src/node/datasets.ts';
import { launch, PATIENCE } from '../browser.ts';

const house = fileURLToPath(new URL('../../', import.meta.url));

const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|css|html)$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => statSync(join(folder, name)).mtimeMs),
  );

const isNewer = (folder: string, than: number): boolean =>
  (statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0) >= than;

/** The built page: `dist/studio`, or where sources are newer a build of its own with the library, which one process makes and others wait for. */
async function builtPage(): Promise<string> {
  const sources = Math.max(newest(join(house, 'studio')), newest(join(house, 'src')));
  const shipped = join(house, 'dist', 'studio');
  if (isNewer(shipped, sources)) return shipped;
  const cache = join(house, 'node_modules', '.cache', 'polya');
  const folder = join(cache, `studio-${Math.round(sources)}`);
  const root = join(folder, 'studio');
  const lock = `${folder}.lock`;
  mkdirSync(cache, { recursive: true });
  for (let tries = 0; !existsSync(join(root, 'index.html')) || existsSync(lock); tries++) {
    if (tries > 1000) throw new Error(`another build does not end; remove ${lock}`);
    try {
      mkdirSync(lock);
    } catch {
      await wait(500);
      continue;
    }
    const vite = join(house, 'node_modules', 'vite', 'bin', 'vite.js');
    try {
      for (const part of ['lib', 'studio']) {
        const words = [vite, 'build', '-c', `vite.${part}.config.ts`, '--outDir', join(folder, part)];
        execFileSync(process.execPath, words, { cwd: house, stdio: 'pipe' });
      }
    } finally {
      rmdirSync(lock);
    }
  }
  return root;
}

/** A studio that is served, and a browser; every page of it notes what it should not do. */
export class Bench {
  /** Errors of pages, and requests that left this machine. */
  readonly faults: string[] = [];
  readonly browser: Browser;
  readonly served: ServedStudio;

  /** The folder of the built page. */
  readonly root: string;

  private constructor(browser: Browser, served: ServedStudio, root: string) {
    this.browser = browser;
    this.served = served;
    this.root = root;
  }

  static async open(files: Omit<StudioFiles, 'root'> = {}): Promise<Bench> {
    const root = await builtPage();
    return new Bench(await launch(), await serveStudio({ root, ...files }, 0, false), root);
  }

  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    page.setDefaultTimeout(PATIENCE);
    page.on('pageerror', (error) => this.faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || /Content.Security.Policy/i.test(message.text()))
        this.faults.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const local = request.url().startsWith(`http://127.0.0.1:${this.served.port}/`);
      if (!local && !/^(data|blob):/.test(request.url())) this.faults.push(`request: ${request.url()}`);
    });
    await page.goto(this.served.url());
    await page.waitForSelector('h1');
    return page;
  }

  /** Takes a screenshot, for people to look at. */
  async picture(page: Page, name: string, fullPage = true): Promise<void> {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.served.close();
  }
}

/** Goes to a screen, and waits until it and its pictures are there. */
export async function show(page: Page, screen: string, view = ''): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), `#/${screen}${view}`);
  await page.locator(`.rail a[aria-current=page][href="#/${screen}"]`).waitFor({ state: 'attached' }); // the address has been read
  await settled(page);
}

/** Waits until nothing is being computed or drawn: so it looks, and so it still looks after three frames with their effects. */
export async function settled(page: Page): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await page.evaluate(staysCalm))) {
    if (performance.now() > end) throw new Error('the page does not come to rest');
  }
}

/** Runs in the page. */
async function staysCalm(): Promise<boolean> {
  const before = document.querySelector('main')?.innerHTML;
  for (let frame = 0; frame < 4; frame++) {
    const waits = [...document.querySelectorAll('main p.soft')].some(({ textContent }) => textContent === '…');
    const drawn = [...document.querySelectorAll('.picture')].every((place) => place.querySelector('svg'));
    const calm = document.querySelector('.progress') === null && !waits && drawn;
    await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    if (!calm) return false;
  }
  return document.querySelector('main')?.innerHTML === before;
}

/** The first messages of the sample `sms` as CSV: they are read and learned in a moment. */
export function someMessages(): string {
  const { columns, rows } = loadSms();
  return formatCsv([columns, ...rows.slice(0, 500).map(({ label, text }) => [String(label), String(text)])]);
}

/** Opens the first messages of the sample `sms` and trains, with what is guessed unless a model is named. */
export async function trainMessages(page: Page, model?: string): Promise<void> {
  await openFile(page, 'sms.csv', someMessages());
  await trainOpened(page, model);
}

/** Opens a sample and trains likewise. */
export async function trainSample(page: Page, name: string, model?: string): Promise<void> {
  await show(page, 'start');
  await page.click(`[data-sample=${name}]`);
  await settled(page);
  const leave = page.locator('[data-leave]'); // where runs would be put aside, the page asks
  if ((await leave.count()) > 0) await leave.click();
  await trainOpened(page, model);
}

async function trainOpened(page: Page, model?: string): Promise<void> {
  await page.waitForSelector('.column');
  if (model) {
    await show(page, 'train');
    await page.locator('main select').first().selectOption(model);
  }
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await settled(page);
}

/** Opens a file that the reader chooses. */
export async function openFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  await show(page, 'start');
  await page.setInputFiles('input[type=file]', { name, mimeType: 'text/plain', buffer: Buffer.from(content) });
}

/** The folder of screenshots. */
export const pictures = join(house, 'node_modules/.cache/polya/studio/');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds wrong, as lines. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const found = await page.evaluate<Finding[]>(
    "axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)",
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary.slice(0, 200)}`);
}

/** Chooses the language. */
export async function speak(page: Page, tag: string): Promise<void> {
  await page.locator('.switches select').last().selectOption(tag);
  await page.waitForFunction((lang) => document.documentElement.lang === lang, tag);
}
