import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';

const LABELS = ['north', 'east', 'south', 'west'];

/** Texts of words that lean to a class, with rare words of their own. */
function corpus(seed: number, rows: number, labels = LABELS) {
  const random = new Random(seed);
  const y = Array.from({ length: rows }, () => labels[random.integer(labels.length)]);
  const documents = y.map((label, i) => {
    const words = Array.from({ length: 4 + random.integer(12) }, () =>
      random.uniform() < 0.4 ? `${label}${random.integer(30)}` : `word${random.integer(200)}`,
    );
    return [...words, `own${seed}x${i}`].join(' ');
  });
  return documents.map((text, i) => ({ text, label: y[i] }));
}

const first = corpus(1, 400);
const learn = (rows: typeof first) => Classifier.fit(rows, { target: 'label', kinds: { text: 'text' } });
const model = learn(first);
const unseen = corpus(2, 50);
const copyOf = (own: typeof model) => Classifier.load<string>(own.toBytes());
const answers = (own: typeof model) => Array.from(own.predictLogProba(unseen).data);
const countsOf = (own: typeof model) => own.report().learned!.classes.map(({ weight }) => weight);

test('an ensemble with weights of terms was chosen, and it learns', () => {
  expect(model.report().tried.some(({ name, chosen }) => chosen && name.includes('weighted'))).toBe(true);
  expect(model.learns).toBe(true);
});

test('unlearning what was just learned restores every prediction and the file to the bit', () => {
  const pool = copyOf(model);
  const random = new Random(3);
  for (let round = 0; round < 5; round++) {
    const more = corpus(10 + round, 1 + random.integer(60));
    pool.partialFit(more);
    expect(answers(pool)).not.toEqual(answers(model));
    pool.unlearn(more);
    expect(answers(pool)).toEqual(answers(model));
  }
  expect(pool.toBytes()).toEqual(model.toBytes());
});

test('the order of learning, the parts and a save in between make no difference', () => {
  const [a, b] = [corpus(4, 80), corpus(5, 70)];
  const forward = copyOf(copyOf(model).partialFit(a)).partialFit(b);
  const backward = copyOf(model).partialFit(b).partialFit(a);
  const merged = copyOf(model)
    .merge(model.blank().partialFit(a))
    .merge(copyOf(model.blank().partialFit(b)));
  expect(answers(backward)).toEqual(answers(forward));
  expect(answers(merged)).toEqual(answers(forward));
  expect(countsOf(merged)).toEqual(countsOf(forward));
});

test('unlearning training rows leaves what the others teach', () => {
  const gone = 150;
  const left = copyOf(model).unlearn(first.slice(0, gone));
  const taught = model.blank().partialFit(first.slice(gone));
  expect(answers(left)).toEqual(answers(taught));
  const words = left
    .toState()
    .steps![0].steps!.map(({ arrays }) => new TextDecoder().decode(arrays.terms.data as Uint8Array));
  expect(words.some((terms) => terms.includes('own1x0own1x'))).toBe(false); // a word of an unlearned document
});

test('new words and a new class are learned, and forgotten again', () => {
  const pool = copyOf(model);
  const up = Array.from({ length: 30 }, (_, i) => ({ text: `zenith${i % 5} overhead word${i}`, label: 'above' }));
  pool.partialFit(up);
  expect(pool.classes).toEqual(['above', ...[...LABELS].sort()]);
  expect(pool.predict([{ text: 'zenith1 overhead zenith2' }])).toEqual(['above']);
  const loaded = copyOf(pool);
  expect(loaded.predictLogProba(unseen)).toEqual(pool.predictLogProba(unseen));
  for (const row of pool.predictProba(unseen).toArray()) {
    expect(row.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  }
  loaded.unlearn(up);
  expect(loaded.classes).toEqual(model.classes);
  expect(answers(loaded)).toEqual(answers(model));
});

test('what was never learned is not unlearned, and nothing changes', () => {
  const pool = copyOf(model);
  const [{ text, label }] = first;
  const refused = (...rows: typeof first) =>
    expect(() => pool.unlearn(rows)).toThrow(expect.objectContaining({ code: 'E_UNLEARN_UNDERFLOW' }));
  refused(first[0], { text: 'entirely unheard words', label });
  refused({ text, label: LABELS.find((other) => other !== label)! });
  refused(first[0], first[0]);
  expect(answers(pool)).toEqual(answers(model));
  expect(pool.toBytes()).toEqual(model.toBytes());
});

test('decay halves all counts, and another ensemble is not merged', () => {
  const pool = copyOf(model).decay(0.5);
  expect(countsOf(pool)).toEqual(countsOf(model).map((count) => count / 2));
  expect(answers(pool)).not.toEqual(answers(model));
  const other = learn(first.slice(0, 200));
  expect(() => pool.merge(other)).toThrow(expect.objectContaining({ code: 'E_MERGE_MISMATCH' }));
});

test('a slim file answers the same within rounding, and does not learn', () => {
  const slim = Classifier.load(model.toBytes({ slim: true }));
  slim.predictLogProba(unseen).data.forEach((log, k) => {
    expect(Math.abs(log - answers(model)[k])).toBeLessThan(1e-9 * Math.max(1, Math.abs(log)));
  });
  expect(() => slim.partialFit([{ text: 'a word', label: 'east' }])).toThrow(
    expect.objectContaining({ code: 'E_CONFLICT' }),
  );
});

test('weights of documents count', () => {
  const more = corpus(6, 20);
  const twice = copyOf(model).partialFit(more).partialFit(more);
  const heavy = copyOf(model).partialFit(more, { sampleWeight: more.map(() => 2) });
  expect(answers(heavy)).toEqual(answers(twice));
});

test('a saved ensemble of text of version 0.1 is a classifier that learns, and one without counts answers', () => {
  const read = (name: string) => {
    const file = new URL(`../../test/fixtures/models/${name}.polya`, import.meta.url);
    return Classifier.load<string>(new Uint8Array(readFileSync(file)));
  };
  const old = read('v2/text-pool');
  const more = [{ text: 'win the lottery', label: 'lottery' }];
  const before = old.predictLogProba(unseen, { strict: false });
  expect(old.partialFit(more).classes).toEqual(['ham', 'lottery', 'news', 'spam']);
  expect(old.unlearn(more).predictLogProba(unseen, { strict: false })).toEqual(before);
  for (const name of ['v1/text-pool', 'v2-slim/text-pool']) {
    const model = read(name);
    expect(model.predict([{ text: 'win a prize, win money' }])).toEqual(['spam']);
    expect(model.learns).toBe(false);
    expect(model.report().summary).toMatch(/^ensemble of \d models/);
  }
  expect(read('v1/classifier-text').report().summary).toBe('multinomial');
});
