import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { duckdb, expectSame, makeTable, type SqlCell, scoreTable } from '../../test/duckdb.ts';
import {
  AveragedOneDependenceNB,
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  CountVectorizer,
  DirichletMultinomialNB,
  DiscriminativeMultinomialNB,
  GaussianNB,
  HashingVectorizer,
  KernelNB,
  LinearDiscriminantAnalysis,
  MixedNB,
  MultinomialNB,
  makePipeline,
  PoissonNB,
  QuadraticDiscriminantAnalysis,
  RegularizedDiscriminantAnalysis,
  RobinsonFisherFilter,
  TfidfVectorizer,
  TreeAugmentedNB,
} from '../index.ts';
import { Random } from '../math/random.ts';
import { toSql } from './sql.ts';

type Connection = Awaited<ReturnType<typeof duckdb>>;
let connection: Connection;
beforeAll(async () => void (connection = await duckdb()));
afterAll(() => connection.closeSync());

const random = new Random(20261115);
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const pick = <T>(values: readonly T[]): T => values[random.integer(values.length)];
const normal = () => Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

const labels = Array.from({ length: 120 }, (_, i) => ['low', 'middle', 'high'][i % 3]);
const measured = labels.map((_, i) => [normal() + (i % 3), 100 * normal() - 50 * (i % 3), normal() * 0.01 + 1e6]);
const counts = labels.map((_, i) =>
  Array.from({ length: 5 }, (_, j) => Math.floor(random.uniform() * (2 + ((i + j) % 3) * 2))),
);
const words = labels.map((_, i) => [
  pick(['red', 'green', "b'lue", '"; --', '']),
  pick(['x', 'y'].slice(0, 1 + (i % 2))),
]);
const levels = labels.map((_, i) => [random.integer(4), (i + random.integer(2)) % 3, 0]);

const doubles = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, j) => [`x${j}`, 'DOUBLE']));
const texts = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, j) => [`x${j}`, 'VARCHAR']));

interface Fitted {
  readonly classes: readonly (string | number | boolean)[];
  predict(X: never): unknown[];
  predictProba(X: never): import('../data/matrix.ts').Matrix;
}

async function expectRows(
  model: Fitted,
  columns: Record<string, string>,
  rows: readonly (readonly SqlCell[])[],
): Promise<void> {
  await makeTable(connection, 't', columns, rows);
  const answers = await scoreTable(connection, model);
  expectSame(answers, model.predictProba(rows as never), model.predict(rows as never));
}

describe('every family of columns', () => {
  const far = [
    [1e5, -1e4, 0],
    [0, 0, 0],
    [-1e8, 1e8, 1e6 + 1],
  ];
  test.each([
    ['GaussianNB', new GaussianNB()],
    ['GaussianNB by its predictive curve', new GaussianNB({ rule: 'bayes', prior: { mean: 0, kappa: 1, a: 2, b: 3 } })],
    ['LinearDiscriminantAnalysis', new LinearDiscriminantAnalysis()],
    ['LinearDiscriminantAnalysis, shrunk', new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 0.3 })],
    ['QuadraticDiscriminantAnalysis', new QuadraticDiscriminantAnalysis()],
    ['RegularizedDiscriminantAnalysis', new RegularizedDiscriminantAnalysis({ lambda: 0.2, gamma: 0.1 })],
  ] as const)('%s scores as the library does', async (_, model) => {
    model.fit(measured, labels);
    await expectRows(model as Fitted, doubles(3), [...measured, ...far]);
  });

  const rare = [
    [0, 0, 0, 0, 0],
    [1000, 0, 3, 0, 0],
    [0, 0.5, 0.25, 1e4, 7],
  ];
  test.each([
    ['MultinomialNB', new MultinomialNB()],
    ['MultinomialNB without smoothing', new MultinomialNB({ alpha: 0 })],
    ['MultinomialNB on a background', new MultinomialNB({ smoothing: 'dirichlet', mu: 10 })],
    ['ComplementNB', new ComplementNB()],
    ['ComplementNB, normed', new ComplementNB({ norm: true })],
    ['DiscriminativeMultinomialNB', new DiscriminativeMultinomialNB()],
    ['BernoulliNB', new BernoulliNB({ binarize: 2 })],
    ['BernoulliNB without smoothing', new BernoulliNB({ alpha: 0 })],
    ['PoissonNB', new PoissonNB({ rule: 'map' })],
  ] as const)('%s scores as the library does', async (_, model) => {
    model.fit(counts, labels);
    await expectRows(model as Fitted, doubles(5), [...counts, ...rare]);
  });

  test.each([
    ['CategoricalNB', new CategoricalNB()],
    ['CategoricalNB with levels at least', new CategoricalNB({ minCategories: 6, alpha: 0.01 })],
    ['CategoricalNB without smoothing', new CategoricalNB({ alpha: 0 })],
    ['TreeAugmentedNB', new TreeAugmentedNB()],
  ] as const)('%s of whole numbers scores as the library does', async (_, model) => {
    model.fit(levels, labels);
    await expectRows(model as Fitted, doubles(3), [...levels, [9, 9, 9], [3, 2, 1]]);
  });

  test('levels that are words, known and unknown', async () => {
    const model = new CategoricalNB().fit(words, labels);
    await expectRows(model as Fitted, texts(2), [...words, ['never', 'x'], ["o'brien", '\\']]);
  });
});

