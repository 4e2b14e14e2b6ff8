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

/** Which terms leave the engine. */
export interface Wanted {
  /** The least and the largest number of documents. */
  readonly least: number;
  readonly most: number;
  /** At most this many terms: those with the largest sum, ties by order. */
  readonly limit: number | null;
  readonly by: 'tf' | 'df';
}

/**
 * The number of occurrences of each term in each class, and of its documents: label, term, tf, df, in the order of the
 * terms. Terms that are not wanted stay in the engine.
 */
export function wordQuery(frame: Frame, text: string, rules: TermRules, { least, most, limit, by }: Wanted): string {
  const { dialect } = frame.engine;
  const q = (name: string) => column(frame, name);
  const [y, term, tf, df, total] = ['y', 'term', 'tf', 'df', 'total'].map(q);
  const sums = `${weighedSum(frame, q('n'))} AS ${tf}, ${weighedSum(frame, q('d'))} AS ${df}`;
  const groups = `SELECT ${y}, ${term}, ${sums} FROM ${terms(frame, text, rules)} GROUP BY ${y}, ${term}`;
  const sorted = byCodePoint(dialect, term);
  const order = ` ORDER BY ${sorted}`;
  const within = (sum: string) => [
    ...(least > 1 ? [`${sum} >= ${numberLiteral(dialect, least)}`] : []),
    ...(most < Infinity ? [`${sum} <= ${numberLiteral(dialect, most)}`] : []),
  ];
  if (within('').length === 0 && limit === null) return groups + order;
  const columns = [y, term, tf, df].join(', ');
  const rank = by === 'tf' ? tf : df;
  if (dialect !== 'clickhouse') {
    const over = `OVER (PARTITION BY ${term})`;
    const summed = `SELECT ${columns}, sum(${df}) ${over} AS ${total}, sum(${rank}) ${over} AS ${q('rank')} FROM (${groups}) AS g`;
    const conditions = within(total);
    const kept = `SELECT * FROM (${summed}) AS p${conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''}`;
    if (limit === null) return `SELECT ${columns} FROM (${kept}) AS k${order}`;
    const place = `dense_rank() OVER (ORDER BY ${q('rank')} DESC, ${sorted}) AS ${q('place')}`;
    return `SELECT ${columns} FROM (SELECT ${columns}, ${place} FROM (${kept}) AS k) AS l WHERE ${q('place')} <= ${limit}${order}`;
  }
  const conditions = within(`sum(${df})`);
  const having = conditions.length > 0 ? ` HAVING ${conditions.join(' AND ')}` : '';
  const top = limit === null ? '' : ` ORDER BY sum(${rank}) DESC, ${term} LIMIT ${limit}`;
  const lists = [y, tf, df].map((name, k) => `groupArray(${name}) AS ${q(`l${k}`)}`).join(', ');
  const kept = `SELECT ${term}, ${lists} FROM (${groups}) AS g GROUP BY ${term}${having}${top}`;
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
