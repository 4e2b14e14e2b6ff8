import { expect, test } from 'vitest';
import type { State } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import type { ClassifierOptions } from './classifier-options.ts';
import type { Scored, StepOptions } from './steps.ts';
import { viewsFor } from './text-candidates.ts';
import { TextPool } from './text-pool.ts';

const topics = {
  cooking: ['oven', 'flour', 'butter', 'recipe', 'sugar', 'bake', 'salt'],
  sailing: ['wind', 'harbour', 'mast', 'anchor', 'wave', 'sail', 'salt'],
  trains: ['rail', 'station', 'engine', 'ticket', 'track', 'signal', 'coal'],
};
type Topic = keyof typeof topics;

function corpus(seed: number, rows: number, names: readonly Topic[] = ['cooking', 'sailing', 'trains']) {
  const random = new Random(seed);
  const y = Array.from({ length: rows }, (_, i) => names[i % names.length]);
  const documents = y.map((topic) =>
    Array.from({ length: 9 }, () => {
      const list = random.uniform() < 0.5 ? topics[topic] : Object.values(topics).flat();
      return list[random.integer(list.length)];
    }).join(' '),
  );
  return { y, documents };
}

const rowsOf = (documents: readonly string[]) => documents.map((text) => ({ text }));

function learn(
  documents: readonly string[],
  y: readonly Label[],
  options: Partial<ClassifierOptions> = {},
): Classifier {
  const rows = documents.map((text, i) => ({ text, label: y[i] }));
  return Classifier.fit(rows, { target: 'label', kinds: { text: 'text' }, ...options });
}

/** The state of the ensemble inside. */
const poolOf = (model: Classifier) => model.toState().steps![0];
const viewsOf = (model: Classifier) => poolOf(model).learned.views as string[];
const withPool = (model: Classifier, pool: State) => Classifier.fromState({ ...model.toState(), steps: [pool] });
const meanLoss = (model: Classifier) => model.report().evaluation!.logLoss;

const training = corpus(1, 240);
const choice = learn(training.documents, training.y);
const unseen = { ...corpus(2, 60), rows: rowsOf(corpus(2, 60).documents) };

test('what was chosen predicts documents it has not seen, and its probabilities sum to one', () => {
  const hits = choice.predict(unseen.rows).filter((label, i) => label === unseen.y[i]).length;
  expect(hits / 60).toBeGreaterThan(0.8);
  for (const row of choice.predictProba(unseen.rows).toArray()) {
    expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  }
});

test('the table lists what was tried, and the chosen model has the least held-out loss', () => {
  const { tried } = choice.report();
  const members = tried.filter(({ weight }) => weight !== undefined);
  const teams = tried.filter(({ weight }) => weight === undefined);
  expect(members.length).toBe(9);
  expect(members.some(({ chosen }) => chosen)).toBe(true);
  const chosen = teams.filter((team) => team.chosen);
  expect(chosen.length).toBe(1);
  expect(chosen[0].logLoss).toBe(Math.min(...teams.map(({ logLoss }) => logLoss)));
  expect(meanLoss(choice)).toBeCloseTo(chosen[0].logLoss, 12);
});

test('bias and contributions add up to the pooled score', () => {
  const pool = poolOf(choice);
  const curves = { shape: [0], data: new Float64Array(0) };
  const plain = withPool(choice, { ...pool, arrays: { ...pool.arrays, curves } });
  const logProba = plain.predictLogProba(unseen.rows);
  unseen.rows.forEach((row, i) => {
    const { terms, rest, score, label, classes } = plain.explain(row);
    const sums = rest.map((start, c) => terms.reduce((total, { byClass }) => total + byClass[c], start));
    for (let c = 0; c < classes.length; c++) expect(Math.abs(score[c] - sums[c])).toBeLessThan(1e-9);
    logSoftmaxInto(sums, 0, sums.length, sums);
    for (let c = 0; c < classes.length; c++) expect(Math.abs(sums[c] - logProba.at(i, c))).toBeLessThan(1e-9);
    expect(label).toBe(plain.predict([row])[0]);
  });
});