describe('cells that are not there', () => {
  const gaps = measured.map((row) => row.map((cell) => (random.uniform() < 0.3 ? null : cell)));

  test('NULL and NaN are missing cells where the model takes them', async () => {
    const model = new GaussianNB({ missing: 'ignore' }).fit(gaps, labels);
    await expectRows(model as Fitted, doubles(3), [...gaps, [null, null, null], [1, Number.NaN, 2]]);
    const coins = gaps.map((row) => row.map((cell) => (cell === null ? null : Number(cell > 0))));
    for (const alpha of [1, 0]) {
      await expectRows(new BernoulliNB({ missing: 'ignore', alpha }).fit(coins, labels) as Fitted, doubles(3), coins);
    }
    const blanks = words.map((row) => row.map((cell) => (random.uniform() < 0.2 ? null : cell)));
    const levels = new CategoricalNB({ missing: 'ignore', unknown: 'ignore' }).fit(blanks, labels);
    await expectRows(levels as Fitted, texts(2), [...blanks, ['never', null]]);
  });

  test('discriminants of few columns integrate missing cells out, and of many leave such rows unanswered', async () => {
    const few = new LinearDiscriminantAnalysis({ missing: 'ignore' }).fit(measured, labels);
    await expectRows(few as Fitted, doubles(3), [...gaps, [null, null, null]]);
    const wide = labels.map((_, i) => Array.from({ length: 30 }, (_, j) => random.normal() + (i % 3) * (j % 2)));
    const many = new LinearDiscriminantAnalysis({ missing: 'ignore' }).fit(wide, labels);
    const rows = [wide[0], wide[1].with(3, Number.NaN)];
    await makeTable(connection, 't', doubles(30), rows);
    const answers = await scoreTable(connection, many);
    expect(answers.labels.map((label) => label === null)).toEqual([false, true]);
    expectSame(answers, many.predictProba([wide[0]]), many.predict([wide[0]]), [0]);
  });

  test('a row that the library refuses gets NULL, and the others their answers', async () => {
    const model = new GaussianNB().fit(measured, labels);
    const rows = [measured[0], [null, 1, 1], [1, Number.NaN, 1], [1, Infinity, 1], [1e200, 1, 1], measured[1]];
    await makeTable(connection, 't', doubles(3), rows);
    const answers = await scoreTable(connection, model, { logOdds: true });
    expect(answers.labels.map((label) => label === null)).toEqual([false, true, true, true, true, false]);
    expect(answers.probabilities[2]).toEqual([null, null, null]);
    expect(answers.logOdds[2]).toEqual([null, null, null]);
    const fine = [rows[0], rows[5]] as number[][];
    expectSame(answers, model.predictProba(fine), model.predict(fine), [0, 5]);
  });

  test('negative counts, fractions of levels, unknown levels and missing words are refused by policy', async () => {
    const counted = new MultinomialNB().fit(counts, labels);
    await makeTable(connection, 't', doubles(5), [[-1, 0, 0, 0, 0], counts[0]]);
    expect((await scoreTable(connection, counted)).labels.map((label) => label === null)).toEqual([true, false]);
    const strict = new CategoricalNB({ unknown: 'error' }).fit(levels, labels);
    await makeTable(connection, 't', doubles(3), [[0.5, 0, 0], [-1, 0, 0], [9, 0, 0], levels[0]]); // biome-ignore format: rows
    expect((await scoreTable(connection, strict)).labels.map((label) => label === null)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    const named = new CategoricalNB({ unknown: 'error' }).fit(words, labels);
    await makeTable(connection, 't', texts(2), [['never', 'x'], [null, 'x'], words[0]]); // biome-ignore format: rows
    expect((await scoreTable(connection, named)).labels.map((label) => label === null)).toEqual([true, true, false]);
  });

  test('a row that is impossible under every class gets the prior, or NULL where it is to be refused', async () => {
    const X = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]; // biome-ignore format: rows
    const y = ['a', 'b', 'b'];
    const rows = [[1, 1, 1], [1, 0, 0]]; // biome-ignore format: rows
    await expectRows(new MultinomialNB({ alpha: 0 }).fit(X, y) as Fitted, doubles(3), rows);
    const strict = new MultinomialNB({ alpha: 0, zeroEvidence: 'error' }).fit(X, y);
    await makeTable(connection, 't', doubles(3), rows);
    expect((await scoreTable(connection, strict)).labels).toEqual([null, 'a']);
  });
});

