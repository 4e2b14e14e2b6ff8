import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateParts, detectDates, makeDateParser, parseDate, partOf } from './cell-date.ts';
import { type CellCounts, detectCells, isFormat, levelReader, momentOf } from './cell-format.ts';
import { detectNumbers, makeNumberParser, parseNumber } from './cell-number.ts';
import { isBlank, isMarker, missingWords, numberOf } from './cells.ts';
import { flattenRow, flattenRows, nestedCell } from './flatten.ts';

const once = (cells: readonly unknown[]): CellCounts => cells.map((cell) => [cell, 1]);
const cents = fc.integer({ min: -1e12, max: 1e12 }).map((value) => value / 100);
const anything = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[-+\d.,'e%$€() ]{0,20}$/));

/** A number with separators between thousands. */
function grouped(value: number, separator: string, mark: string): string {
  const [whole, fraction] = Math.abs(value).toFixed(2).split('.');
  return (value < 0 ? '-' : '') + whole.replace(/\B(?=(\d{3})+$)/g, separator) + mark + fraction;
}

describe('numbers', () => {
  test('plain numbers are those of JavaScript', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (value) => parseNumber(String(value), 'plain') === value,
      ),
    );
    const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
    fc.assert(
      fc.property(anything, (text) => {
        const value = PLAIN.test(text.trim()) ? Number(text.trim()) : Number.NaN;
        expect(parseNumber(text, 'plain')).toBe(Number.isFinite(value) ? value : Number.NaN);
      }),
    );
  });

  test('amounts are parsed in every notation, and the notations agree', () => {
    fc.assert(
      fc.property(cents, fc.constantFrom('$', '€', '£', '¥', '₹', ''), (value, sign) => {
        const size = Math.abs(value);
        const minus = value < 0 ? '-' : '';
        const point = [
          `${minus}${sign}${grouped(size, ',', '.')}`,
          `${minus}${grouped(size, "'", '.')} ${sign}`,
          `${grouped(value, '\u202f', '.')}%`,
          ...(value < 0 ? [`(${sign}${grouped(size, ',', '.')})`, `\u2212${sign}${grouped(size, '', '.')}`] : []),
        ];
        const comma = [
          `${grouped(value, '.', ',')} ${sign}`,
          `${sign}${grouped(value, ' ', ',')}`,
          `${grouped(value, '', ',')} %`,
        ];
        for (const text of point) expect(parseNumber(text, 'point'), text).toBe(value);
        for (const text of comma) expect(parseNumber(text, 'comma'), text).toBe(value);
      }),
    );
  });

  test.each([
    ['1,234.50', 'point', 1234.5],
    ['$1,234', 'point', 1234],
    ['12.5 %', 'point', 12.5],
    ['(3)', 'point', -3],
    ['1.234,5', 'comma', 1234.5],
    ['0,5', 'point', Number.NaN],
    ['0,123', 'point', Number.NaN],
    ['12,34', 'point', Number.NaN],
    ['1,2345', 'point', Number.NaN],
    ['1,234,56', 'point', Number.NaN],
    ["1,234'567", 'point', Number.NaN],
    ['$', 'point', Number.NaN],
    ['$5€', 'point', Number.NaN],
    ['-(5)', 'point', Number.NaN],
    ['(5', 'point', Number.NaN],
    ['1.2.3', 'comma', Number.NaN],
    ['5 apples', 'point', Number.NaN],
  ] as const)('%s with a decimal %s is %d', (text, style, value) => {
    expect(parseNumber(text, style)).toBe(value);
  });

  test.each([
    [['1', '2.5', '-3e2'], { style: 'plain' }],
    [['1,234.50', '12'], { style: 'point' }],
    [['1.234,50', '12'], { style: 'comma' }],
    [['12,5', '1.234'], { style: 'comma' }],
    [['1,234', '5,678'], { style: 'point', ambiguous: '1,234' }],
    [['1.234', '5.678'], { style: 'plain' }],
    [['12,5', '12.5'], undefined],
    [['12,5', 'many'], undefined],
  ])('the decimal mark of %j is decided by the unambiguous cells', (texts, found) => {
    expect(detectNumbers(texts)).toEqual(found);
    expect(detectNumbers([...texts].reverse())?.style).toEqual(found?.style);
  });
});

