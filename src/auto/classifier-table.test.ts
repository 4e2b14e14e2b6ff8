import { describe, expect, test } from 'vitest';
import { ArrayTable } from '../../test/array-table.ts';
import { refusalOf } from '../../test/close.ts';
import type { DataRow } from '../data/cells.ts';
import { RecordTable } from '../data/column-table.ts';
import type { PolyaError } from '../errors.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import { learnTable } from './classifier-family.ts';
import type { ClassifierOptions } from './classifier-options.ts';
import { RecordLearner } from './learner.ts';

const random = new Random(5);
const words = 'pale small bright large river hill dry wet stone leaf'.split(' ');
const rows: DataRow[] = Array.from({ length: 240 }, (_, i) => {
  const c = random.integer(3);
  return {
    size: i % 11 === 0 ? null : 5 + c + random.uniform(),
    count: random.integer(4) + c,
    colour: i % 13 === 0 ? null : ['white', 'blue', 'red', 'green'][(random.integer(2) + c) % 4],
    wet: random.uniform() < (c + 1) / 5,
    seen: `2023-0${1 + random.integer(9)}-1${random.integer(9)}`,
    price: `${random.integer(900)},${random.integer(9)}0`,
    note:
      i % 7 === 0 ? null : ` ${Array.from({ length: 5 }, () => words[(random.integer(6) + 2 * c) % 10]).join(' ')} `,
    weight: 1 + random.integer(3),
    species: ['setosa', 'virginica', 'versicolor'][c],
  };
});
const fresh = rows.slice(0, 90).map(({ species: _, weight: __, ...row }) => row);

const fits: readonly (readonly [string, readonly string[], Partial<ClassifierOptions>])[] = [
  [
    'a mixed model of every kind of column',
    ['size', 'count', 'colour', 'wet', 'seen', 'price', 'note'],
    { model: 'mixed' },
  ],
  ['gaussian naive Bayes', ['size', 'count', 'price'], { model: 'gaussian' }],
  ['levels and bins', ['size', 'colour', 'wet', 'seen'], { model: 'categorical' }],
  ['counts of numbers', ['count'], { model: 'poisson' }],
  ['words', ['note'], { model: 'multinomial' }],
  ['words that are absent', ['note'], { model: 'bernoulli' }],
  ['an ensemble', ['size', 'colour', 'note'], {}],
];

describe.each(fits)('%s', (_, features, own) => {
  const options = { target: 'species', features, evaluate: false, ...own } as const;
  const model = Classifier.fit(rows, options);

  test('scores a table of typed columns as it scores records, bit for bit', () => {
    const { data } = model.predictLogProba(fresh, { strict: false });
    expect(model.predictTable(ArrayTable.from(fresh), { strict: false }).data).toEqual(data);
    expect(model.predictTable(new RecordTable(fresh), { strict: false }).data).toEqual(data);
    expect(model.predictTable(new RecordTable([])).rows).toBe(0);
  });

  test.skipIf(options.model === undefined)(
    'learns tables in parts, by several learners, as records in one stream',
    async () => {
      const streamed = await Classifier.fitStream([rows.slice(0, 100), rows.slice(100)], options);
      const { learner, finish } = Classifier.beginFit(new RecordTable(rows.slice(0, 100)), options);
      const table = ArrayTable.from(rows);
      const parts = [table.slice(0, 100), table.slice(100, 240)].map((part) => {
        const worker = RecordLearner.fromState(learner.plan, structuredClone(learner.toState()));
        learnTable(worker, part, options);
        return structuredClone(worker.toState());
      });
      for (const part of parts) learner.merge(RecordLearner.fromState(learner.plan, part));
      const merged = finish(learner, rows.length);
      const whole = Classifier.beginFit(new RecordTable(rows.slice(0, 100)), options);
      learnTable(whole.learner, table.slice(0, 100), options);
      learnTable(whole.learner, table.slice(100, 240), options, 100);
      expect(whole.finish(whole.learner, rows.length).save()).toEqual(streamed.save());
      if (learner.exact) expect(merged.save()).toEqual(streamed.save());
      else expect(merged.predict(fresh, { strict: false })).toEqual(streamed.predict(fresh, { strict: false }));
    },
  );
});

test('the schema of a model whose columns were decided by a sample is that of all rows', async () => {
  const sorted = [...rows].sort((a, b) => (String(a.species) < String(b.species) ? -1 : 1));
  const options = { target: 'species', features: ['note'], model: 'multinomial' } as const;
  const { schema } = (await Classifier.fitStream([sorted.slice(0, 100), sorted.slice(100)], options)).report();
  expect(schema).toMatchObject({ rows: 240, sampled: 100 });
  expect(schema.columns.find(({ role }) => role === 'target')).toMatchObject({
    reason: 'the label, with 3 classes',
    distinct: 3,
  });
  const whole = (await Classifier.fitStream([rows], options)).report().schema;
  expect(whole.rows).toBe(240);
  expect(whole).not.toHaveProperty('sampled');
});

test('a stream that ends without parameters is refused, and not the first question', async () => {
  const constant = rows.map(({ count, species }) => ({ a: count, b: 2 * Number(count), species }));
  const stream = Classifier.fitStream([constant], { target: 'species', model: 'qda', features: ['a', 'b'] });
  await expect(stream).rejects.toMatchObject({ code: 'E_CLASS_TOO_SMALL' });
});

