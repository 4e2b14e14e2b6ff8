import { expect, test } from 'vitest';
import type { LoadedRow, LoadedType } from '../../src/engines/engine.ts';
import { quoteIdentifier, quotePath } from '../../src/engines/sql/dialect.ts';
import { wordsOf } from '../../src/engines/sql/words.ts';
import { createStatement } from '../../src/exchange/sql/weights.ts';
import {
  AveragedOneDependenceNB,
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  CountVectorizer,
  GaussianNB,
  KDependenceNB,
  KernelNB,
  LinearDiscriminantAnalysis,
  type Matrix,
  MixedNB,
  MultinomialNB,
  makePipeline,
  Pipeline,
  PoissonNB,
  QuadraticDiscriminantAnalysis,
  TreeAugmentedNB,
} from '../../src/index.ts';
import { classifierFromEngine } from '../../src/warehouse/classifier.ts';
import { type Countable, fitFromEngine } from '../../src/warehouse/fit.ts';
import { scoreInEngine } from '../../src/warehouse/score.ts';
import { type Bench, records } from './law-tools.ts';
import type { TestTable } from './load.ts';
import { noteResult } from './results.ts';

const COLOURS = ['red', 'green', 'blue', "it's \\ 🎉"];

const table: TestTable = {
  columns: [
    ['id', 'integer'],
    ['label', 'text'],
    ['n1', 'integer'],
    ['n2', 'integer'],
    ['x', 'real'],
    ['x2', 'real'],
    ['c1', 'text'],
    ['c2', 'text'],
    ['c3', 'text'],
    ['body', 'text'],
  ],
  rows: Array.from({ length: 120 }, (_, i) => {
    const c = i % 3;
    return [
      i,
      ['ham', 'spam', 'other'][c],
      (i * 7 + c) % 5,
      (i * 3 + 2 * c) % 4,
      ((i * 37) % 19) / 4 + c,
      ((i * 11) % 23) / 8 - c,
      COLOURS[(i * 5 + c) % 4],
      COLOURS[(i * 3) % 4],
      COLOURS[(i + c) % 3],
      c === 1 ? `free entry ${i % 5} win Straße` : `see you at lunch ${(i * c) % 3} ${COLOURS[i % 3]}`,
    ];
  }),
};

const counts = ['n1', 'n2'];
const numbers = ['x', 'x2', 'n1'];
const levels = ['c1', 'c2', 'c3'];
const concentration = { k: 2, selectColumns: false, concentration: 'likelihood' } as const;

/** Every family that SQL can score, with its columns of the table. */
const families: readonly (readonly [() => Countable, readonly string[]])[] = [
  [() => new MultinomialNB(), counts],
  [() => new ComplementNB(), counts],
  [() => new BernoulliNB(), counts],
  [() => new PoissonNB(), counts],
  [() => new GaussianNB(), numbers],
  [() => new LinearDiscriminantAnalysis(), numbers],
  [() => new QuadraticDiscriminantAnalysis(), numbers],
  [() => new KernelNB(), ['x']],
  [() => new CategoricalNB(), levels],
  [() => new TreeAugmentedNB(), levels],
  [() => new AveragedOneDependenceNB(), levels],
  [() => new KDependenceNB(concentration), levels],
  [() => new MixedNB(), ['x', 'n1', 'c1', 'c2']],
  [() => makePipeline(new CountVectorizer(), new MultinomialNB()), ['body']],
  [() => makePipeline(new CountVectorizer({ ngramRange: [1, 2] }), new BernoulliNB()), ['body']],
  [() => makePipeline(new CountVectorizer({ analyzer: 'char', ngramRange: [1, 2] }), new ComplementNB()), ['body']],
];

