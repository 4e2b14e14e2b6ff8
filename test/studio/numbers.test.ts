import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Evaluation } from '../../src/evaluate/evaluation.ts';
import { calibrationCurve, Random } from '../../src/index.ts';
import { pointAt } from '../../studio/evaluate/point-at.ts';
import type { Run, Settings } from '../../studio/protocol.ts';
import type { NomogramResult } from '../../studio/worker/insight.ts';
import { Laboratory } from '../../studio/worker/laboratory.ts';
import { shuffled } from '../../studio/worker/sample.ts';
import { folder, polya, wordsOf } from '../cli/harness.ts';
import { Bench, openFile, settled, show, someMessages } from './harness.ts';

/** The numbers of pictures, compared with those that the command prints. */
const { path, remove } = folder();
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
  remove();
});

const CLASSES = ['sport', 'trade', 'world'];

/** Rows of three classes: an amount that is nearly always zero, a size, a colour, and a text. */
function newsRows(rows: number): string[][] {
  const random = new Random(3);
  return Array.from({ length: rows }, (_, i) => {
    const c = random.integer(3);
    const amount = random.uniform() < 0.06 + 0.1 * c ? String(1000 + random.integer(5000) * (c + 1)) : '0';
    const words = Array.from({ length: 6 }, () => {
      const own = random.uniform() < 0.3;
      return own ? `${CLASSES[c]}${random.integer(4)}` : `word${random.integer(12)}`;
    });
    if (random.uniform() < [0.7, 0.35, 0.05][c]) words.push('graded'); // separates all three classes
    const size = (10 * c + 20 * random.uniform()).toFixed(1);
    const colour = random.uniform() < 0.6 ? ['red', 'green', 'blue'][c] : 'grey';
    return [CLASSES[c], amount, size, colour, `${words.join(' ')} n${i % 50}`];
  });
}

const csvOf = (columns: readonly number[], rows: number): string => {
  const names = ['label', 'amount', 'size', 'colour', 'text'];
  const lines = [names, ...newsRows(rows)].map((row) => columns.map((k) => row[k]).join(','));
  return `${lines.join('\n')}\n`;
};

/** Opens rows on the page and puts the same file where the command looks for it. */
async function opened(name: string, csv: string): Promise<Page> {
  writeFileSync(join(path, name), csv);
  const page = await bench.page();
  await openFile(page, name, csv);
  await page.waitForSelector('.column');
  await settled(page);
  return page;
}

async function trainWith(page: Page, model: string): Promise<void> {
  await show(page, 'train');
  await page.locator('main select').first().selectOption(model);
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('[data-evaluation]');
  await page.waitForFunction(() => !document.querySelector('.progress'));
  await settled(page);
}

/** What a command prints as JSON. */
async function said<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await polya([...words, '--json'], { cwd: path });
  expect([code, code === 0 ? '' : err], words.join(' ')).toEqual([0, '']);
  return JSON.parse(out) as T;
}

interface Ranked {
  readonly features: readonly {
    readonly feature: string;
    readonly class: string;
    readonly mi: number;
    readonly chi2: number;
    readonly logOdds: number;
  }[];
}

test('the information of columns is what polya features prints, also where most numbers are zero', async () => {
  const page = await opened('columns.csv', csvOf([0, 1, 2, 3], 900));
  const { features } = await said<Ranked>('features', 'columns.csv', '--target', 'label');
  expect(features.map(({ feature }) => feature).sort()).toEqual(['amount', 'colour', 'size']);
  for (const { feature, mi } of features) {
    expect(mi).toBeGreaterThan(0.01);
    const card = await page.locator(`.column:has-text("${feature}")`).textContent();
    expect(card, feature).toContain(`${mi.toFixed(3)} bits about the label`);
  }
  await page.close();
});

