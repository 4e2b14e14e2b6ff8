import { expect, test } from 'vitest';
import type { News, Settings } from '../../studio/protocol.ts';
import { disagreement } from '../../studio/worker/disagreement.ts';
import { Laboratory } from '../../studio/worker/laboratory.ts';
import { shuffled } from '../../studio/worker/sample.ts';
import { simplexOf } from '../../studio/worker/simplex.ts';
import { someMessages } from './harness.ts';

const settings: Settings = {
  ...{ target: 'label', model: 'auto', alpha: '', ngrams: '', calibrate: 'auto', classWeight: '' },
  ...{ holdout: 0.2, seed: 1, features: [], kinds: {}, splitColumn: '', without: [], budget: 0 },
};

test('the evaluation is reported before the model of all rows is ready, and the curve grows while rows are counted', async () => {
  const lab = new Laboratory();
  const heard: News[] = [];
  await lab.open(
    { kind: 'files', files: [{ path: 'sms.csv', blob: new Blob([someMessages()]) }] },
    [],
    '',
    () => undefined,
  );
  const run = await lab.train(settings, 7, 'made so', (news) => heard.push(news));
  const kinds = heard.map((news) => (news.kind === 'progress' ? news.phase : news.kind));
  expect(kinds.indexOf('evaluated')).toBeLessThan(kinds.indexOf('again'));
  const scored = heard.find((news) => news.kind === 'evaluated');
  expect(scored?.run.evaluated).toEqual(run.evaluated);
  expect(scored?.run.bytes).toBeUndefined();
  const curves = heard.filter((news) => news.kind === 'curve').map(({ curve }) => curve);
  expect(curves.length).toBe(8);
  for (const [k, curve] of curves.entries()) expect(curve).toEqual(run.curve.slice(0, k + 1));
});

test('the belief in three shares adds the rarer values up, and their pseudo-counts', () => {
  const labels = [...'aaaaabbbccd'];
  const trained = { rows: labels.map((label) => ({ label })), labels } as never;
  const result = simplexOf(trained, '', '', 0.5)!;
  expect([result.parts, result.merged]).toEqual([['a', 'b', ''], 2]);
  expect(result.beliefs[0].alpha).toEqual([0.5, 0.5, 1]);
  const last = result.beliefs.at(-1)!;
  expect(last.alpha).toEqual([5.5, 3.5, 4]);
  expect(last.mean.map((share) => share * 13)).toEqual([5.5, 3.5, 4]);
  expect(Math.max(...last.fall)).toBe(0);
  const wide = (own: typeof last) => own.to[0] - own.from[0];
  expect(wide(last)).toBeLessThan(wide(result.beliefs[0]));
  expect(simplexOf({ rows: [{}, {}], labels: ['a', 'b'] } as never, '', '', 1)).toBeNull();
});

test('the greatest density of three shares is where the mode of a Dirichlet distribution is', () => {
  const labels = [...'a'.repeat(40), ...'b'.repeat(30), ...'c'.repeat(20)];
  const result = simplexOf({ rows: labels.map(() => ({})), labels } as never, '', '', 1)!;
  const { fall, from, to } = result.beliefs.at(-1)!;
  const peak = fall.indexOf(0);
  const [column, row] = [peak % result.size, Math.floor(peak / result.size)];
  const x = from[0] + (column * (to[0] - from[0])) / (result.size - 1);
  const y = from[1] + (row * (to[1] - from[1])) / (result.size - 1);
  const third = y / Math.sqrt(0.75);
  const step = (to[0] - from[0]) / (result.size - 1); // no nearer than the grid
  expect(Math.abs(third - 20 / 90)).toBeLessThan(2 * step);
  expect(Math.abs(x - third / 2 - 30 / 90)).toBeLessThan(2 * step);
});

test('models that say the same do not disagree, and two that are sure of different classes do so by ln 2', () => {
  expect(
    disagreement([
      [0.6, 0.4],
      [0.6, 0.4],
    ]),
  ).toBeCloseTo(0, 12);
  expect(
    disagreement([
      [1, 0],
      [0, 1],
    ]),
  ).toBeCloseTo(Math.LN2, 12);
  const [p, q] = [0.9, 0.1];
  const own = -(p * Math.log(p) + q * Math.log(q));
  expect(
    disagreement([
      [p, q],
      [q, p],
    ]),
  ).toBeCloseTo(Math.LN2 - own, 12);
});