/** Scores inside the engine equal those of the library. */
export function scoreLaws({ under }: Bench): void {
  test('rows are loaded with every text and the bits of every number', async ({ skip }) => {
    if (under().countsOnly) skip('not supported by the old release');
    const { engine } = under();
    const name = `loaded_${Math.random().toString(36).slice(2)}`;
    const columns = ['integer', 'text', 'number', 'number'].map((type, k) => ({
      name: `c${k}`,
      type: type as LoadedType,
    }));
    const texts = ['a\tb', 'c\nd', '\\N', '\\', "it's", '🎉 ẞ', '', ' ', 'NULL', '\r', '日本語;--'];
    const numbers = [0.1, -1e-300, 5e-324, Number.MAX_VALUE, Infinity, -Infinity, null, 1 / 3, 2 ** 53, -7, 1e22];
    const rows = texts.map((text, i): LoadedRow => [i, text, numbers[i], null]);
    await engine.execute(createStatement(engine.dialect, { name, columns, rows: () => rows }));
    await engine.load?.(
      name,
      columns.map(({ type }) => type),
      rows,
    );
    const { double } = wordsOf(engine.dialect);
    const seen: LoadedRow[] = [];
    const sql = `SELECT ${double('c0')} AS c0, c1, c2, c3 FROM ${quotePath(engine.dialect, name)}`;
    for await (const batch of engine.query(sql)) {
      for (let i = 0; i < batch.rows; i++) seen.push(batch.columns.map((own) => own[i] as number | string | null));
    }
    seen.sort((a, b) => Number(a[0]) - Number(b[0]));
    expect(seen).toEqual(rows.map(([i, text, number]) => [i, text, number ?? Number.NaN, Number.NaN]));
    await engine.execute(`DROP TABLE ${quotePath(engine.dialect, name)}`);
  });

  test('dates, timestamps, UUIDs and large integers are levels, fitted and scored in the engine', async ({ skip }) => {
    if (under().countsOnly) skip('not supported by the old release');
    const { engine } = under();
    const { dialect } = engine;
    const [name, into] = ['dated', 'dated_scores'].map((word) => `${word}_${Math.random().toString(36).slice(2)}`);
    const types = { day: 'DATE', at: 'TIMESTAMP', key: dialect === 'spark' ? 'STRING' : 'UUID', big: 'DECIMAL(30, 0)' };
    const rows = Array.from({ length: 40 }, (_, i) => {
      const [k, m] = [i % 2, i % 3];
      const day = `2026-01-0${1 + k}`;
      const key = `00000000-0000-4000-8000-00000000000${m}`;
      return { day, at: `${day} 1${m}:30:00`, key, big: `12345678901234567890${100 + k + m}` };
    });
    const listed = rows.map((row, i) => {
      const cells = Object.entries(row).map(([own, value]) => `CAST('${value}' AS ${types[own as keyof typeof types]}) AS ${own}`); // biome-ignore format: one line
      return `SELECT ${i} AS id, '${i % 4 < 2 ? 'a' : 'b'}' AS label, ${cells.join(', ')}`;
    });
    const { tableEnd, double } = wordsOf(dialect);
    await engine.execute(`CREATE TABLE ${quotePath(dialect, name)}${tableEnd} AS ${listed.join(' UNION ALL ')}`);
    const features = Object.keys(types);
    const model = await classifierFromEngine(
      { engine, table: name, target: 'label', features },
      { model: 'categorical' },
    );
    await scoreInEngine(model, { engine, table: name, key: 'id', into });
    const sql = `SELECT ${double('id')} AS id, label FROM ${quotePath(dialect, into)}`;
    let seen = 0;
    for await (const { rows: length, columns } of engine.query(sql)) {
      seen += length;
      for (let i = 0; i < length; i++) expect(columns[1][i]).toBe(model.classify(rows[columns[0][i] as number]).label);
    }
    expect(seen).toBe(rows.length);
    expect(model.report().schema.columns.filter(({ role }) => role === 'feature')).toHaveLength(4);
    for (const own of [name, into]) await engine.execute(`DROP TABLE ${quotePath(dialect, own)}`);
  });

  for (const [make, features] of families) {
    const { kind } = make();
    const family = nameOf(make());
    test(`${kind} of ${features.join(', ')} is fitted and scores in the engine`, async ({ skip }) => {
      if (under().countsOnly) skip('not supported by the old release');
      const { engine, load, oneScan } = under();
      const where = (await load(`score_${kind}_${features.length}`.toLowerCase(), table)) as string;
      const model = await fitFromEngine(make(), { engine, table: where, target: 'label', features, oneScan });
      const X =
        features[0] === 'body' ? records(table, features).map(({ body }) => String(body)) : records(table, features);
      const expected = model.predictProba(X as never) as Matrix;
      const name = (text: string) => quoteIdentifier(engine.dialect, text);
      const { double } = wordsOf(engine.dialect);
      const into = `scores_${Math.random().toString(36).slice(2)}`;
      const { columns, rows } = await scoreInEngine(model as never, {
        engine,
        table: where,
        key: 'id',
        into,
        columns: features,
      });
      expect(rows).toBe(table.rows.length);
      const listed = [double(name('id')), ...columns.probabilities.map((own) => double(name(own)))].map(
        (sql, k) => `${sql} AS v${k}`,
      );
      let seen = 0;
      for await (const batch of engine.query(`SELECT ${listed.join(', ')} FROM ${quotePath(engine.dialect, into)}`)) {
        const [ids, ...probabilities] = batch.columns as Float64Array[];
        seen += batch.rows;
        for (let i = 0; i < batch.rows; i++) {
          probabilities.forEach((own, c) => {
            expect(Math.abs(own[i] - expected.at(ids[i], c)), `row ${ids[i]}, class ${c}`).toBeLessThan(1e-9);
          });
        }
      }
      expect(seen).toBe(table.rows.length);
      await engine.execute(`DROP TABLE ${quotePath(engine.dialect, into)}`);
      await noteResult(engine, family);
    });
  }
}

/** The name of a family in the documentation. */
function nameOf(model: Countable): string {
  if (!(model instanceof Pipeline)) return `\`${model.kind}\``;
  const [vectorizer, last] = model.steps;
  const { ngramRange, analyzer } = (vectorizer as CountVectorizer).getParams();
  const terms = analyzer === 'char' ? 'characters' : ngramRange[1] > 1 ? 'words and pairs' : 'words';
  return `\`CountVectorizer\` (${terms}), \`${last.kind}\``;
}