describe('names and labels', () => {
  const hostile = ['select', '"', ';--', '🎉', '__proto__', "'", '\\', 'a.b', 'label'];

  test('tables, columns, keys and labels may be called anything', async () => {
    const rows = times(30, () => hostile.map(() => normal()));
    const named = rows.map((row) => Object.fromEntries(row.map((cell, j) => [hostile[j], cell])));
    const y = rows.map((_, i) => hostile[i % hostile.length]);
    const model = new GaussianNB().fit(named, y);
    await connection.run('CREATE SCHEMA IF NOT EXISTS "main; DROP"');
    for (const table of [['main; DROP', '"t"'], 'select']) {
      await makeTable(connection, table, Object.fromEntries(hostile.map((name) => [name, 'DOUBLE'])), rows);
      const answers = await scoreTable(connection, model, { table, prefix: 'out "' });
      expectSame(answers, model.predictProba(named), model.predict(named));
      expect(answers.exported.columns.probabilities).toContain('out "p___proto__');
    }
  });

  test.each([[[true, false]], [[-3, 7, 2 ** 40]], [['only']], [['Spam', 'spam']], [['x'.repeat(80), 'y']]])(
    'labels %j come back as they are',
    async (classes) => {
      const y = measured.map((_, i) => classes[i % classes.length] as string);
      const model = new GaussianNB().fit(measured, y);
      await expectRows(model as Fitted, doubles(3), measured);
      const { columns } = toSql(model, { dialect: 'duckdb', table: 't' });
      expect(new Set(columns.probabilities.map((name) => name.toLowerCase())).size).toBe(classes.length);
    },
  );

  test('columns of the table may have other names than those of the model', async () => {
    const model = new GaussianNB().fit(measured, labels);
    await makeTable(connection, 't', { height: 'REAL', width: 'DECIMAL(18, 6)', depth: 'DOUBLE' }, measured);
    const answers = await scoreTable(connection, model, { columns: ['height', 'width', 'depth'] });
    expect(answers.labels.filter((label, i) => label === model.predict(measured)[i]).length).toBeGreaterThan(115);
  });

  test('log-odds are those of each class against all others', async () => {
    const model = new GaussianNB().fit(measured, labels);
    await makeTable(connection, 't', doubles(3), measured);
    const { logOdds } = await scoreTable(connection, model, { logOdds: true });
    const joint = model.predictJointLogProba(measured);
    logOdds.forEach((row, i) => {
      const scores = [...joint.row(i)];
      const expected = scores.map(
        (own, c) =>
          own - Math.log(scores.reduce((sum, other, d) => sum + (d === c ? 0 : Math.exp(other - own)), 0)) - own,
      );
      expectClose(row as number[], expected, 1e-9, 1);
    });
  });

  test('a view answers as the query does', async () => {
    const model = new GaussianNB().fit(measured, labels);
    await makeTable(connection, 't', doubles(3), measured);
    const { view, select } = toSql(model, { dialect: 'duckdb', table: 't', key: 'key', view: ['main', 'my view'] });
    await connection.run(view);
    const ask = async (sql: string) => (await connection.runAndReadAll(`${sql} ORDER BY "key"`)).getRows();
    expect(await ask('SELECT * FROM "main"."my view"')).toEqual(await ask(`SELECT * FROM (${select})`));
  });
});

describe('mixed columns', () => {
  test('each column with its family, missing cells and words', async () => {
    const rows = labels.map((_, i) => ({
      age: random.uniform() < 0.1 ? null : normal() + (i % 3),
      kind: random.uniform() < 0.1 ? null : pick(['cat', 'dog', '']),
      smokes: random.uniform() < 0.1 ? null : random.uniform() < 0.5,
      visits: random.integer(4),
    }));
    const model = new MixedNB({ columns: { visits: 'poisson' } }).fit(rows as never, labels);
    await makeTable(
      connection,
      't',
      { age: 'DOUBLE', kind: 'VARCHAR', smokes: 'BOOLEAN', visits: 'BIGINT' },
      rows.map((row) => Object.values(row)),
    );
    expectSame(await scoreTable(connection, model), model.predictProba(rows as never), model.predict(rows as never));
  });
});