test('contributions of characters within words are added up by word', () => {
  expect(viewsOf(choice)).toContain('characters 3–5');
  const asked = { text: 'Oven, flour and the OVEN!' };
  const wordsIn = (model: Classifier) => new Set(model.explain(asked).terms.map(({ value }) => String(value)));
  const words = wordsIn(choice);
  expect(wordsIn(Classifier.load(choice.toBytes({ slim: true })))).toEqual(words);
  expect([...words].filter((word) => !word.includes(' ')).sort()).toEqual(['and', 'flour', 'oven']);
});

test('a pool that was saved and loaded answers the same to the last bit', () => {
  const bytes = choice.toBytes();
  const loaded = Classifier.load(bytes);
  expect(loaded.predictLogProba(unseen.rows)).toEqual(choice.predictLogProba(unseen.rows));
  expect(loaded.report().tried).toEqual(choice.report().tried);
  expect(viewsOf(loaded)).toEqual(viewsOf(choice));
  expect(loaded.toBytes()).toEqual(bytes);
});

test('curves are saved too', () => {
  const state = poolOf(choice);
  const curves = { shape: [6], data: Float64Array.of(-1.5, 0.1, -0.7, 0.2, -1, 0) };
  const curved = withPool(choice, { ...state, arrays: { ...state.arrays, curves } });
  const loaded = Classifier.load(curved.toBytes());
  expect(loaded.predictLogProba(unseen.rows)).toEqual(curved.predictLogProba(unseen.rows));
  expect(loaded.predictLogProba(unseen.rows)).not.toEqual(choice.predictLogProba(unseen.rows));
});

test('a damaged pool is refused', () => {
  const state = poolOf(choice);
  const read = (bad: State) => TextPool.fromState({ name: 'text' }, bad, choice.classes);
  const broken: State[] = [
    { ...state, learned: { ...state.learned, classes: ['b', 'a'] } },
    { ...state, learned: { ...state.learned, classes: [] } },
    { ...state, learned: { ...state.learned, views: [] } },
    { ...state, steps: state.steps!.map((step) => ({ ...step, kind: 'Pipeline' })) },
    { ...state, learned: { ...state.learned, more: 1 } },
    { ...state, learned: { ...state.learned, members: [] } },
    { ...state, arrays: { ...state.arrays, n: { shape: [3], data: Float64Array.of(1, -1, 1) } } },
    { ...state, arrays: { ...state.arrays, bias: { shape: [4], data: Float64Array.of(1, 1, 1, 1) } } },
    {
      ...state,
      arrays: { ...state.arrays, ends0: { ...state.arrays.ends0, data: state.arrays.ends0.data.slice().reverse() } },
    },
    { ...state, arrays: { ...state.arrays, bias: { shape: [3], data: Float64Array.of(1, Number.NaN, 0) } } },
    { ...state, arrays: { ...state.arrays, curves: { shape: [1], data: Float64Array.of(1) } } },
  ];
  for (const bad of broken) expect(() => read(bad)).toThrow(/damaged/);
  const [slim] = choice.toState({ slim: true }).steps!;
  const unsorted = { ...slim, learned: { ...slim.learned, classes: ['trains', 'sailing', 'cooking'] } };
  expect(() => read(unsorted)).toThrow(/damaged/);
});

test('the same seed gives the same choice, and document by document the same answer', () => {
  const again = learn(training.documents, training.y, { seed: 0 });
  expect(again.toBytes()).toEqual(choice.toBytes());
  const [whole, single] = [choice.predictLogProba(unseen.rows), choice.predictLogProba([unseen.rows[7]])];
  expect(single.row(0)).toEqual(whole.row(7));
});

test('a planted leak earns nothing: labels by coin and a name in every text, out of fold it is a coin still', () => {
  const random = new Random(5);
  const documents = Array.from({ length: 200 }, (_, i) => `report of person${i} in town${i}`);
  const y = documents.map(() => random.uniform() < 0.5);
  expect(meanLoss(learn(documents, y))).toBeGreaterThan(0.95 * Math.LN2);
});

