import { afterAll, beforeAll, expect, test } from 'vitest';
import { duckdb, makeTable, type SqlCell, scoreTable } from '../../test/duckdb.ts';
import { type Case, chosen, drawn, subjects } from '../../test/exchange-subjects.ts';
import { PolyaError } from '../errors.ts';
import { planOf } from './plan-of.ts';
import { toSql } from './sql.ts';

type Connection = Awaited<ReturnType<typeof duckdb>>;
let connection: Connection;
beforeAll(async () => void (connection = await duckdb()));
afterAll(() => connection.closeSync());

/** Families that take gamma functions or hashes: refused, not answered otherwise. */
const refused = /predictive, with gaps|DirichletMultinomial|Hashing|MixedNB/;

/** Models that SQL carries only with some of their options; a refusal has to be one of these. */
const reasons =
  /terms of characters|normal form|stripAccents|tokenizer 'auto'|token pattern|column of lists|predictive Poisson|its levels are numbers and words|kernels|averaged|tree|k-dependence|urns|'coins' over a text|hash/;

const typeOf = (cells: readonly unknown[]) => {
  const kinds = new Set(cells.filter((cell) => cell !== null && cell !== undefined).map((cell) => typeof cell));
  if (kinds.has('string') || kinds.has('object')) return 'VARCHAR';
  return kinds.has('boolean') ? 'BOOLEAN' : 'DOUBLE';
};

/** The rows of a case as a table; columns are numbered in the table, whatever they are called in the model. */
async function tableOf({ rows, model }: Case): Promise<string[]> {
  const { inputs, row } = planOf(model);
  const wide = inputs.flatMap((input) =>
    input.kind === 'number' && input.width > 1
      ? Array.from({ length: input.width }, (_, j) => input.column + j)
      : [input.column],
  );
  const places = [...new Set(wide)].sort((a, b) => a - b);
  const nameAt = new Map(inputs.map(({ column, name }) => [column, name]));
  const cellOf = (own: unknown, place: number): unknown => {
    if (row === 'value') return own;
    if (Array.isArray(own)) return own[place];
    return (own as Record<string, unknown>)[nameAt.get(place)!];
  };
  const cells = rows.map((own) => places.map((place) => cellOf(own, place) ?? null));
  const types = places.map((_, k) => typeOf(cells.map((own) => own[k])));
  const names = places.map((place) => `column ${place}`);
  const columns = Object.fromEntries(names.map((name, k) => [name, types[k]]));
  await makeTable(
    connection,
    't',
    columns,
    cells.map((own) =>
      own.map((cell, k) => (types[k] === 'VARCHAR' && cell !== null ? String(cell) : cell) as SqlCell),
    ),
  );
  return names;
}

/** Scores the rows of a case in DuckDB; false where SQL cannot carry the model, for one of the reasons. */
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
  const { probabilities } = await scoreTable(connection, own.model, { columns: await tableOf(own), unspaced: 'null' });
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
    let carried = false; // auto may choose terms of characters, which SQL cannot carry
    for (let seed = 1; seed <= 8 && !carried; seed++) carried = await carries(drawn(subject, seed));
    expect(carried).toBe(true);
  },
);
