import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { parseCsv } from '../data/csv.ts';
import { formatCsv } from '../data/csv-format.ts';
import { recordsOf } from '../data/table.ts';
import { loadChinaJapan } from '../datasets/china-japan.ts';
import { loadIris } from '../datasets/iris.ts';
import { loadPostings } from '../datasets/postings.ts';
import { loadTitanic } from '../datasets/titanic.ts';
import { loadWeather } from '../datasets/weather.ts';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { CountVectorizer, setOfWords } from '../estimators/count-vectorizer.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { OrdinalEncoder } from '../estimators/ordinal-encoder.ts';
import { datasets, loadReviews, loadSms } from './datasets.ts';

const all = [...datasets].map(([name, load]) => ({ name, load, set: load() }));
const textsOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ text }) => String(text));

test.each(all)(
  '$name has a description, a cell for every column, and a new copy for every call',
  ({ name, load, set }) => {
    expect(set.name).toBe(name);
    expect(set.columns).toContain(set.target);
    for (const words of [set.title, set.description, set.source, set.license]) expect(words.length).toBeGreaterThan(5);
    const keys = set.rows.map((row) => Object.keys(row).sort().join());
    expect([...new Set(keys)]).toEqual([[...set.columns].sort().join()]);
    expect(set.rows.flatMap((row) => Object.values(row))).not.toContain(undefined);
    expect(new Set(set.rows.map((row) => row[set.target])).size).toBeGreaterThan(1);
    set.rows[0]![set.target] = 'changed';
    expect(load().rows[0]![set.target]).not.toBe('changed');
  },
);

test.each(all)('$name round-trips through CSV', ({ load }) => {
  const { columns, rows } = load();
  const text = formatCsv([columns, ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))]);
  const cells = rows.map((row) => Object.fromEntries(columns.map((name) => [name, String(row[name] ?? '')])));
  expect(recordsOf(parseCsv(text))).toEqual(cells);
});

test('the files beside the examples have the same rows', () => {
  for (const [file, name] of [
    ['postings.csv', 'postings'],
    ['career_data.csv', 'careers'],
  ] as const) {
    const text = readFileSync(new URL(`../../examples/data/${file}`, import.meta.url), 'utf8');
    const rows = datasets.get(name)!().rows.map((row) => Object.entries(row).map(([key, cell]) => [key, String(cell)]));
    const read = recordsOf(parseCsv(text)).map((row) => Object.entries(row));
    expect(read.map((row) => row.sort())).toEqual(rows.map((row) => row.sort()));
  }
});

test('iris is the standard iris dataset', () => {
  const { rows } = loadIris();
  const mean = (species: string, name: string) => {
    const own = rows.filter((row) => row.species === species).map((row) => Number(row[name]));
    expect(own.length).toBe(50);
    return own.reduce((sum, value) => sum + value, 0) / 50;
  };
  // Fisher 1936, table 2: the observed means.
  expect(mean('versicolor', 'sepal_length')).toBeCloseTo(5.936, 10);
  expect(mean('versicolor', 'petal_width')).toBeCloseTo(1.326, 10);
  expect(mean('setosa', 'sepal_width')).toBeCloseTo(3.428, 10);
  expect(mean('setosa', 'petal_length')).toBeCloseTo(1.462, 10);
  expect(mean('virginica', 'petal_length')).toBeCloseTo(5.552, 10);
});

test('china-japan: multinomial predicts yes and Bernoulli no, as in the book', () => {
  const { rows, questions } = loadChinaJapan();
  const [texts, labels] = [textsOf(rows), rows.map(({ china }) => String(china))];
  const bag = new CountVectorizer();
  const multinomial = new MultinomialNB().fit(bag.fitTransform(texts), labels);
  // p(yes) ∝ 3/4 (3/7)³ (1/14)² and p(no) ∝ 1/4 (2/9)⁵: example 13.1 of the book.
  const [yes, no] = [(3 / 4) * (3 / 7) ** 3 * (1 / 14) ** 2, (1 / 4) * (2 / 9) ** 5];
  const proba = multinomial.predictProba(bag.transform(textsOf(questions!)));
  expect(proba.row(0)[multinomial.classes.indexOf('yes')]).toBeCloseTo(yes / (yes + no), 12);
  const set = setOfWords();
  const bernoulli = new BernoulliNB().fit(set.fitTransform(texts), labels);
  expect(bernoulli.predict(set.transform(textsOf(questions!)))).toEqual(['no']);
});

