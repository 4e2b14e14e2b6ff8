import { expect, test } from 'vitest';
import { decodeState, type State } from '../core/artifact.ts';
import { Random } from '../math/random.ts';
import { chooseText } from './text.ts';
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

const meanLoss = (choice: ReturnType<typeof chooseText>, y: readonly unknown[]) =>
  y.reduce<number>((sum, label, i) => sum - choice.outOfFold.at(i, choice.model.classes.indexOf(label as never)), 0) /
  y.length;

const training = corpus(1, 240);
const choice = chooseText(training.documents, training.y);
const unseen = corpus(2, 60);

test('what was chosen predicts documents it has not seen, and its probabilities sum to one', () => {
  const hits = choice.model.predict(unseen.documents).filter((label, i) => label === unseen.y[i]).length;
  expect(hits / 60).toBeGreaterThan(0.8);
  for (const row of choice.model.predictProba(unseen.documents).toArray()) {
    expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  }
});

test('the table lists what was tried, and the chosen model has the least held-out loss', () => {
  const members = choice.tried.filter(({ weight }) => weight !== undefined);
  const teams = choice.tried.filter(({ weight }) => weight === undefined);
  expect(members.length).toBe(9);
  expect(members.some(({ chosen }) => chosen)).toBe(true);
  const chosen = teams.filter((team) => team.chosen);
  expect(chosen.length).toBe(1);
  expect(chosen[0].logLoss).toBe(Math.min(...teams.map(({ logLoss }) => logLoss)));
  expect(meanLoss(choice, training.y)).toBeCloseTo(chosen[0].logLoss, 12);
});

test('bias and contributions add up to the pooled score', () => {
  const pooled = choice.model.pooledScores(unseen.documents);
  choice.model.explain(unseen.documents).forEach(({ prior, contributions, score, rest, label, classes }, i) => {
    for (let c = 0; c < classes.length; c++) {
      const sum = contributions.reduce((total, { byClass }) => total + byClass[c], prior[c] + rest[c]);
      expect(Math.abs(sum - pooled.at(i, c))).toBeLessThan(1e-9);
      expect(Math.abs(score[c] - pooled.at(i, c))).toBeLessThan(1e-9);
    }
    expect(label).toBe(choice.model.predict([unseen.documents[i]])[0]);
  });
});

test('contributions of characters within words are added up by word', () => {
  const { documents, y } = corpus(1, 240);
  const { model } = chooseText(documents, y);
  expect(model.views).toContain('characters 3–5');
  const asked = ['Oven, flour and the OVEN!'];
  const [{ contributions }] = model.explain(asked);
  const [slim] = TextPool.fromState(model.toState({ slim: true })).explain(asked);
  expect(new Set(slim.contributions.map(({ feature }) => feature))).toEqual(
    new Set(contributions.map(({ feature }) => feature)),
  );
  expect(
    contributions
      .map(({ feature }) => feature)
      .filter((feature) => !String(feature).includes(' '))
      .sort(),
  ).toEqual(['and', 'flour', 'oven']);
});

test('a pool that was saved and loaded answers the same to the last bit', () => {
  const bytes = choice.model.toBytes();
  const loaded = TextPool.fromState(decodeState(bytes));
  expect(loaded.predictLogProba(unseen.documents)).toEqual(choice.model.predictLogProba(unseen.documents));
  expect(loaded.tried).toEqual(choice.tried);
  expect(loaded.views).toEqual(choice.model.views);
  expect(loaded.toBytes()).toEqual(bytes);
});

test('curves are saved too', () => {
  const state = choice.model.toState();
  const curves = { shape: [6], data: Float64Array.of(-1.5, 0.1, -0.7, 0.2, -1, 0) };
  const curved = TextPool.fromState({ ...state, arrays: { ...state.arrays, curves } });
  const loaded = TextPool.fromState(decodeState(curved.toBytes()));
  expect(loaded.predictLogProba(unseen.documents)).toEqual(curved.predictLogProba(unseen.documents));
  expect(loaded.predictLogProba(unseen.documents)).not.toEqual(choice.model.predictLogProba(unseen.documents));
});