test('the information of words about more than two classes is what polya features prints', async () => {
  const page = await opened('words.csv', csvOf([0, 4], 600));
  await trainWith(page, 'multinomial');
  await show(page, 'understand', '?tab=words');
  const { features } = await said<Ranked>('features', 'words.csv', '--target', 'label', '--top', '12');
  const cells = await page
    .locator('section:has(h2:text("Ranking")) tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent)));
  for (const [k, { feature, class: label, mi, chi2, logOdds }] of features.entries()) {
    expect(cells[k].slice(1, 6)).toEqual([feature, label, mi.toFixed(3), chi2.toFixed(1), logOdds.toFixed(2)]);
  }
  await page.close();
  expect(bench.faults).toEqual([]);
});

const settings: Settings = {
  ...{ target: 'label', model: 'auto', alpha: '', ngrams: '', calibrate: 'auto', classWeight: '' },
  ...{ holdout: 0.2, seed: 1, features: [], kinds: {}, splitColumn: '', without: [], budget: 0 },
};

/** Trains without a page; the evaluated model and the held-out rows become files. */
async function trainedInFiles(csv: string, model: string): Promise<{ lab: Laboratory; run: Run }> {
  const lab = new Laboratory();
  await lab.open({ kind: 'files', files: [{ path: 'data.csv', blob: new Blob([csv]) }] }, [], '', () => undefined);
  const run = await lab.train({ ...settings, model }, 1, '', (news) => {
    if (news.kind === 'evaluated') writeFileSync(join(path, 'evaluated.polya'), news.bytes);
  });
  writeFileSync(join(path, 'held-out.csv'), lab.heldOut(1));
  return { lab, run };
}

test.each(['multinomial', 'auto'])('a threshold gives the scores of polya evaluate --threshold: %s', async (model) => {
  const { lab, run } = await trainedInFiles(csvOf([0, 4], 500), model);
  for (const threshold of [0.05, 0.3, 0.5, 0.9]) {
    const own = lab.evaluateAt(1, { label: 'trade', threshold });
    const theirs = await said<Evaluation>(
      ...['evaluate', 'held-out.csv', '-m', 'evaluated.polya', '--target', 'label'],
      ...['--threshold', `trade=${threshold}`],
    );
    for (const part of ['accuracy', 'report', 'intervals', 'logLoss', 'confusion'] as const)
      expect(theirs[part], `${threshold} ${part}`).toEqual(own[part]);
    const shown = run.evaluated!.operating.find(({ label }) => label === 'trade')!;
    expect(pointAt(shown, threshold).recall).toBeCloseTo(own.intervals.trade.recall.value, 12);
  }
});

test('the threshold moves matrix, sentence, table and gate, and the copied gate passes on its rows', async () => {
  const page = await bench.page();
  await openFile(page, 'sms.csv', someMessages());
  await page.waitForSelector('.column');
  await trainWith(page, 'multinomial');
  await show(page, 'export');
  const model = page.waitForEvent('download');
  await page.click('[data-form=polya]');
  await (await model).saveAs(join(path, 'sms.polya'));
  await show(page, 'evaluate');
  const rows = page.waitForEvent('download');
  await page.click('[data-held-out]');
  await (await rows).saveAs(join(path, 'held-out.csv'));
  const seen = new Set<string>();
  for (const threshold of ['0.01', '0.5', '0.999']) {
    await show(page, 'evaluate', `?class=spam&threshold=${threshold}`);
    await page.waitForSelector('[data-rule]');
    await settled(page);
    const { confusion, intervals } = JSON.parse((await page.getAttribute('[data-evaluation]', 'data-evaluation'))!);
    const cells = await page.locator('.confusion td button > span:not(.hidden)').allTextContents();
    expect(cells.map(Number)).toEqual(confusion.matrix.flat());
    const recall = intervals.spam.recall.value;
    expect(await page.locator('p.big').textContent()).toContain(`Catches ${(100 * recall).toFixed(0)} of 100 spam`);
    expect(await page.locator('section:has(h2:text("By class")) tr:has-text("spam")').textContent()).toContain(
      recall.toFixed(3),
    );
    const gate = (await page.textContent('[data-gate]'))!;
    expect(gate).toContain(`--threshold spam=${threshold} --fail-under spam.recall=${Math.floor(recall * 100) / 100}`);
    seen.add(cells.join());
    const { code, err } = await polya(wordsOf(gate).slice(1), { cwd: path });
    expect([code, code === 0 ? '' : err], gate).toEqual([0, '']);
  }
  expect(seen.size).toBe(3);
  await page.close();
  expect(bench.faults).toEqual([]);
});

test('the calibration curve has ten bins of equal width, by the probabilities that polya predict prints', async () => {
  const csv = csvOf([0, 4], 900);
  const { run } = await trainedInFiles(csv, 'multinomial');
  const { out } = await polya(['predict', 'held-out.csv', '-m', 'evaluated.polya', '--proba', '--json'], { cwd: path });
  const proba = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { probabilities: Record<string, number> }).probabilities.trade);
  const truth = readFileSync(join(path, 'held-out.csv'), 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => Number(line.startsWith('trade,')));
  const [observed, predicted] = calibrationCurve(truth, proba, { nBins: 10 });
  const { calibration } = run.evaluated!.operating.find(({ label }) => label === 'trade')!;
  expect(calibration.length).toBeGreaterThan(5);
  expect(calibration.map((bin) => bin.observed)).toEqual(observed);
  for (const [k, { predicted: own, from, to, low, high, rows }] of calibration.entries()) {
    expect(own).toBeCloseTo(predicted[k], 12);
    expect(to - from).toBeCloseTo(0.1, 12);
    expect(rows).toBe(
      proba.filter((p) => p > from && p <= to).length + (from === 0 ? proba.filter((p) => p === 0).length : 0),
    );
    expect([low <= calibration[k].observed, calibration[k].observed <= high]).toEqual([true, true]);
  }
});

