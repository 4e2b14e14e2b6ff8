import { afterAll, beforeAll, expect, test } from 'vitest';
import { duckdb, scoreTable } from '../../test/duckdb.ts';
import { tableOf } from '../../test/exchange/sql.ts';
import { type Case, chosen, drawn, subjects } from '../../test/exchange-subjects.ts';
import { PolyaError } from '../errors.ts';
import { toSql } from './sql.ts';

type Connection = Awaited<ReturnType<typeof duckdb>>;
let connection: Connection;
beforeAll(async () => void (connection = await duckdb()));
afterAll(() => connection.closeSync());

/** Hashes and lists in cells: refused, not answered otherwise. */
const refused = /Hashing|MixedNB$/;

/** Models that SQL carries only with some of their options; a refusal has to be one of these. */
const reasons =
  /normal form|stripAccents|tokenizer 'auto'|token pattern|column of lists|predictive Poisson|its levels are numbers and words|kernels|averaged|tree|k-dependence|urns|'coins' over a text|hash/;

/** Scores the rows of a case in DuckDB; false where SQL cannot represent the model, for one of the reasons. */
async function carries(own: Case): Promise<boolean> {
  try {
    toSql(own.model, { dialect: 'duckdb', table: 't', key: 'key', unspaced: 'null' });
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    if (error.code !== 'E_IDENTIFIER') {
      // an empty name: the columns of the table get others
      expect(error.code).toBe('E_ENGINE_CAPABILITY');
      expect(error.message).toMatch(reasons);
      return false;
    }
  }
  const { statements, columns } = tableOf(own, 'duckdb');
  for (const statement of statements) await connection.run(statement);
  const { probabilities } = await scoreTable(connection, own.model, { columns, unspaced: 'null' });
  const proba = own.model.predictLogProba(own.rows as never, { strict: false });
  probabilities.forEach((row, i) => {
    if (row[0] === null && /[\p{scx=Hani}\p{scx=Kana}]/u.test(JSON.stringify(own.rows[i]))) return;
    row.forEach((p, c) => {
      const expected = Math.exp(proba.row(i)[c]);
      const close = typeof p === 'number' && Math.abs(p - expected) <= 1e-9;
      if (!close) expect.fail(`row ${JSON.stringify(own.rows[i])}, class ${c}: ${p} is not ${expected}`);
    });
  });
  return true;
}

test.each(subjects.map((subject) => [subject.name, subject] as const))(
  '%s scores in DuckDB as in the library, or is refused',
  async (name, subject) => {
    let carried = 0;
    for (let seed = 1; seed <= 8; seed++) if (await carries(drawn(subject, seed))) carried++;
    if (refused.test(name)) expect(carried).toBe(0);
    else expect(carried).toBeGreaterThan(0);
  },
);

test.each(chosen.map((subject) => [subject.name, subject] as const))(
  '%s scores in DuckDB as in the library',
  async (_, subject) => {
    for (let seed = 1; seed <= 2; seed++) expect(await carries(drawn(subject, seed))).toBe(true);
  },
);
