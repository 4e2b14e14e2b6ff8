import { expect, test } from 'vitest';
import { decodeState } from '../core/artifact.ts';
import { Random } from '../math/random.ts';
import { chooseText } from './text.ts';
import { TextPool } from './text-pool.ts';

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
  return { documents, y };
}

const first = corpus(1, 400);
const { model } = chooseText(first.documents, first.y);
const unseen = corpus(2, 50).documents;
const copyOf = (pool: TextPool) => TextPool.fromState(decodeState(pool.toBytes()));
const answers = (pool: TextPool) => Array.from(pool.predictLogProba(unseen).data);

test('an ensemble with weights of terms was chosen, and it learns', () => {
  expect(model.tried.some(({ name, chosen }) => chosen && name.includes('weighted'))).toBe(true);
  expect(model.learns).toBe(true);
});

test('unlearning what was just learned restores every prediction and the file to the bit', () => {
  const pool = copyOf(model);
  const random = new Random(3);
  for (let round = 0; round < 5; round++) {
    const more = corpus(10 + round, 1 + random.integer(60));
    pool.partialFit(more.documents, more.y);
    expect(answers(pool)).not.toEqual(answers(model));
    pool.unlearn(more.documents, more.y);
    expect(answers(pool)).toEqual(answers(model));
  }
  expect(pool.toBytes()).toEqual(model.toBytes());
});

test('the order of learning, the parts and a save in between make no difference', () => {
  const [a, b] = [corpus(4, 80), corpus(5, 70)];
  const forward = copyOf(copyOf(model).partialFit(a.documents, a.y)).partialFit(b.documents, b.y);
  const backward = copyOf(model).partialFit(b.documents, b.y).partialFit(a.documents, a.y);
  const merged = copyOf(model)
    .merge(model.blank().partialFit(a.documents, a.y))
    .merge(copyOf(model.blank().partialFit(b.documents, b.y)));
  expect(answers(backward)).toEqual(answers(forward));
  expect(answers(merged)).toEqual(answers(forward));
  expect(merged.classCount).toEqual(forward.classCount);
});

test('unlearning training rows leaves what the others teach', () => {
  const gone = 150;
  const left = copyOf(model).unlearn(first.documents.slice(0, gone), first.y.slice(0, gone));
  const taught = model.blank().partialFit(first.documents.slice(gone), first.y.slice(gone));
  expect(answers(left)).toEqual(answers(taught));
  const words = left.toState().steps!.map(({ arrays }) => new TextDecoder().decode(arrays.terms.data as Uint8Array));
  expect(words.some((terms) => terms.includes('own1x0own1x'))).toBe(false); // a word of an unlearned document
});

test('new words and a new class are learned, and forgotten again', () => {
  const pool = copyOf(model);
  const up = Array.from({ length: 30 }, (_, i) => `zenith${i % 5} overhead word${i}`);
  pool.partialFit(
    up,
    up.map(() => 'above'),
  );
  expect(pool.classes).toEqual(['above', ...[...LABELS].sort()]);
  expect(pool.predict(['zenith1 overhead zenith2'])).toEqual(['above']);
  const loaded = copyOf(pool);
  expect(loaded.predictLogProba(unseen)).toEqual(pool.predictLogProba(unseen));
  for (const row of pool.predictProba(unseen).toArray()) {
    expect(row.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  }
  loaded.unlearn(
    up,
    up.map(() => 'above'),
  );
  expect(loaded.classes).toEqual(model.classes);
  expect(answers(loaded)).toEqual(answers(model));
});

test('what was never learned is not unlearned, and nothing changes', () => {
  const pool = copyOf(model);
  const refused = (documents: readonly string[], y: readonly string[]) =>
    expect(() => pool.unlearn(documents, y)).toThrow(expect.objectContaining({ code: 'E_UNLEARN_UNDERFLOW' }));
  refused([first.documents[0], 'entirely unheard words'], [first.y[0], first.y[0]]);
  refused([first.documents[0]], [LABELS.find((label) => label !== first.y[0])!]);
  refused([first.documents[0], first.documents[0]], [first.y[0], first.y[0]]);
  expect(answers(pool)).toEqual(answers(model));
  expect(pool.toBytes()).toEqual(model.toBytes());
});

test('decay halves all counts, and another ensemble is not merged', () => {
  const pool = copyOf(model).decay(0.5);
  expect(Array.from(pool.classCount!)).toEqual(Array.from(model.classCount!, (count) => count / 2));
  expect(answers(pool)).not.toEqual(answers(model));
  const other = chooseText(first.documents.slice(0, 200), first.y.slice(0, 200)).model;
  expect(() => pool.merge(other)).toThrow(expect.objectContaining({ code: 'E_MERGE_MISMATCH' }));
});

test('a slim file answers the same within rounding, and does not learn', () => {
  const slim = TextPool.fromState(decodeState(model.toBytes({ slim: true })));
  slim.predictLogProba(unseen).data.forEach((log, k) => {
    expect(Math.abs(log - answers(model)[k])).toBeLessThan(1e-9 * Math.max(1, Math.abs(log)));
  });
  expect(() => slim.partialFit(['a word'], ['east'])).toThrow(expect.objectContaining({ code: 'E_CONFLICT' }));
});

test('weights of documents count', () => {
  const { documents, y } = corpus(6, 20);
  const twice = copyOf(model).partialFit(documents, y).partialFit(documents, y);
  const heavy = copyOf(model).partialFit(documents, y, { sampleWeight: documents.map(() => 2) });
  expect(answers(heavy)).toEqual(answers(twice));
});
