import { beforeAll, describe, expect, test } from 'vitest';
import type { DataRow } from '../data/cells.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';

const DAY = 86_400_000;
const pad = (value: number): string => String(value).padStart(2, '0');
const iso = (date: Date): string => `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
const local = (date: Date): string => `${date.getUTCDate()}.${date.getUTCMonth() + 1}.${date.getUTCFullYear()}`;
const money = (value: number): string => `$${value.toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',')}`;

interface Churn {
  /** Rows as a system exports them. */
  readonly messy: DataRow[];
  /** The same rows, converted to numbers by hand. */
  readonly converted: DataRow[];
}

/** Customers who leave: new ones, those who pay much, those with little discount, those of two regions, and those on paper bills. */
function churnTable(rows: number, seed: number): Churn {
  const random = new Random(seed);
  const messy: DataRow[] = [];
  const converted: DataRow[] = [];
  for (let i = 0; i < rows; i++) {
    const signup = new Date(Date.UTC(2019, 0, 1) + Math.floor(random.uniform() * 1600) * DAY);
    const called = new Date(Date.UTC(2023, 5, 1) + Math.floor(random.uniform() * 360) * DAY);
    const amount = 20 + Math.floor(random.uniform() ** 2 * 400_000) / 100;
    const discount = Math.floor(random.uniform() * 300) / 10;
    const zip = ['08713', '01067', '10115', '80331', '04109'][Math.floor(random.uniform() * 5)];
    const paper = random.uniform() < 0.5;
    const tenure = (Date.UTC(2023, 5, 1) - signup.getTime()) / DAY;
    const gap = random.uniform() < 0.05;
    const drive =
      1.4 - tenure / 400 + amount / 1500 - discount / 12 + (paper ? 1.2 : -0.4) + (zip.startsWith('0') ? 0.8 : -0.4);
    const churn = random.uniform() < 1 / (1 + Math.exp(-1.5 * drive)) ? 'left' : 'stayed';
    messy.push({
      customer_id: `C-${10_000 + i}`,
      signup: iso(signup),
      last_call: local(called),
      paid: gap ? 'NA' : money(amount),
      discount: `${discount} %`,
      zip,
      paper_bill: paper ? 'yes' : 'no',
      split: i % 5 === 0 ? 'test' : 'train',
      churn,
    });
    converted.push({
      signup: signup.getTime() / DAY,
      last_call: called.getTime() / DAY,
      paid: gap ? null : amount,
      discount,
      zip: `zip ${zip}`,
      paper_bill: paper ? 1 : 0,
      churn,
    });
  }
  return { messy, converted };
}

const accuracyOn = (model: Classifier, rows: readonly DataRow[]): number =>
  model.classifyAll(rows).filter(({ label }, i) => label === rows[i].churn).length / rows.length;

describe('a churn table as a system exports it', () => {
  const train = churnTable(800, 1);
  const unseen = churnTable(1000, 2);
  let model: Classifier;
  let byHand: Classifier;
  beforeAll(() => {
    model = Classifier.fit(train.messy, { target: 'churn' });
    byHand = Classifier.fit(train.converted, { target: 'churn' });
  });

  test('is classified within one point of the same table converted by hand', () => {
    const [own, hand] = [accuracyOn(model, unseen.messy), accuracyOn(byHand, unseen.converted)];
    expect(hand).toBeGreaterThan(0.8);
    expect(own).toBeGreaterThanOrEqual(hand - 0.01);
  });

  test('has every column read for what it is, and every ignored one named with its reason', () => {
    const { schema, ignored } = model.report();
    expect(Object.fromEntries(schema.columns.map(({ name, kind, role }) => [name, [kind, role]]))).toEqual({
      customer_id: ['identifier', 'ignored'],
      signup: ['date', 'feature'],
      last_call: ['date', 'ignored'],
      paid: ['number', 'feature'],
      discount: ['number', 'feature'],
      zip: ['category', 'feature'],
      paper_bill: ['boolean', 'feature'],
      split: ['split', 'ignored'],
      churn: ['category', 'target'],
    });
    expect(ignored).toEqual([
      { name: 'customer_id', reason: 'named like an identifier' },
      { name: 'last_call', reason: expect.stringMatching(/^dates, day first, .* the label does not depend on days/) },
      { name: 'split', reason: expect.stringContaining('which rows are for training') },
    ]);
    expect(schema.columns.find(({ name }) => name === 'signup')?.format?.parts).toEqual(['days']);
  });

  test('is read in the same way by the saved model, row by row', () => {
    const loaded = Classifier.load(model.save());
    expect(loaded.schema).toEqual(model.schema);
    expect(loaded.predictLogProba(unseen.messy)).toEqual(model.predictLogProba(unseen.messy));
    const [row] = unseen.messy;
    const alone = model.classify(row).probability;
    const same = { ...row, signup: new Date(String(row.signup)), paper_bill: row.paper_bill === 'yes', customer_id: 1 };
    expect(loaded.classify(same).probability).toBe(alone);
  });

  test('counts words for a missing cell as missing when it predicts', () => {
    const [row] = unseen.messy;
    for (const name of ['signup', 'paid', 'zip', 'paper_bill']) {
      const blank = model.classify({ ...row, [name]: null }).probability;
      expect(model.classify({ ...row, [name]: 'n/a' }).probability, name).toBe(blank);
    }
  });

  test.each(['mixed', 'categorical', 'gaussian', 'lda', 'tan'] as const)('is learned by the family %s', (family) => {
    const features = ['gaussian', 'lda'].includes(family) ? ['signup', 'paid', 'discount'] : undefined;
    const named = Classifier.fit(train.messy, { target: 'churn', model: family, features });
    expect(accuracyOn(named, unseen.messy)).toBeGreaterThan(0.65);
    const loaded = Classifier.load(named.save());
    expect(loaded.predictLogProba(unseen.messy)).toEqual(named.predictLogProba(unseen.messy));
    const { terms } = named.explain(unseen.messy[0]);
    expect(terms.find(({ feature }) => feature === 'signup.days')?.value).toBe(unseen.messy[0].signup);
  });

  test('goes on learning, unlearns and merges with dates among its columns', () => {
    const options = { target: 'churn', model: 'mixed', evaluate: false } as const;
    const whole = Classifier.fit(train.messy, options);
    const half = Classifier.fit(train.messy.slice(0, 450), { ...options, schema: whole.schema });
    const other = Classifier.fit(train.messy.slice(450), { ...options, schema: whole.schema });
    const expected = whole.predictLogProba(unseen.messy).data;
    const near = (own: Classifier) => {
      const { data } = own.predictLogProba(unseen.messy);
      expect(Math.max(...data.map((value, k) => Math.abs(value - expected[k])))).toBeLessThan(1e-8);
    };
    near(half.clone().partialFit(train.messy.slice(450)));
    near(half.clone().merge(other));
    near(half.clone().partialFit(train.messy.slice(450)).partialFit(unseen.messy).unlearn(unseen.messy));
    expect(() => half.partialFit([{ ...train.messy[0], signup: 'soon' }])).toThrow(
      expect.objectContaining({
        code: 'E_TYPE',
        message: expect.stringContaining('"signup" takes a date such as "2023-04-05", got string "soon"'),
      }),
    );
  });
});

describe('parts of dates', () => {
  const hours = Array.from({ length: 400 }, (_, i) => {
    const at = new Date(Date.UTC(2022, 0, 1) + ((i * 7919) % (500 * 24)) * 3_600_000);
    const night = at.getUTCHours() < 6 || at.getUTCDay() === 0;
    return { at: at.toISOString().slice(0, 16).replace('T', ' '), label: night ? 'fraud' : 'fine' };
  });

  test('are chosen where they predict the label', () => {
    const { schema, evaluation } = Classifier.fit(hours, { target: 'label' }).report();
    expect(schema.columns[0].format?.parts).toEqual(expect.arrayContaining(['weekday', 'hour']));
    expect(schema.columns[0].format?.parts).not.toContain('days');
    expect(evaluation?.accuracy).toBeGreaterThan(0.9);
  });

  test('are all used by a named model, which takes no dates if it is one of counts', () => {
    const rows = hours.map((row, i) => ({ ...row, visits: i % 3 }));
    const mixed = Classifier.fit(rows, { target: 'label', model: 'mixed', evaluate: false });
    expect(
      mixed
        .explain(rows[0])
        .terms.map(({ feature }) => feature)
        .sort(),
    ).toEqual([...['at.days', 'at.hour', 'at.month', 'at.weekday', 'visits']]);
    const counts = Classifier.fit(rows, { target: 'label', model: 'poisson', evaluate: false });
    expect(counts.report().ignored).toEqual([{ name: 'at', reason: expect.stringContaining('takes no dates') }]);
    expect(() => Classifier.fit(rows, { target: 'label', model: 'poisson', features: ['at'] })).toThrow(
      expect.objectContaining({ code: 'E_PARAM' }),
    );
  });
});

describe('what is asked for', () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    user_id: 1000 + i * 3,
    when: `${1 + (i % 12)}/${1 + ((i * 5) % 12)}/2023`,
    price: `${1 + (i % 9)},${100 + i}`,
    part: i % 3 === 0 ? 'test' : 'train',
    y: i % 2 === 0 ? 'a' : 'b',
  }));
  const columnOf = (options: object, name: string) =>
    Classifier.fit(rows, { target: 'y', model: 'mixed', ...options }).schema.columns.find((own) => own.name === name);

  test('counts more than what the cells look like', () => {
    expect(columnOf({}, 'user_id')?.role).toBe('ignored');
    expect(columnOf({ features: ['user_id', 'price'] }, 'user_id')?.role).toBe('feature');
    expect(columnOf({ kinds: { user_id: 'number' } }, 'user_id')).toMatchObject({ kind: 'number', role: 'feature' });
    expect(columnOf({ kinds: { part: 'category' } }, 'part')).toMatchObject({ kind: 'category', role: 'feature' });
    expect(columnOf({ kinds: { when: 'category' } }, 'when')).toMatchObject({ kind: 'category' });
    expect(columnOf({ kinds: { price: 'ignored' } }, 'price')).toMatchObject({ role: 'ignored' });
    expect(() => columnOf({ kinds: { price: 'date' } }, 'price')).toThrow(expect.objectContaining({ code: 'E_TYPE' }));
  });

  test('decides what cells leave open, which is a warning otherwise', () => {
    const { warnings } = Classifier.fit(rows, { target: 'y', model: 'mixed' }).report();
    const open = warnings.filter(({ kind }) => kind === 'ambiguous');
    expect(open.map(({ about }) => about)).toEqual(['when', 'price']);
    expect(open[1].sentence).toBe('column "price": "1,100" is read as 1100; a decimal comma is possible too');
    expect(columnOf({ dateOrder: 'day-first' }, 'when')).toMatchObject({ format: { dates: 'day-first' } });
    expect(columnOf({ decimal: 'comma' }, 'price')).toMatchObject({ format: { numbers: 'comma' } });
    expect(columnOf({ decimal: 'comma', dateOrder: 'day-first' }, 'when')?.ambiguous).toBeUndefined();
  });
});

describe('a split column', () => {
  const { messy } = churnTable(400, 3);

  test('divides the rows that are learned from those that evaluate', () => {
    for (const model of ['mixed', 'auto'] as const) {
      const fitted = Classifier.fit(messy, { target: 'churn', model, splitColumn: 'split' });
      const { evaluation, schema, ignored } = fitted.report();
      expect(schema.rows).toBe(320);
      expect(evaluation).toMatchObject({ rows: 80, on: expect.stringContaining('80 test rows by column "split"') });
      const held = messy.filter(({ split }) => split === 'test');
      expect(evaluation?.accuracy).toBeCloseTo(accuracyOn(fitted, held), 12);
      expect(ignored).toContainEqual({ name: 'split', reason: 'the split into training and test rows' });
    }
  });

  test('evaluates on validation rows where there are no test rows, and on test rows alone where there are', () => {
    const named = (words: readonly string[]) => messy.map((row, i) => ({ ...row, split: words[i % words.length] }));
    const evaluated = (words: readonly string[]) =>
      Classifier.fit(named(words), { target: 'churn', model: 'mixed', splitColumn: 'split' }).report().evaluation;
    expect(evaluated(['train', 'Dev'])).toMatchObject({ rows: 200, on: expect.stringContaining('validation rows') });
    expect(evaluated(['train', 'test', 'val', 'train'])).toMatchObject({
      rows: 100,
      on: expect.stringContaining('test'),
    });
    expect(() => evaluated(['train'])).toThrow(expect.objectContaining({ code: 'E_EMPTY_INPUT' }));
    expect(() => evaluated(['train', 'perhaps'])).toThrow(expect.objectContaining({ code: 'E_PARAM' }));
    expect(() => Classifier.fit(messy, { target: 'churn', splitColumn: 'part' })).toThrow();
  });
});

test('nested records are columns named by their path, for learning and for predicting', () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    user: { age: 20 + (i % 2) * 30 + (i % 5), home: { country: i % 2 ? 'FR' : 'DE' } },
    y: i % 2 === 0 ? 'a' : 'b',
  }));
  const model = Classifier.fit(rows, { target: 'y', model: 'mixed' });
  expect(model.schema.columns.map(({ name }) => name)).toEqual(['user.age', 'user.home.country', 'y']);
  const home = { country: null };
  expect(model.classify({ user: { age: 51, home } }).label).toBe('b');
  expect(model.classify({ 'user.age': 51, 'user.home.country': null })).toEqual(
    model.classify({ user: { age: 51, home } }),
  );
  expect(model.explain(rows[0]).terms.map(({ feature }) => feature)).toEqual(
    expect.arrayContaining(['user.age', 'user.home.country']),
  );
});

test('a model of version 0.1, without formats, reads cells as it did', () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    answer: ['yes', 'no', '?'][i % 3],
    size: String(i % 7),
    y: i % 3 === 2 ? 'a' : 'b',
  }));
  const column = { role: 'feature', reason: '', missing: 0, distinct: 3 } as const;
  const schema = {
    target: 'y',
    rows: 60,
    columns: [
      { ...column, name: 'answer', kind: 'category', levels: ['yes', 'no', '?'] },
      { ...column, name: 'size', kind: 'number' },
      { ...column, name: 'y', kind: 'category', role: 'target' },
    ],
  } as const;
  for (const model of ['auto', 'mixed'] as const) {
    const old = Classifier.load(Classifier.fit(rows, { target: 'y', model, schema }).save());
    expect(old.schema.columns.every(({ format }) => format === undefined)).toBe(true);
    expect(old.classify({ answer: '?' }, { strict: false }).label).toBe('a');
    expect(old.classify({ answer: 'no' }, { strict: false }).label).toBe('b');
  }
});

test('with one row per class an ensemble is learned without an evaluation', () => {
  const rows = [
    { label: 'spam', text: 'win a prize now' },
    { label: 'ham', text: 'lunch at noon' },
  ];
  const model = Classifier.fit(rows, { target: 'label' });
  expect(model.report().evaluation).toBeNull();
  expect(model.classes).toEqual(['ham', 'spam']);
});