test('a damaged pool is refused', () => {
  const state = choice.model.toState();
  const broken: State[] = [
    { ...state, learned: { ...state.learned, classes: ['b', 'a'] } },
    { ...state, learned: { ...state.learned, classes: [] } },
    { ...state, learned: { ...state.learned, tried: [{ name: 1 }] } },
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
  for (const bad of broken) expect(() => TextPool.fromState(bad)).toThrow(/damaged/);
  const slim = choice.model.toState({ slim: true });
  const unsorted = { ...slim, learned: { ...slim.learned, classes: ['trains', 'sailing', 'cooking'] } };
  expect(() => TextPool.fromState(unsorted)).toThrow(/damaged/);
  expect(() => TextPool.fromState(state, () => undefined)).toThrow(/damaged/);
});

test('the same seed gives the same choice, and document by document the same answer', () => {
  const again = chooseText(training.documents, training.y, { seed: 0 });
  expect(again.model.toBytes()).toEqual(choice.model.toBytes());
  const [whole, single] = [
    choice.model.predictLogProba(unseen.documents),
    choice.model.predictLogProba([unseen.documents[7]]),
  ];
  expect(single.row(0)).toEqual(whole.row(7));
});

test('a planted leak earns nothing: labels by coin and a name in every text, out of fold it is a coin still', () => {
  const random = new Random(5);
  const documents = Array.from({ length: 200 }, (_, i) => `report of person${i} in town${i}`);
  const y = documents.map(() => random.uniform() < 0.5);
  const leaky = chooseText(documents, y);
  expect(meanLoss(leaky, y)).toBeGreaterThan(0.95 * Math.LN2);
});

test('copies of a text lie in one fold: what they share with each other is no evidence', () => {
  const random = new Random(6);
  const texts = Array.from({ length: 40 }, () => {
    const word = () => Array.from({ length: 6 }, () => String.fromCharCode(97 + random.integer(26))).join('');
    return `${word()} ${word()} ${word()}`;
  });
  const rows = texts.flatMap((text) => {
    const label = random.integer(2);
    return [0, 1, 2, 3, 4].map((copy) => ({ text: `${text} ${copy}`, label }));
  });
  const y = rows.map(({ label }) => label);
  const copied = chooseText(
    rows.map(({ text }) => text),
    y,
  );
  expect(meanLoss(copied, y)).toBeGreaterThan(0.9 * Math.LN2);
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
  const { model } = chooseText(documents, y);
  expect(model.views.every((view) => view.includes('characters'))).toBe(true);
  expect(model.predict(['苹果很甜', '键盘便宜'])).toEqual([1, 0]);
});

test('few documents suffice, and classes of one document', () => {
  const { model, outOfFold } = chooseText(['red rose', 'blue sky', 'red wine', 'one two'], ['a', 'b', 'a', 'c']);
  expect(model.classes).toEqual(['a', 'b', 'c']);
  expect(outOfFold.data.every((value) => !Number.isNaN(value))).toBe(true);
  expect(chooseText(['red rose', 'blue sky'], [1, 1]).model.predict(['x'])).toEqual([1]);
});

test('progress is reported from 0 to 1, and an abort ends the work', () => {
  const shares: number[] = [];
  const { documents, y } = corpus(3, 40, ['cooking', 'trains']);
  chooseText(documents, y, { onProgress: (share) => shares.push(share), groups: documents.map((_, i) => i) });
  expect(shares[0]).toBe(0);
  expect(shares.at(-1)).toBe(1);
  expect([...shares].sort((a, b) => a - b)).toEqual(shares);
  expect(() => chooseText(documents, y, { signal: AbortSignal.abort() })).toThrow(
    expect.objectContaining({ code: 'E_CANCELLED' }),
  );
});

test('a choice can be ended early: what was compared until then is fitted', () => {
  const { documents, y } = corpus(3, 60);
  let stopped = false;
  const onProgress = (_: number, next: string) => {
    stopped ||= next === 'words: weighted multinomial';
  };
  const early = chooseText(documents, y, { onProgress, enough: () => stopped });
  const names = early.tried.map(({ name }) => name.split(',')[0]);
  expect(names.slice(0, -1).sort()).toEqual(['words: complement', 'words: multinomial']);
  expect(names.at(-1)).toMatch(/^pool of/);
  expect(early.model.predict(['oven flour recipe'])).toEqual(['cooking']);
});

test('what cannot be learned from is refused', () => {
  expect(() => chooseText(['a b', 'c d'], ['x'])).toThrow(expect.objectContaining({ code: 'E_SHAPE' }));
  expect(() => chooseText(['', ' '], ['x', 'y'])).toThrow(expect.objectContaining({ code: 'E_EMPTY_INPUT' }));
  expect(() => chooseText([], [])).toThrow(expect.objectContaining({ code: 'E_EMPTY_INPUT' }));
});