test('postings are classified as in the book', () => {
  const { rows, questions } = loadPostings();
  const words = setOfWords();
  const model = new MultinomialNB().fit(
    words.fitTransform(textsOf(rows)),
    rows.map(({ abusive }) => Number(abusive)),
  );
  expect(model.predict(words.transform(textsOf(questions!)))).toEqual([0, 1]);
});

test('weather gives the textbook result: 0.0053 against 0.0206', () => {
  const { rows, columns, questions } = loadWeather();
  const features = columns.slice(0, 4);
  const cells = (list: readonly Record<string, unknown>[]) =>
    list.map((row) => features.map((name) => String(row[name])));
  const encoder = new OrdinalEncoder();
  const X = encoder.fitTransform(cells(rows)).toArray();
  const model = new CategoricalNB({ alpha: 1e-10 }).fit(
    X,
    rows.map(({ play }) => String(play)),
  );
  const [no, yes] = [
    (5 / 14) * (3 / 5) * (1 / 5) * (4 / 5) * (3 / 5),
    (9 / 14) * (2 / 9) * (3 / 9) * (3 / 9) * (3 / 9),
  ];
  const proba = model.predictProba(encoder.transform(cells(questions!)).toArray());
  expect(proba.row(0)[model.classes.indexOf('no')]).toBeCloseTo(no / (no + yes), 6);
});

test('the Titanic had 2201 people aboard, of whom 711 survived', () => {
  const { rows } = loadTitanic();
  const count = (want: Record<string, string>) =>
    rows.filter((row) => Object.entries(want).every(([key, value]) => row[key] === value)).length;
  expect([rows.length, count({ survived: 'yes' })]).toEqual([2201, 711]);
  expect(['1st', '2nd', '3rd', 'crew'].map((rank) => count({ class: rank }))).toEqual([325, 285, 706, 885]);
  expect([count({ sex: 'female' }), count({ age: 'child' })]).toEqual([470, 109]);
});

test('sms is the whole SMS Spam Collection', () => {
  const { rows } = loadSms();
  expect([rows.length, rows.filter(({ label }) => label === 'spam').length]).toEqual([5574, 747]);
  expect(rows[1]).toEqual({ label: 'ham', text: 'Ok lar... Joking wif u oni...' });
  // The original has a line `label TAB text LF` for each message, 477,907 bytes; 50 control characters became
  // quotes and dashes, which take one byte more.
  const original = rows.map(({ label, text }) => `${label}\t${text}\n`).join('');
  expect(Buffer.byteLength(original)).toBe(477_907 + 50);
});

test('reviews is the whole sentence polarity dataset', () => {
  const { rows } = loadReviews();
  expect([rows.length, rows.filter(({ label }) => label === 'positive').length]).toEqual([10_662, 5331]);
  expect(new Set(rows.map(({ text }) => text)).size).toBe(10_662);
  expect(rows[1]).toEqual({ label: 'negative', text: 'simplistic , silly and tedious .' });
});

test('texts of samples have no control characters', () => {
  for (const load of [loadSms, loadReviews]) expect(textsOf(load().rows).join('')).not.toMatch(/\p{Cc}/u);
});

test('samples of other authors are credited in NOTICE', () => {
  const notice = readFileSync(new URL('../../NOTICE', import.meta.url), 'utf8');
  for (const { name, set } of all.filter(({ set: { license } }) => license === 'CC BY 4.0')) {
    expect(notice).toContain(`data/${name}.csv.br`);
    expect(set.source).toMatch(/Almeida.*Yamakami|Pang and .*Lee/);
  }
});

test('a program that uses no sample dataset does not bundle any', async () => {
  const entry = new URL('../index.ts', import.meta.url).pathname;
  const bundle = async (program: string) => {
    const build = await rolldown({
      input: 'program',
      platform: 'browser',
      external: ['snowball-stemmers', '@node-rs/jieba', '@node-rs/jieba/dict.js'],
      plugins: [
        {
          name: 'program',
          resolveId: (id) => (id === 'program' ? id : id === 'polya' ? entry : null),
          load: (id) => (id === 'program' ? program : null),
        },
      ],
    });
    const { output } = await build.generate({ format: 'esm', minify: true });
    return output[0].code;
  };
  expect(await bundle("import { MultinomialNB } from 'polya'; console.log(MultinomialNB);")).not.toMatch(
    /dalmation|setosa|csv\.gz/,
  );
  expect(await bundle("import { loadIris } from 'polya'; console.log(loadIris());")).not.toMatch(/dalmation|csv\.gz/);
});