describe('dates', () => {
  const days = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  });

  test('a date is parsed in every notation, and the notations agree', () => {
    fc.assert(
      fc.property(days, (date) => {
        const [y, m, d] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
        const midnight = Date.UTC(y, m - 1, d);
        const name = date.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
        const iso = date.toISOString();
        const either = [
          iso.slice(0, 10),
          `${y}/${m}/${d}`,
          `${y}年${m}月${d}日`,
          `${d} ${name} ${y}`,
          `${d}-${name.slice(0, 3)}-${y}`,
          `${d}. ${name} ${y}`,
          `${name} ${d}, ${y}`,
          `${name.slice(0, 3)} ${d}th ${y}`,
        ];
        for (const order of ['day-first', 'month-first'] as const) {
          for (const text of either) expect(parseDate(text, order), text).toBe(midnight);
          for (const text of [iso, iso.replace('T', ' '), iso.replace('Z', '+02:00')])
            expect(parseDate(text, order), text).toBe(date.getTime());
        }
        for (const text of [`${d}.${m}.${y}`, `${d}/${m}/${y}`, `${d}-${m}-${y}`, `${d}. ${m}. ${y}`])
          expect(parseDate(text, 'day-first'), text).toBe(midnight);
        expect(parseDate(`${m}/${d}/${y}`, 'month-first')).toBe(midnight);
      }),
    );
  });

  test('the parts of a date are those of the calendar', () => {
    fc.assert(
      fc.property(days, (date) => {
        const [at, weekday, month, hour] = dateParts.map((part) => partOf(date.getTime(), part));
        expect(at).toBe(date.getTime() / 86_400_000);
        expect([weekday, month, hour]).toEqual([date.getUTCDay(), date.getUTCMonth() + 1, date.getUTCHours()]);
      }),
    );
  });

  test.each([
    ['2023-02-29', Number.NaN],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2023-13-01', Number.NaN],
    ['31.4.2023', Number.NaN],
    ['5.4.23', Date.UTC(2023, 3, 5)],
    ['5.4.69', Date.UTC(1969, 3, 5)],
    ['2023-04-05 12:30 pm', Date.UTC(2023, 3, 5, 12, 30)],
    ['2023-04-05 12:30 am', Date.UTC(2023, 3, 5, 0, 30)],
    ['2023-04-05 25:00', Number.NaN],
    ['Wed, 05 Apr 2023 10:00:00 +0200', Date.UTC(2023, 3, 5, 10)],
    ['1.2.3', Number.NaN],
    ['10.0.19', Number.NaN],
    ['192.168.1.1', Number.NaN],
    ['20230405', Number.NaN],
    ['may', Number.NaN],
  ])('%s', (text, moment) => {
    expect(parseDate(text, 'day-first')).toBe(moment);
  });

  test.each([
    [['13/4/2023', '1/2/2023'], { order: 'day-first' }],
    [['4/13/2023', '1/2/2023'], { order: 'month-first' }],
    [['1/2/2023', '5/6/2023'], { order: 'month-first', ambiguous: '1/2/2023' }],
    [['1/2/2023', '1/6/2023'], { order: 'day-first', ambiguous: '1/2/2023' }],
    [['1-2-2023', '5-6-2023'], { order: 'day-first', ambiguous: '1-2-2023' }],
    [['1.2.2023', '5.6.2023'], { order: 'day-first' }],
    [['2023-01-02', '5 May 2023'], { order: 'day-first' }],
    [['13/4/2023', '4/13/2023'], undefined],
    [['13/4/2023', 'soon'], undefined],
  ])('the order of day and month in %j is decided once for the column', (texts, found) => {
    expect(detectDates(texts)).toEqual(found);
    expect(detectDates([...texts].reverse())?.order).toEqual(found?.order);
  });
});

