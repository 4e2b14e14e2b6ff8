import { type DateOrder, dateParts, parseDate, partPlace } from '../../src/data/cell-date.ts';
import type { SqlEngine } from '../../src/engines/engine.ts';
import { quoteString } from '../../src/engines/sql/dialect.ts';
import { datePart } from '../../src/exchange/sql/dates.ts';
import { QueryBuilder } from '../../src/exchange/sql/query-builder.ts';

/** Dates in every notation, and texts that are nearly dates. */
const dateTexts: readonly string[] = [
  ...['2023-04-05', '2024-02-29', '2023-02-29', '1900-02-29', '2000-02-29', '1000-01-01', '0999-12-31', '9999-12-31'],
  ...['2023/4/5', '2023.4.5', '2023-4/5', '2023-13-01', '2023-04-31', '2023-12-31', '1969-12-31', '1583-10-15'],
  ...['5.4.2023', '5/4/2023', '5-4-2023', '31/12/1999', '12/31/1999', '4/5/68', '4/5/69', '5. 4. 2023', '5.4/2023'],
  ...['5 April 2023', '5th Apr 2023', '1st. Sept 2023', '22ND-MAY-99', 'Mon, 5 Apr 2023', 'wednesday 05.Dec.2012'],
  ...[
    'Apr 5, 2023',
    'April 5th 2023',
    'Wed Sept 5, 2023',
    'May 32, 2023',
    'Mon 5, 2023',
    'Foo 5, 2023',
    'Sun. Jul. 4, 2021',
  ],
  ...['2023年4月5日', '2023年4月5', '2023年13月5日', '2023年4月5日 10:30'],
  ...['2023-04-05T10:30', '2023-04-05 10:30:15', '2023-04-05 10:30:15.123456789', '2023-04-05T23:59:59,5Z'],
  ...['2023-04-05 10:30+02:00', '2023-04-05 10:30:00+00', '2023-04-05 10:30:00-0730', '2023-04-05 10:30 UTC'],
  ...['2023-04-05 24:00', '2023-04-05 10:60', '2023-04-05 10:30:60', '2023-04-05 1:05 pm', '2023-04-05 12:05 A.M.'],
  ...['2023-04-05, 12:05pm', '2023-04-05 13:05 pm', '2023-04-05 0:05 am', '5/4/2023 9:07', 'Apr 5, 2023 9:07:08.25 PM'],
  ...[
    '  2023-04-05\t',
    '5\u00a0April\u20092023',
    '',
    ' ',
    'x',
    'NaN',
    '2023',
    '20230405',
    '2023-04-05x',
    '2023-04-05 10',
  ],
  ...[
    '2023-04-05 10:30:15.29',
    '1999-12-31 23:59:59.999999',
    '2023-04-05\n10:30',
    "it's",
    '5|4|2023',
    '２０２３-04-05',
  ],
  ...[`5 April 2023${' '.repeat(60)}`, 'wednesday., 05th. September, 2023, 10:30:15.123456789 a.m. +02:00'],
];

/** What an engine reads of texts that the library reads differently: none if all is well. */
export async function differentDates(engine: SqlEngine): Promise<string[]> {
  const { dialect } = engine;
  const all = (['day-first', 'month-first'] as const).flatMap((order) => dateParts.map((part) => ({ order, part })));
  const builder = new QueryBuilder(dialect, 'd_');
  const cells = all.map((date) => datePart(builder, { text: 't', stage: 0, nullable: true, simple: true }, date));
  const { texts: stages, last } = builder.ctes('given');
  const found: string[] = [];
  const [null_, ...texts] = [null, ...dateTexts];
  const listed = [...texts, null_].map((text, k) => {
    const value = text === null ? 'NULL' : quoteString(dialect, text);
    return `SELECT ${k} AS k, ${value} AS t`;
  });
  const listing = cells.map(({ text }, k) => `${text} AS p${k}`).join(', ');
  const sql = `WITH given AS (${listed.join(' UNION ALL ')})${stages.map((stage) => `, ${stage}`).join('')} SELECT CAST(k AS ${dialect === 'clickhouse' ? 'Float64' : 'DOUBLE PRECISION'}) AS k, ${listing} FROM ${last}`;
  const text = dialect === 'spark' ? sql.replaceAll('DOUBLE PRECISION', 'DOUBLE') : sql;
  let rows = 0;
  for await (const batch of engine.query(text)) {
    const [places, ...columns] = batch.columns as Float64Array[];
    rows += batch.rows;
    for (let i = 0; i < batch.rows; i++) {
      all.forEach(({ order, part }, k) => {
        const given = dateTexts[places[i]];
        const expected = given === undefined ? Number.NaN : partPlace(momentOf(given, order), part);
        if (Object.is(columns[k][i], expected)) return;
        found.push(`${JSON.stringify(given)} ${order} ${part}: ${columns[k][i]} instead of ${expected}`);
      });
    }
  }
  return rows === dateTexts.length + 1 ? found : [...found, `${rows} rows`];
}

const momentOf = (text: string, order: DateOrder): number => parseDate(text, order);