describe('texts', () => {
  const documents = [
    'Win a prize NOW now now',
    'see you at noon, İstanbul',
    'ΟΔΥΣΣΕΥΣ sails, ΣΑΣ',
    'naïve café prize prize',
    '日本語 テキスト',
    'x1 __proto__ constructor',
  ];
  const topics = ['spam', 'ham', 'greek', 'spam', 'ham', 'greek'];
  const asked = [
    ...documents,
    '',
    ' ',
    'unknown',
    'now '.repeat(5000),
    'İ Σ ς ΑΣ Σ',
    "'; DROP TABLE t; --",
    'pri\u00adze',
  ];

  test('a term of infinite weight, and a long text, stay within 1e-9', async () => {
    await makeTable(
      connection,
      't',
      { text: 'VARCHAR' },
      asked.map((text) => [text]),
    );
    for (const model of [
      new MultinomialNB({ alpha: 0 }),
      new ComplementNB({ alpha: 0 }),
      new MultinomialNB(),
      new BernoulliNB(),
    ]) {
      const pipeline = makePipeline(new CountVectorizer(), model).fit(documents, topics);
      expectSame(await scoreTable(connection, pipeline), pipeline.predictProba(asked), pipeline.predict(asked));
    }
  });

  test('n-grams of characters are those of the library', async () => {
    const odd = [...asked, 'a b  c\t\td\ne\u0085f\u3000g', '𝒳𝒴 😀😀', 'tab\tend ', '\u001f unit'];
    await makeTable(
      connection,
      't',
      { text: 'VARCHAR' },
      odd.map((text) => [text]),
    );
    for (const analyzer of ['char', 'char_wb'] as const) {
      for (const ngramRange of [
        [1, 1],
        [2, 4],
        [4, 5],
        [6, 7],
      ] as const) {
        // biome-ignore format: ranges
        const vectorizer = new CountVectorizer({ analyzer, ngramRange });
        const pipeline = makePipeline(vectorizer, new MultinomialNB()).fit(odd, odd.map((_, i) => topics[i % 6])); // biome-ignore format: short
        expectSame(await scoreTable(connection, pipeline), pipeline.predictProba(odd), pipeline.predict(odd));
      }
    }
  });

  test('the table of weights is the same as data and as statements', async () => {
    const pipeline = makePipeline(new TfidfVectorizer({ ngramRange: [1, 2] }), new ComplementNB()).fit(
      documents,
      topics,
    );
    await makeTable(
      connection,
      't',
      { text: 'VARCHAR' },
      asked.map((text) => [text]),
    );
    const { exported } = await scoreTable(connection, pipeline, { weights: ['main', 'my weights'] });
    const rows = (await connection.runAndReadAll('SELECT * FROM "main"."my weights"')).getRows();
    expect(rows).toEqual([...exported.weights!.rows()]);
    expect(exported.weights!.columns.map(({ name }) => name)).toEqual(['part', 'term', 'idf', 'w0', 'w1', 'w2']);
    expect(exported.setup.length).toBe(2);
  });

  test('a text that is NULL is not answered, and two columns make a key', async () => {
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(documents, topics);
    await makeTable(connection, 't', { body: 'VARCHAR', day: 'DATE' }, [[null, '2026-11-15'], ['prize', '2026-11-15'], ['prize', '2026-11-16']]); // biome-ignore format: rows
    const answers = await scoreTable(connection, pipeline, { columns: ['body'], key: ['key', 'day'] });
    expect(answers.exported.columns.key).toEqual(['key', 'day']);
    const { select } = toSql(pipeline, { dialect: 'duckdb', table: 't', columns: ['body'], key: ['key', 'day'] });
    const rows = (await connection.runAndReadAll(`SELECT label FROM (${select}) ORDER BY "key"`)).getRows();
    expect(rows).toEqual([[null], ['spam'], ['spam']]);
  });
});

test('texts that a dictionary would have to cut get NULL where that was asked for', async () => {
  const model = makePipeline(new CountVectorizer({ tokenizer: 'auto' }), new MultinomialNB());
  model.fit(['win a prize', 'see you, हिन्दी'], ['spam', 'ham']);
  const rows = [['prize'], ['see 日本'], ['हिन्दी'], ['']];
  await makeTable(connection, 't', { text: 'VARCHAR' }, rows);
  const answers = await scoreTable(connection, model, { unspaced: 'null' });
  expect(answers.labels[1]).toBeNull();
  const asked = ['prize', 'हिन्दी', ''];
  expectSame(answers, model.predictProba(asked), model.predict(asked), [0, 2, 3]);
});