test('the more text and classes there are, the fewer views are tried', () => {
  const text = 'word '.repeat(1000);
  const names = (rows: number, classes: number) =>
    viewsFor(new Array(rows).fill(text), classes).map(({ name }) => name);
  expect(names(10, 2)).toEqual(['words', 'pairs of words', 'characters 3–5']);
  expect(names(2000, 2)).toEqual(['words', 'pairs of words']);
  expect(names(2000, 100)).toEqual(['words']);
});

test('texts without spaces are read by their characters', () => {
  const y = Array.from({ length: 60 }, (_, i) => i % 2);
  const tails = ['好吃', '新鲜', '很甜', '便宜', '包装'];
  const documents = y.map((c, i) => `${c ? '苹果水果' : '电脑键盘'}${tails[i % 5]}${tails[(i * 3) % 4]}`);
  const model = learn(documents, y);
  expect(viewsOf(model).every((view) => view.includes('characters'))).toBe(true);
  expect(model.predict(rowsOf(['苹果很甜', '键盘便宜']))).toEqual([1, 0]);
});

test('few documents suffice, and classes of one document', () => {
  const model = learn(['red rose', 'blue sky', 'red wine', 'one two'], ['a', 'b', 'a', 'c']);
  expect(model.classes).toEqual(['a', 'b', 'c']);
  expect(model.predictLogProba(rowsOf(['red', 'x'])).data.every((value) => !Number.isNaN(value))).toBe(true);
});

test('progress is reported from 0 to 1, and an abort ends the work', () => {
  const shares: number[] = [];
  const { documents, y } = corpus(3, 40, ['cooking', 'trains']);
  learn(documents, y, { onProgress: (share) => shares.push(share) });
  expect(shares[0]).toBe(0);
  expect(shares.at(-1)).toBe(1);
  expect([...shares].sort((a, b) => a - b)).toEqual(shares);
  expect(() => learn(documents, y, { signal: AbortSignal.abort() })).toThrow(
    expect.objectContaining({ code: 'E_CANCELLED' }),
  );
});

test('while models race, the scores so far of each are reported, and the last ones are those of the report', () => {
  const { documents, y } = corpus(4, 600);
  const found = new Map<string, Scored[]>();
  const onProgress: StepOptions['onProgress'] = (_, __, scored) => {
    for (const own of scored?.() ?? []) found.set(own.name, [...(found.get(own.name) ?? []), own]);
  };
  const { tried } = learn(documents, y, { onProgress }).report();
  const singles = tried.filter(({ weight }) => weight !== undefined);
  expect([...found.keys()].sort()).toEqual(singles.map(({ name }) => name).sort());
  for (const { name, logLoss, accuracy } of singles) {
    const rows = found.get(name)!.map((own) => own.rows);
    expect([...rows].sort((a, b) => a - b)).toEqual(rows);
    expect(new Set(rows).size).toBe(rows.length);
    expect(found.get(name)!.at(-1)!.logLoss).toBeCloseTo(logLoss, 6);
    expect(found.get(name)!.at(-1)!.accuracy).toBeCloseTo(accuracy, 12);
  }
});

test('a choice can be ended early: what was compared until then is fitted', () => {
  const { documents, y } = corpus(3, 60);
  let stopped = false;
  const onProgress = (_: number, next: string) => {
    stopped ||= next === 'words: weighted multinomial';
  };
  const early = learn(documents, y, { onProgress, enough: () => stopped });
  const names = early.report().tried.map(({ name }) => name.split(',')[0]);
  expect(names.slice(0, -1).sort()).toEqual(['words: complement', 'words: multinomial']);
  expect(names.at(-1)).toMatch(/^pool of/);
  expect(early.predict([{ text: 'oven flour recipe' }])).toEqual(['cooking']);
});

test('what cannot be learned from is refused', () => {
  expect(() => learn(['', ' '], ['x', 'y'])).toThrow(expect.objectContaining({ code: 'E_EMPTY_INPUT' }));
  expect(() => learn([], [])).toThrow(expect.objectContaining({ code: 'E_EMPTY_INPUT' }));
});
