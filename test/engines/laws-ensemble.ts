import { expect, test } from 'vitest';
import { readClassifier } from '../../src/auto/classifier-saved.ts';
import { RecordTable } from '../../src/data/column-table.ts';
import { quoteIdentifier, quotePath } from '../../src/engines/sql/dialect.ts';
import { wordsOf } from '../../src/engines/sql/words.ts';
import {
  BernoulliNB,
  CategoricalNB,
  type Classifier,
  ComplementNB,
  CountVectorizer,
  MultinomialNB,
  makePipeline,
} from '../../src/index.ts';
import { classifierFromEngine } from '../../src/warehouse/classifier.ts';
import { scoreInEngine } from '../../src/warehouse/score.ts';
import { differentDates } from './law-dates.ts';
import { type Bench, column, type EngineUnderLaw, expectSameCounts, records } from './law-tools.ts';
import type { Cell, TestTable } from './load.ts';
import { noteResult } from './results.ts';

const noise = (i: number, n: number) => (((i + 1) * 2654435761) >>> 7) % n;
const COLOURS = [' red', 'green ', 'blue', "it's \\ 🎉"];

/** Columns of every kind with gaps, of which none determines the label alone. */
const mixed: TestTable = {
  columns: [
    ['id', 'integer'],
    ['label', 'text'],
    ['size', 'real'],
    ['far', 'real'],
    ['events', 'integer'],
    ['colour', 'text'],
    ['shape', 'text'],
    ['flag', 'boolean'],
  ],
  rows: Array.from({ length: 360 }, (_, i): Cell[] => {
    const c = noise(i, 3);
    return [
      i,
      ['ham', 'spam', 'other'][c],
      noise(3 * i, 11) === 0 ? null : noise(5 * i, 41) / 8 + c,
      1e6 + noise(7 * i, 29) / 4 - c,
      noise(11 * i, 13) === 0 ? null : noise(13 * i, 5) + (c === 1 ? 2 : 0),
      noise(17 * i, 9) === 0 ? null : COLOURS[(noise(19 * i, 3) + c) % 4],
      ['round', 'square'][noise(23 * i, 5) > 3 - c ? 1 : 0],
      noise(29 * i, 4) > c,
    ];
  }),
};

const texts: TestTable = {
  columns: [
    ['id', 'integer'],
    ['label', 'integer'],
    ['body', 'text'],
    ['size', 'real'],
  ],
  rows: Array.from({ length: 240 }, (_, i): Cell[] => {
    const c = noise(i, 2);
    const words = [...'abcdefgh'].map((_letter, k) => `Wort${(noise(31 * i + k, 40) + 12 * c) % 60}`);
    const body =
      i % 60 === 7 ? '' : `${words.join(' ')} naïve CAFFÈ ${c === 0 ? 'Straße straße' : 'x ΟΔΟΣ'} ${noise(i, 7)}`;
    return [i, c, body, noise(37 * i, 19) / 4 + c];
  }),
};

const two = (n: number) => String(n).padStart(2, '0');

/** Dates of every type, whose weekday, month and hour say something about the label. */
const dates: TestTable = {
  columns: [
    ['id', 'integer'],
    ['label', 'text'],
    ['day', 'date'],
    ['moment', 'time'],
    ['written', 'text'],
    ['size', 'real'],
  ],
  rows: Array.from({ length: 360 }, (_, i): Cell[] => {
    const c = noise(i, 3);
    const day = new Date(Date.UTC(2021, 0, 1 + 7 * noise(3 * i, 150) + noise(5 * i, 4) + c)).toISOString();
    const hour = two(6 * c + noise(7 * i, 9));
    const month = 1 + ((noise(11 * i, 5) + 3 * c) % 12);
    return [
      i,
      ['ham', 'spam', 'other'][c],
      noise(13 * i, 17) === 0 ? null : day.slice(0, 10),
      `${day.slice(0, 10)} ${hour}:${two(noise(17 * i, 60))}:${two(noise(19 * i, 60))}.${noise(23 * i, 900) + 100}`,
      noise(29 * i, 19) === 0 ? null : `${1 + noise(31 * i, 28)}. ${month}. ${2019 + noise(37 * i, 4)}`,
      noise(41 * i, 31) / 4 + c / 8,
    ];
  }),
};