test('kernels over some values are carried, over many they are refused', async () => {
  const model = new KernelNB({ missing: 'ignore' }).fit(measured, labels);
  await expectRows(model as Fitted, doubles(3), [...measured, [null, 1, 1e6], [null, null, null], [1e3, -1e5, 0]]);
  const many = Array.from({ length: 5001 }, (_, i) => [i]);
  expect(
    refusalOf(() =>
      toSql(
        new KernelNB().fit(
          many,
          many.map(([i]) => i % 2),
        ),
        { dialect: 'duckdb', table: 't' },
      ),
    ).code,
  ).toBe('E_ENGINE_CAPABILITY');
});

describe('what SQL cannot represent is refused before anything is written', () => {
  const X = [[1, 2], [2, 1], [0, 3], [3, 0]]; // biome-ignore format: rows
  const y = ['a', 'b', 'a', 'b'];
  const code = (model: Parameters<typeof toSql>[0], options = {}) =>
    refusalOf(() => toSql(model, { dialect: 'duckdb', table: 't', key: 'key', ...options })).code;

  test('families and tokenizers', () => {
    const text = (options: object) =>
      makePipeline(new CountVectorizer(options), new MultinomialNB()).fit(['aa bb', 'bb cc'], ['a', 'b']);
    for (const options of [
      { tokenizer: 'auto' },
      { analyzer: 'char', normalize: 'NFC' },
      { normalize: 'NFC' },
      { stripAccents: 'unicode' },
      { tokenPattern: '[a-z]+' },
    ]) {
      expect(code(text(options))).toBe('E_ENGINE_CAPABILITY');
    }
    const pairs = times(480, (i) => [i >> 1, i >> 1]);
    const sides = pairs.map((_, i) => (i % 2 ? 'x' : 'y'));
    for (const model of [
      makePipeline(new HashingVectorizer({ alternateSign: false }), new MultinomialNB()).fit(['aa'], ['a']),
      new TreeAugmentedNB().fit(pairs, sides),
      new AveragedOneDependenceNB().fit(pairs, sides),
    ]) {
      expect(code(model)).toBe('E_ENGINE_CAPABILITY');
    }
    const gaps = [['a', null], ['b', 'c']]; // biome-ignore format: rows
    expect(code(new TreeAugmentedNB({ missing: 'ignore' }).fit(gaps, ['x', 'y']))).toBe('accepted');
    expect(code(text({ tokenizer: (own: string) => own.split(' ') }))).toBe('E_CONFLICT');
    expect(code(new RobinsonFisherFilter().fit(X, y) as never)).toBe('E_CONFLICT');
    expect(code(text({ tokenPattern: '(?u)\\b\\w+\\b' }))).toBe('accepted');
    const words = makePipeline(new CountVectorizer(), new DirichletMultinomialNB()).fit(['aa bb', 'bb cc'], ['a', 'b']);
    expect(code(words)).toBe('E_ENGINE_CAPABILITY');
    expect(code(new DirichletMultinomialNB().fit(X, y))).toBe('accepted');
    expect(code(new PoissonNB({ predictive: true }).fit(X, y))).toBe('accepted');
  });

  test('options that contradict themselves', () => {
    const model = new GaussianNB().fit(X, y);
    const text = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(['aa bb', 'bb cc'], y.slice(0, 2));
    expect(code(model, { dialect: 'mysql' })).toBe('E_PARAM');
    expect(code(model, { columns: ['x'] })).toBe('E_PARAM');
    expect(code(text, { key: undefined })).toBe('E_PARAM');
    expect(code(model, { key: 'label' })).toBe('E_IDENTIFIER');
    expect(code(model, { key: 'P_A' })).toBe('E_IDENTIFIER');
    expect(code(model, { key: ['id', 'id'] })).toBe('E_IDENTIFIER');
    expect(code(model, { key: 'label', prefix: 'x_' })).toBe('accepted');
    expect(code(model, { table: 'a\0b' })).toBe('E_IDENTIFIER');
    expect(code(new GaussianNB().fit([{ '': 1 }, { '': 2 }], ['a', 'b']))).toBe('E_IDENTIFIER');
    expect(code(new GaussianNB().fit(X, ['a\0', 'b', 'a\0', 'b']))).toBe('E_IDENTIFIER');
  });
});