test('a learner is exact if all that it sums are whole numbers', () => {
  const begin = (features: readonly string[], own: Partial<ClassifierOptions>) =>
    Classifier.beginFit(new RecordTable(rows), { target: 'species', features, ...own } as ClassifierOptions).learner;
  expect(begin(['note'], { model: 'multinomial' }).exact).toBe(true);
  expect(begin(['colour', 'wet'], { model: 'categorical' }).exact).toBe(true);
  expect(begin(['colour', 'note'], { model: 'mixed' }).exact).toBe(true);
  expect(begin(['size', 'colour'], { model: 'mixed' }).exact).toBe(false);
  expect(begin(['size'], { model: 'gaussian' }).exact).toBe(false);
  expect(begin(['note'], { model: 'multinomial', reproducible: true }).exact).toBe(false);
  expect(begin(['note'], { model: 'multinomial', alpha: 'auto' }).exact).toBe(false);
  expect(begin(['note'], { model: 'multinomial', weight: 'weight' }).exact).toBe(false);
  const learner = begin(['note'], { model: 'multinomial' });
  const part = { table: new RecordTable(rows), labels: rows.map(({ species }) => species as string) };
  learner.partialFit({ ...part, weights: new Float64Array(rows.length).fill(2) });
  expect(learner.exact).toBe(true);
  learner.partialFit({ ...part, weights: new Float64Array(rows.length).fill(0.5) });
  expect(learner.exact).toBe(false);
});

/** What a call returns, or the code, the message and the details of its refusal. */
function said(work: () => unknown): unknown {
  try {
    return work();
  } catch (cause) {
    const { code, message, details } = cause as PolyaError;
    return { code, message, details };
  }
}

describe('a table is refused where its records are, in the same words', () => {
  const options = { target: 'species', features: ['size', 'colour', 'wet', 'seen', 'price', 'note'] };
  const model = Classifier.fit(rows, { ...options, model: 'mixed', evaluate: false });
  const full: DataRow[] = fresh.map((row, i) => ({ ...row, note: row.note ?? 'dry', size: row.size ?? i }));

  test.each([
    ['size', 'abc'],
    ['size', true],
    ['size', Number.POSITIVE_INFINITY],
    ['size', ' 12 '],
    ['size', 'NA'],
    ['colour', ['red']],
    ['colour', 3],
    ['wet', 'YES'],
    ['seen', 'yesterday'],
    ['price', 'twelve'],
    ['price', '1.234,5'],
    ['note', 7],
    ['note', ''],
  ])('%s is %o', (name, cell) => {
    for (const row of [0, 41]) {
      const records = full.map((own, i) => (i === row ? { ...own, [name]: cell } : own));
      const expected = said(() => model.predictLogProba(records).data);
      expect(said(() => model.predictTable(ArrayTable.from(records)).data)).toEqual(expected);
      expect(said(() => model.predictTable(new RecordTable(records)).data)).toEqual(expected);
    }
  });

  test('the first of several faults counts, whatever the order of the columns', () => {
    const records = full.map((row, i) => ({ ...row, ...(i === 7 && { note: 3 }), ...(i === 9 && { size: 'x' }) }));
    const expected = said(() => model.predictLogProba(records));
    expect(said(() => model.predictTable(ArrayTable.from(records)))).toEqual(expected);
    expect(expected).toMatchObject({ code: 'E_TYPE', details: { row: 7, feature: 'note' } });
  });

  test('a column too few or too many', () => {
    const without = full.map(({ wet: _, ...row }) => row);
    const more = full.map((row) => ({ ...row, sizes: 1 }));
    for (const records of [without, more]) {
      const expected = said(() => model.predictLogProba(records));
      expect(said(() => model.predictTable(ArrayTable.from(records)))).toEqual(expected);
      expect(() => model.predictTable(ArrayTable.from(records), { strict: false })).not.toThrow();
    }
    expect(refusalOf(() => model.predictTable(ArrayTable.from(full), { strict: 1 } as never)).code).toBe('E_PARAM');
  });

  test('a fault in learned rows names row and column as a stream of records does', async () => {
    const options = { target: 'species', features: ['size', 'count'], model: 'mixed', weight: 'weight' } as const;
    const faults: DataRow[] = [
      { size: 'x' },
      { species: '' },
      { species: null },
      { weight: 'much' },
      { weight: -1 },
      { species: 3 },
    ];
    for (const fault of faults) {
      const records = rows.map((row, i) => (i === 150 ? { ...row, ...fault } : row));
      const batches = [records.slice(0, 100), records.slice(100)];
      const { code, message, details } = await Classifier.fitStream(batches, options).catch((cause) => cause);
      const { learner } = Classifier.beginFit(new RecordTable(batches[0]), options);
      learnTable(learner, ArrayTable.from(batches[0]), options);
      const part = ArrayTable.from(batches[1]);
      expect(said(() => learnTable(learner, part, options, 100))).toEqual({ code, message, details });
      expect(code).toMatch(/^E_/);
    }
  });
});