test('auto smoothing of a named model is chosen as polya fit --alpha auto chooses it', async () => {
  const page = await opened('words.csv', csvOf([0, 4], 600));
  await trainWith(page, 'multinomial');
  const { summary } = await said<{ summary: string }>(
    ...['fit', 'words.csv', '--target', 'label', '--model', 'multinomial', '--alpha', 'auto'],
    ...['-o', 'words.polya', '--force'],
  );
  expect(summary).not.toContain('α = 1,');
  expect(await page.textContent('.where')).toContain(summary);
  await page.locator('.switches button').first().click();
  expect(await page.textContent('[data-copy=cli]')).toContain('--alpha auto');
  await show(page, 'train');
  await page.locator('main select').first().selectOption('gaussian'); // it has no pseudo-count
  expect(await page.locator('main select').nth(1).isDisabled()).toBe(true);
  await page.close();
});

test('a point of the learning curve is what polya fit and polya evaluate print for its rows', async () => {
  const csv = csvOf([0, 4], 700);
  const lab = new Laboratory();
  await lab.open({ kind: 'files', files: [{ path: 'data.csv', blob: new Blob([csv]) }] }, [], '', () => undefined);
  const fixed = { ...settings, model: 'multinomial', alpha: '0.5', calibrate: 'none' };
  const { curve } = await lab.train(fixed, 1, '', () => undefined);
  const [head, ...lines] = csv.trim().split('\n');
  writeFileSync(join(path, 'held-out.csv'), lab.heldOut(1));
  const held = new Set(lab.heldOut(1).trim().split(/\r?\n/));
  const train = [...lines.keys()].filter((i) => !held.has(lines[i]));
  const order = shuffled(
    train,
    lines.map((line) => line.split(',')[0]),
  );
  for (const [k, { rows, accuracy, logLoss }] of curve.entries()) {
    const own = order.slice(0, rows).map((i) => lines[i]);
    writeFileSync(join(path, 'part.csv'), [head, ...own, ''].join('\n'));
    await said(
      ...['fit', 'part.csv', '--target', 'label', '--text', 'text', '--model', 'multinomial', '--alpha', '0.5'],
      ...['--calibrate', 'none', '--holdout', '0', '-o', 'part.polya', '--force'],
    );
    const theirs = await said<Evaluation>('evaluate', 'held-out.csv', '-m', 'part.polya', '--target', 'label');
    if (theirs.logLoss === null || k === 0) continue; // the first rows may lack a class
    expect([theirs.accuracy.value, theirs.logLoss.toFixed(9)], `${rows} rows`).toEqual([accuracy, logLoss.toFixed(9)]);
  }
  expect(curve.at(-1)!.rows).toBe(560);
});

/** Probabilities of a choice of marks: the softmax of prior and marks. */
function probabilitiesOf({ classes, prior, axes }: NomogramResult, chosen: readonly number[]): number[] {
  const scores = classes.map((_, c) => axes.reduce((sum, { marks }, a) => sum + marks[chosen[a]].byClass[c], prior[c]));
  const most = Math.max(...scores);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0);
  return scores.map((score) => Math.exp(score - most) / total);
}