test('rows on which two runs disagree are asked for first; one run alone has none', async () => {
  const lab = new Laboratory();
  const deaf = () => undefined;
  const rows = Array.from({ length: 80 }, (_, i) => `${i % 7},${(i * 3) % 5},${i % 4 === 3 ? '' : i % 2 ? 'a' : 'b'}`);
  await lab.open({ kind: 'paste', text: ['x,y,label', ...rows, '100,0,', ''].join('\n') }, [], '', deaf);
  const wanted = { ...settings, calibrate: 'none' };
  await lab.train({ ...wanted, model: 'gaussian' }, 1, '', deaf);
  const alone = lab.label(1, 'label', 'disagreement', []);
  expect([alone.next, alone.left]).toEqual([undefined, 21]);
  await lab.train({ ...wanted, model: 'categorical' }, 2, '', deaf);
  const { next } = lab.label(2, 'label', 'disagreement', []);
  // far outside of what was seen the curves are sure, and the levels know nothing
  expect(next?.cells.map(({ value }) => value)).toEqual(['100', '0']);
});

test('every beginning of a shuffled order has the classes in their shares, whatever the order of the file', () => {
  const labels = [...Array(9_000).fill('a'), ...Array(900).fill('b'), ...Array(100).fill('c')];
  const order = shuffled(
    labels.map((_, i) => i),
    labels,
  );
  expect([...order].sort((a, b) => a - b)).toEqual(labels.map((_, i) => i));
  for (const most of [100, 1_000, 5_000]) {
    const shares = ['a', 'b', 'c'].map(
      (label) => order.slice(0, most).filter((i) => labels[i] === label).length / most,
    );
    expect(Math.abs(shares[0] - 0.9)).toBeLessThanOrEqual(2 / most);
    expect(Math.abs(shares[1] - 0.09)).toBeLessThanOrEqual(2 / most);
  }
  const own = order.filter((i) => labels[i] === 'a').slice(0, 500);
  expect(own.filter((i) => i < 4_500).length).toBeGreaterThan(200); // also shuffled within a class
});

test('pictures of a file that is sorted by its label draw a stratified sample, and state its size', async () => {
  const lab = new Laboratory();
  const rows = Array.from(
    { length: 30_000 },
    (_, i) => `${i < 20_000 ? 'a' : 'b'},${i % 97},${i % 89},w${i % 7} v${i % 5}`,
  );
  await lab.open({ kind: 'paste', text: ['label,x,y,text', ...rows, ''].join('\n') }, [], '', () => undefined);
  const run = await lab.train({ ...settings, model: 'multinomial', features: ['text'] }, 1, '', () => undefined);
  const { points, trained, train, test: held } = lab.smoothing(1, 'text');
  expect([trained, train, points[0].rows, held]).toEqual([5_000, run.trainRows, 5_000, run.testRows]);
  // the first rows of the file are of one class; a log-loss of about H(2/3) says that both are among the held-out rows
  expect(points.find(({ alpha }) => alpha === 1)!.logLoss).toBeCloseTo(0.6365, 1);
  const words = lab.words(1, 'text');
  expect([words.rows, words.all]).toEqual([20_000, 30_000]);
  const pairs = lab.pairs(1, false);
  expect([pairs.rows, pairs.all]).toEqual([4_000, 30_000]);
  const plane = lab.boundary(1, {
    ...{ x: 'x', y: 'y', axes: [], lambda: 0, gamma: 0, diagonal: false, moved: [], classes: ['a', 'b'] },
  });
  expect([plane.rows, plane.all, plane.points.length]).toEqual([20_000, 30_000, 600]);
  expect(plane.points.filter(({ c }) => c === 1).length).toBeCloseTo(200, -1);
  expect(run.curve.at(-1)).toMatchObject({ rows: 10_000, tests: 2_000 });
});

test('the progress of a training is one share that only grows, and models are searched for once', async () => {
  const lab = new Laboratory();
  const heard: Extract<News, { kind: 'progress' }>[] = [];
  const rows = Array.from(
    { length: 6_000 },
    (_, i) => `${i % 97},${(i * 7) % 89},${'pqr'[i % 3]},${(i * i) % 3 ? 'a' : 'b'}`,
  );
  await lab.open({ kind: 'paste', text: ['x,y,k,label', ...rows, ''].join('\n') }, [], '', () => undefined);
  const { curve } = await lab.train(settings, 1, '', (news) => {
    if (news.kind === 'progress') heard.push(news);
  });
  const shares = heard.map(({ share }) => share);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.at(-1)).toBeGreaterThan(0.9);
  expect([...new Set(heard.map(({ phase }) => phase))]).toEqual(['learning', 'evaluating', 'again', 'curve']);
  const again = heard.slice(heard.findIndex(({ phase }) => phase === 'again'));
  expect(again.every(({ what }) => what === '')).toBe(true); // no candidate is tried again
  for (const { left, share } of heard) if (left !== undefined) expect([left >= 0, share > 0]).toEqual([true, true]);
  expect(curve.length).toBeGreaterThan(4);
});
