import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluateRows } from '../src/evaluate/evaluation.ts';
import { GaussianNB, loadIris } from '../src/index.ts';
import { type ReportInput, renderReport } from '../src/report/page.ts';
import { launch } from './browser.ts';

const hostile = '<img src=x onerror="document.title=1">&"\'\u0007';

/** Irises, with a label, a cell and a word that would be dangerous as markup. */
function sample(): ReportInput {
  const { rows, columns } = loadIris();
  const names = columns.slice(0, 4);
  const X = rows.map((row) => names.map((name) => Number(row[name])));
  const truth = rows.map(({ species }) => (species === 'setosa' ? hostile : String(species)));
  const model = new GaussianNB().fit(X, truth);
  const classes = model.classes.map(String);
  const scored = { classes, truth, logProba: model.predictLogProba(X) };
  return {
    title: `about ${hostile}`,
    summary: 'Gaussian naive Bayes',
    facts: [['data', hostile]],
    ...evaluateRows(scored, 'the rows it learned from'),
    brier: null,
    scored,
    columns: names.map((name, j) => ({
      name,
      byClass: classes.map((label) => ({ label, values: X.filter((_, i) => truth[i] === label).map((row) => row[j]) })),
    })),
    words: [
      {
        column: hostile,
        tables: {
          classes,
          curve: [{ word: hostile, probabilities: [0.1, 0.2, 0.9] }],
          probable: classes.map(() => [{ word: hostile, probability: 0.5 }]),
          informative: [{ word: hostile, information: 0.5 }],
        },
      },
    ],
    informative: [
      {
        label: hostile,
        terms: [
          { name: hostile, logOdds: 1.25 },
          { name: 'size', mean: 2 },
        ],
      },
    ],
    mistakes: [{ truth: hostile, answer: 'virginica', sure: 0.9, content: `${hostile} نص عربي` }],
    tried: [{ of: 'columns', name: hostile, logLoss: 0.1, accuracy: 0.9, chosen: true }],
    warnings: [hostile],
    command: `polya report ${hostile}`,
  };
}

test('data are shown as text, never as markup', () => {
  const page = renderReport(sample());
  expect(page.includes('<img')).toBe(false);
  const tags = page.replaceAll(/"[^"]*"/g, '""');
  expect(/<script|<[^>]* on\w+=/.exec(tags)).toBeNull();
  expect(/(src|href)="(?!data:)/.exec(page)).toBeNull();
  expect(page.includes('&lt;img src=x onerror=&quot;document.title=1&quot;&gt;')).toBe(true);
  expect(page.includes("default-src 'none'")).toBe(true);
  expect(page.length).toBeLessThan(1_000_000);
});

test('a Chinese report has no English headings or explanations', () => {
  const page = renderReport({ ...sample(), language: 'zh-CN' });
  expect(page).toContain('<html lang="zh-CN">');
  const text = page
    .replace(/<style>.*?<\/style>/s, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&[a-z#\d]+;.*$/gm, '');
  const english = text.match(/[a-z]{4,} [a-z]{3,}/gi) ?? [];
  expect(
    english.filter((words) => !/Gaussian naive|the rows|polya report|setosa|rows it|learned from/.test(words)),
  ).toEqual([]);
});

test('a page works with one class, one row and no numbers', () => {
  const input = sample();
  const logProba = new GaussianNB().fit([[1]], ['a']).predictLogProba([[1]]);
  const scored = { classes: ['a'], truth: ['a'], logProba };
  const page = renderReport({
    ...input,
    ...evaluateRows(scored, 'one row'),
    scored,
    columns: [{ name: 'x', byClass: [{ label: 'a', values: [1] }] }],
    words: [],
    mistakes: [],
    tried: [],
  });
  expect(/.{60}NaN.{20}/.exec(page)).toBeNull();
});

test('it opens without scripts and without a network, in both colour schemes and on paper', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'polya-report-'));
  const file = join(folder, 'report.html');
  writeFileSync(file, renderReport(sample()));
  const browser = await launch();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({
        colorScheme,
        javaScriptEnabled: false,
        viewport: { width: 320, height: 700 },
      });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`file://${file}`);
      expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
      expect(await page.locator('svg[role=img]').count()).toBeGreaterThanOrEqual(10);
      expect(await page.title()).toContain('<img');
      expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
      await page.close();
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});