test.each([
  ['gaussian', [0, 2]],
  ['mixed', [0, 1, 2, 3]],
  ['mixed', [0, 2, 3, 4]],
  ['bernoulli', [0, 4]],
] as const)(
  'the probabilities of a nomogram are those that polya predict prints: %s, columns %j',
  async (model, columns) => {
    const csv = csvOf(columns, 400);
    const lab = new Laboratory();
    await lab.open({ kind: 'files', files: [{ path: 'data.csv', blob: new Blob([csv]) }] }, [], '', () => undefined);
    const { bytes, texts } = await lab.train({ ...settings, model, calibrate: 'none' }, 1, '', () => undefined);
    writeFileSync(join(path, 'drawn.polya'), bytes!);
    const result = lab.nomogram(1, false);
    const random = new Random(5);
    for (let k = 0; k < 6; k++) {
      const chosen = result.axes.map(({ marks }) => random.integer(marks.length));
      const words = result.axes.flatMap(({ feature, marks }, a) => {
        const times = Number(marks[chosen[a]].cell);
        return ['amount', 'size', 'colour'].includes(feature) ? [] : Array<string>(times).fill(feature);
      });
      const cells = result.axes.flatMap(({ feature, marks }, a) =>
        ['amount', 'size', 'colour'].includes(feature) ? [[feature, marks[chosen[a]].cell] as const] : [],
      );
      const row = { ...Object.fromEntries(cells), ...(texts.length > 0 && { text: words.join(' ') }) };
      writeFileSync(join(path, 'row.jsonl'), `${JSON.stringify(row)}\n`);
      const { out, err } = await polya(['predict', 'row.jsonl', '-m', 'drawn.polya', '--proba', '--json', '-q'], {
        cwd: path,
      });
      const { probabilities } = JSON.parse(out || err) as { probabilities: Record<string, number> };
      for (const [c, p] of probabilitiesOf(result, chosen).entries())
        expect(p, JSON.stringify(row)).toBeCloseTo(probabilities[result.classes[c]], 9);
    }
  },
);

test('a nomogram of three classes shows one against the rest or a rival, and its total is the probability', async () => {
  const page = await opened('columns.csv', csvOf([0, 2, 3], 600));
  await trainWith(page, 'mixed');
  for (const view of ['', '&rival=sport', '&rival=sport&scale=points']) {
    await show(page, 'understand', `?tab=nomogram&class=trade${view}`);
    const bars = await page
      .locator('.bars li')
      .evaluateAll((items) =>
        items.map(({ textContent }) => /^(\D+?)([<>]? ?[\d.]+)%$/.exec(textContent ?? '')!.slice(1, 3)),
      );
    const share = (label: string) => Number(bars.find(([name]) => name.trim() === label)![1].replace(/[<> ]/g, ''));
    const texts = await page.locator('svg.plot text').allTextContents();
    const shown = Number(texts.at(-1)!.replace(/[<>% ]/g, ''));
    const [own, sport] = [share('trade'), share('sport')];
    expect(shown).toBeCloseTo(view === '' ? own : (100 * own) / (own + sport), 0);
    expect(texts.some((text) => text.startsWith(view.includes('points') ? 'total points' : 'total log-odds'))).toBe(
      true,
    );
  }
  const before = await page.locator('.bars').textContent();
  await page.locator('svg.plot circle.handle').first().focus();
  await page.keyboard.press('End');
  await expect.poll(() => page.locator('.bars').textContent()).not.toBe(before);
  await page.close();
});

test('one click shows the best single naive Bayes beside an ensemble, and tabs without data are not there', async () => {
  const page = await opened('columns.csv', csvOf([0, 2, 3], 500));
  await trainWith(page, 'auto');
  await show(page, 'understand', '?tab=nomogram');
  expect(await page.locator('nav.tabs a').allTextContents()).toEqual([
    ...['Densities', 'Nomogram', 'Assumptions', 'Posterior', 'Likelihood'],
  ]);
  await page.click('[data-single]');
  await page.waitForSelector('svg.plot circle.handle');
  await settled(page);
  expect(['mixed', 'categorical']).toContain(await page.getAttribute('[data-beside]', 'data-beside'));
  expect(await page.textContent('[data-beside]')).toMatch(/accuracy \d+\.\d% \(trained model \d+\.\d%\)/);
  await page.close();
  expect(bench.faults).toEqual([]);
});