/** Ensembles, and choices that need rows: made on a sample that the engine draws, counted in the engine. */
export function ensembleLaws({ under, learned }: Bench): void {
  for (const [what, table, features] of [
    ['columns of every kind', mixed, ['size', 'far', 'events', 'colour', 'shape', 'flag']],
    ['a text and a number', texts, ['body', 'size']],
    ['dates and a number', dates, ['day', 'moment', 'written', 'size']],
  ] as const) {
    test(`an ensemble of ${what} is chosen on a sample, counted and scored in the engine`, async ({ skip }) => {
      if (under().countsOnly) skip('not supported by the old release');
      const { engine, load, oneScan } = under();
      const where = (await load(`ensemble_${what.length}`, table)) as string;
      const model = await classifierFromEngine({ engine, table: where, target: 'label', features, oneScan });
      expect(model.model).toBe('auto');
      const { schema, evaluation, tried } = model.report();
      expect(schema.rows).toBe(table.rows.length);
      expect(schema.columns.filter(({ role }) => role === 'feature').map(({ name }) => name).sort()).toEqual([...features].sort()); // biome-ignore format: one line
      expect(evaluation?.rows).toBeGreaterThan(table.rows.length / 2);
      expect(tried.filter(({ chosen }) => chosen).length).toBeGreaterThan(1);
      const { bitsAreNumbers } = under();
      const rows = records(table, features).map((row) =>
        bitsAreNumbers && typeof row.flag === 'boolean' ? { ...row, flag: Number(row.flag) } : row,
      );
      expectSameAsLearned(model, rows, column(table, 'label') as (string | number)[]);
      await expectSameScores(under(), model, rows, where);
      await noteResult(engine, `ensembles of ${what}`);
    });
  }

  test('dates are read as in memory, in every notation', async ({ skip }) => {
    if (under().countsOnly) skip('not supported by the old release');
    expect(await differentDates(under().engine)).toEqual([]);
  });

  test("alpha: 'auto' is chosen as in memory", async () => {
    const table: TestTable = {
      columns: [
        ['y', 'text'],
        ['n', 'integer'],
        ['m', 'integer'],
        ['c', 'text'],
        ['t', 'text'],
      ],
      rows: Array.from({ length: 90 }, (_, i): Cell[] => {
        const c = noise(i, 3);
        return [
          `class ${c}`,
          noise(3 * i, 9) + c,
          noise(5 * i, 4),
          COLOURS[(noise(7 * i, 2) + c) % 4],
          `w${c}x w${noise(i, 30)}x all`,
        ];
      }),
    };
    const y = column(table, 'y') as string[];
    const alpha = 'auto';
    for (const make of [
      () => new MultinomialNB({ alpha }),
      () => new ComplementNB({ alpha }),
      () => new BernoulliNB({ alpha, binarize: 1 }),
    ]) {
      const features = ['n', 'm'];
      expectSameCounts(await learned(make(), table, 'y', features), make().fit(records(table, features) as never, y));
    }
    const levels = () => new CategoricalNB({ alpha });
    expectSameCounts(await learned(levels(), table, 'y', ['c']), levels().fit(records(table, ['c']) as never, y));
    const words = () => makePipeline(new CountVectorizer(), new MultinomialNB({ alpha }));
    expectSameCounts(await learned(words(), table, 'y', ['t']), words().fit(column(table, 't') as string[], y));
  });
}

type Records = ReturnType<typeof records>;

/** The members have the counts of the same members that have learned the same rows in memory. */
function expectSameAsLearned(model: Classifier, given: Records, labels: readonly (string | number)[]): void {
  const rows = new RecordTable(given);
  for (const counted of readClassifier(model.toState()).predictors) {
    const taught = counted.blank();
    taught.change('partialFit', { table: rows, labels } as never)();
    expect(Array.from(taught.classCount ?? [])).toEqual(Array.from(counted.classCount ?? []));
    const [a, b] = [counted, taught].map((own) => own.scores(rows, false).logProba.data);
    a.forEach((log, k) => {
      expect(Math.abs(Math.exp(log) - Math.exp(b[k])), `score ${k}`).toBeLessThan(1e-9);
    });
  }
}

async function expectSameScores(
  { engine }: EngineUnderLaw,
  model: Classifier,
  given: Records,
  where: string,
): Promise<void> {
  const expected = model.predictProba(given);
  const name = (text: string) => quoteIdentifier(engine.dialect, text);
  const { double } = wordsOf(engine.dialect);
  const into = `answers_${Math.random().toString(36).slice(2)}`;
  const { columns, rows } = await scoreInEngine(model as never, { engine, table: where, key: 'id', into });
  expect(rows).toBe(given.length);
  const listed = ['id', ...columns.probabilities].map((own, k) => `${double(name(own))} AS v${k}`);
  for await (const batch of engine.query(`SELECT ${listed.join(', ')} FROM ${quotePath(engine.dialect, into)}`)) {
    const [ids, ...probabilities] = batch.columns as Float64Array[];
    for (let i = 0; i < batch.rows; i++) {
      probabilities.forEach((own, c) => {
        expect(Math.abs(own[i] - expected.at(ids[i], c)), `row ${ids[i]}, class ${c}`).toBeLessThan(1e-9);
      });
    }
  }
  await engine.execute(`DROP TABLE ${quotePath(engine.dialect, into)}`);
}