describe('cells', () => {
  test('no text makes a parser throw', () => {
    const long = fc.constantFrom('9', '1,', '1.', ' ', '(', 'a', '1-').map((piece) => piece.repeat(50_000));
    const started = performance.now();
    fc.assert(
      fc.property(fc.oneof(anything, long), (text) => {
        for (const style of ['plain', 'point', 'comma'] as const)
          expect(typeof parseNumber(text, style)).toBe('number');
        for (const order of ['day-first', 'month-first'] as const) expect(typeof parseDate(text, order)).toBe('number');
      }),
    );
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('a cell is parsed in the detected format, whatever else is in the column', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anything, fc.anything()), { minLength: 1, maxLength: 8 }), (cells) => {
        const present = cells.filter((cell) => !isBlank(cell));
        const { kind, format } = detectCells(once(present));
        expect(isFormat(JSON.parse(JSON.stringify(format)))).toBe(true);
        const said = present.filter((cell) => !isMarker(cell));
        if (kind === 'number') for (const cell of said) expect(numberOf(cell, format.numbers)).not.toBeNaN();
        if (kind === 'date')
          for (const cell of said)
            expect(Number.isNaN(momentOf(cell, format.dates ?? 'day-first'))).toBe(
              cell instanceof Date && Number.isNaN(cell.getTime()),
            );
      }),
    );
  });

  test.each([
    [['08713', '10115'], 'code'],
    [['08713', 'NA', '10115'], 'code'],
    [['1', '05', ...Array.from({ length: 300 }, (_, i) => String(i + 100))], 'number'], // one typo among numbers
    [['0', '1', '10'], 'number'],
    [['0.5', '0.25'], 'number'],
    [['yes', 'No', 'YES'], 'boolean'],
    [['t', 'f', '?'], 'boolean'],
    [['Y', 'n'], 'boolean'],
    [[true, false], 'boolean'],
    [['yes', 'no', 'maybe'], 'word'],
    [['y', 'f'], 'word'],
    [['yes', 'y'], 'word'],
    [['0', '1'], 'number'],
    [['$5', 'n/a', '6 €'], 'number'],
    [['5.4.2023', '-', '2023-04-06'], 'date'],
    [[new Date(0), '2023-04-06'], 'date'],
    [['A1', 'B2'], 'word'],
    [[], 'empty'],
  ])('%j: %s', (cells, kind) => {
    expect(detectCells(once(cells)).kind).toBe(kind);
  });

  test('words for a missing cell are missing in a category, unless they are all that distinguishes rows', () => {
    const read = (cells: readonly unknown[]) => cells.map(levelReader(detectCells(once(cells)).format));
    const cells = ['red', 'NA', '?', 'blue', '-', 'n/a', 'null', ''];
    expect(read(cells).filter((word) => word !== undefined)).toEqual(['red', 'blue']);
    expect(read(['+', '-', '?'])).toEqual(['+', '-', undefined]);
    expect(read(['red', 'NA'])).toEqual(['red', 'NA']);
    expect(read(['none', 'some', 'Na'])).toEqual(['none', 'some', 'Na']);
    expect(missingWords).toEqual(expect.arrayContaining(['NA', '?', 'null', '-', 'n/a']));
  });

  test('true and false are one level each, however they are written', () => {
    const { format } = detectCells([
      ['Yes', 5],
      ['yes', 2],
      ['no', 4],
      ['NO', 1],
    ]);
    expect(format.truth).toEqual(['Yes', 'no']);
    expect(['YES', 'y', true, '1', 'No', 'false', 0, 'perhaps', ' '].map(levelReader(format))).toEqual([
      ...['Yes', 'Yes', 'Yes', 'Yes', 'no', 'no', 'no', 'perhaps', undefined],
    ]);
  });

  test('the parts of dates are those that recur within the column', () => {
    const parts = (cells: readonly string[]) => detectCells(once(cells)).format.parts;
    expect(parts(['2023-04-05', '2023-04-07'])).toEqual(['days']);
    expect(parts(['2023-04-05', '2023-04-07', '2023-04-20'])).toEqual(['days', 'weekday']);
    expect(parts(['2021-04-05', '2023-05-07'])).toEqual(['days', 'weekday', 'month']);
    expect(parts(['2023-04-05 10:00', '2023-04-07 11:00'])).toEqual(['days', 'hour']);
  });

  test('the parsers are self-contained, so that exported modules can include them', () => {
    const alone = (source: () => unknown) =>
      new Function(`return (${source})()`)() as (text: string, way: string) => number;
    expect(alone(makeNumberParser)('$1,234.50', 'point')).toBe(1234.5);
    expect(alone(makeDateParser)('5 Apr 2023', 'day-first')).toBe(Date.UTC(2023, 3, 5));
  });
});

describe('nested records', () => {
  test('become columns named by their path', () => {
    const row = { id: 1, user: { age: 3, home: { zip: '08713' } }, tags: ['a'], when: new Date(0), 'user.age': 4 };
    expect({ ...flattenRow(row) }).toEqual({
      id: 1,
      'user.age': 4,
      'user.home.zip': '08713',
      tags: ['a'],
      when: new Date(0),
    });
    expect(nestedCell(row, 'user.home.zip')).toBe('08713');
    const rows = [{ a: 1 }, { a: null }];
    expect(flattenRows(rows)).toBe(rows);
  });

  test('every flattened cell is found under its path in the original row', () => {
    const tree = fc.letrec((tie) => ({
      row: fc.dictionary(
        fc.stringMatching(/^[a-c.]{1,2}$/),
        fc.oneof({ depthSize: 'small' }, fc.integer(), tie('row')),
        { maxKeys: 3 },
      ),
    })).row as fc.Arbitrary<Record<string, unknown>>;
    fc.assert(
      fc.property(tree, (row) => {
        const flat = flattenRow(row);
        for (const [name, cell] of Object.entries(flat))
          if (typeof cell === 'number') expect(nestedCell(row, name)).toBeTypeOf('number');
        expect(flattenRow(flat)).toBe(flat);
      }),
    );
  });
});
