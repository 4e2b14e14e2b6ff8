import { numberLiteral } from '../engines/sql/dialect.ts';
import { column, type Frame, rowsOf } from '../engines/sql/frame.ts';
import { weighedSum } from '../engines/sql/grouped.ts';
import { byCodePoint, type TermRules, type TextDialect, termRows } from './terms.ts';

/** Terms of the texts of a frame, with the columns y, w if rows have weights, term, n, d and r. */
function terms(frame: Frame, text: string, rules: TermRules): string {
  const q = (name: string) => column(frame, name);
  const keys = [q('y'), ...(frame.weight === undefined ? [] : [q('w')])];
  return `(${termRows(frame.engine.dialect as TextDialect, rules, keys, q('x0'), rowsOf(frame, [text]), q)}) AS t`;
}

/**
 * The number of occurrences of each term in each class, and of its documents: label, term, tf, df, in the order of the
 * terms. Terms in fewer documents than `least` stay in the engine.
 */
export function wordQuery(frame: Frame, text: string, rules: TermRules, least: number): string {
  const { dialect } = frame.engine;
  const q = (name: string) => column(frame, name);
  const [y, term, tf, df] = ['y', 'term', 'tf', 'df'].map(q);
  const sums = `${weighedSum(frame, q('n'))} AS ${tf}, ${weighedSum(frame, q('d'))} AS ${df}`;
  const groups = `SELECT ${y}, ${term}, ${sums} FROM ${terms(frame, text, rules)} GROUP BY ${y}, ${term}`;
  const order = ` ORDER BY ${byCodePoint(dialect, term)}`;
  if (!(least > 1)) return groups + order;
  const limit = numberLiteral(dialect, least);
  const columns = [y, term, tf, df].join(', ');
  if (dialect !== 'clickhouse') {
    const total = `sum(${df}) OVER (PARTITION BY ${term}) AS ${q('total')}`;
    return `SELECT ${columns} FROM (SELECT ${columns}, ${total} FROM (${groups}) AS g) AS p WHERE ${q('total')} >= ${limit}${order}`;
  }
  const lists = [y, tf, df].map((name, k) => `groupArray(${name}) AS ${q(`l${k}`)}`).join(', ');
  const kept = `SELECT ${term}, ${lists} FROM (${groups}) AS g GROUP BY ${term} HAVING sum(${df}) >= ${limit}`;
  const joined = [y, tf, df].map((name, k) => `${q(`l${k}`)} AS ${name}`).join(', ');
  return `SELECT ${columns} FROM (SELECT ${y}, ${term}, ${tf}, ${df} FROM (${kept}) AS k ARRAY JOIN ${joined}) AS p${order}`;
}

/** The sum of the square roots of the shares of each term in each class: label, term, sum, in the order of the terms. */
export function rootQuery(frame: Frame, text: string, rules: TermRules): string {
  const q = (name: string) => column(frame, name);
  const [y, term, sum] = ['y', 'term', 'sum'].map(q);
  const order = byCodePoint(frame.engine.dialect, term);
  return `SELECT ${y}, ${term}, ${weighedSum(frame, q('r'))} AS ${sum} FROM ${terms(frame, text, rules)} GROUP BY ${y}, ${term} ORDER BY ${order}`;
}
