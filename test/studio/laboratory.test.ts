import { expect, test } from 'vitest';
import type { News, Settings } from '../../studio/protocol.ts';
import { disagreement } from '../../studio/worker/committee.ts';
import { calibrationOf } from '../../studio/worker/judging.ts';
import { Laboratory } from '../../studio/worker/laboratory.ts';
import { simplexOf } from '../../studio/worker/simplex.ts';
import { someMessages } from './harness.ts';

const settings: Settings = {
  ...{ target: 'label', model: 'auto', alpha: '', ngrams: '', calibrate: 'auto', classWeight: '' },
  ...{ holdout: 0.2, seed: 1, features: [], kinds: {}, splitColumn: '', without: [] },
};

test('the judgement is told before the model of all rows is there, and the curve grows while rows are counted', async () => {
  const lab = new Laboratory();
  const heard: News[] = [];
  await lab.open(
    { kind: 'files', files: [{ path: 'sms.csv', blob: new Blob([someMessages()]) }] },
    [],
    '',
    () => undefined,
  );
  const run = lab.train(settings, 7, 'made so', (news) => heard.push(news));
  const kinds = heard.map((news) => (news.kind === 'progress' ? news.phase : news.kind));
  expect(kinds.indexOf('judged')).toBeLessThan(kinds.indexOf('again'));
  const judged = heard.find((news) => news.kind === 'judged');
  expect(judged?.run.evaluated).toEqual(run.evaluated);
  expect(judged?.run.bytes).toBeUndefined();
  const curves = heard.filter((news) => news.kind === 'curve').map(({ curve }) => curve);
  expect(curves.length).toBe(8);
  for (const [k, curve] of curves.entries()) expect(curve).toEqual(run.curve.slice(0, k + 1));
});

test('the belief in three shares adds the rarer values up, and their pseudo-counts', () => {
  const labels = [...'aaaaabbbccd'];
  const trained = { rows: labels.map((label) => ({ label })), labels } as never;
  const told = simplexOf(trained, '', '', 0.5)!;
  expect([told.parts, told.merged]).toEqual([['a', 'b', ''], 2]);
  expect(told.beliefs[0].alpha).toEqual([0.5, 0.5, 1]);
  const last = told.beliefs.at(-1)!;
  expect(last.alpha).toEqual([5.5, 3.5, 4]);
  expect(last.mean.map((share) => share * 13)).toEqual([5.5, 3.5, 4]);
  expect(Math.max(...last.fall)).toBe(0);
  const wide = (own: typeof last) => own.to[0] - own.from[0];
  expect(wide(last)).toBeLessThan(wide(told.beliefs[0]));
  expect(simplexOf({ rows: [{}, {}], labels: ['a', 'b'] } as never, '', '', 1)).toBeNull();
});

test('the greatest density of three shares is where the mode of a Dirichlet distribution is', () => {
  const labels = [...'a'.repeat(40), ...'b'.repeat(30), ...'c'.repeat(20)];
  const told = simplexOf({ rows: labels.map(() => ({})), labels } as never, '', '', 1)!;
  const { fall, from, to } = told.beliefs.at(-1)!;
  const peak = fall.indexOf(0);
  const [column, row] = [peak % told.size, Math.floor(peak / told.size)];
  const x = from[0] + (column * (to[0] - from[0])) / (told.size - 1);
  const y = from[1] + (row * (to[1] - from[1])) / (told.size - 1);
  const third = y / Math.sqrt(0.75);
  const step = (to[0] - from[0]) / (told.size - 1); // no nearer than the grid
  expect(Math.abs(third - 20 / 90)).toBeLessThan(2 * step);
  expect(Math.abs(x - third / 2 - 30 / 90)).toBeLessThan(2 * step);
});

test('rows of one score are in one bin of the calibration, in whatever order they come', () => {
  const scores = Float64Array.from({ length: 100 }, (_, i) => (i < 70 ? 0.2 : 0.6 + i / 1000));
  const own = Array.from(scores, (_, i) => Number(i < 14 || i > 80)); // sorted: the first fourteen of the seventy are so
  const bins = calibrationOf(scores, own);
  expect(bins[0]).toEqual({ said: expect.closeTo(0.2, 12), seen: 0.2, rows: 70 });
  expect(bins.slice(1).map(({ rows }) => rows)).toEqual([10, 10, 10]);
  const order = [...scores.keys()].sort((a, b) => ((a * 37) % 100) - ((b * 37) % 100));
  const mixed = calibrationOf(
    Float64Array.from(order, (i) => scores[i]),
    order.map((i) => own[i]),
  );
  expect(mixed[0]).toEqual(bins[0]);
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
  lab.train({ ...wanted, model: 'gaussian' }, 1, '', deaf);
  const alone = lab.label(1, 'label', 'disagreement', []);
  expect([alone.next, alone.left]).toEqual([undefined, 21]);
  lab.train({ ...wanted, model: 'categorical' }, 2, '', deaf);
  const { next } = lab.label(2, 'label', 'disagreement', []);
  // far outside of what was seen the curves are sure, and the levels know nothing
  expect(next?.cells.map(({ value }) => value)).toEqual(['100', '0']);
});
