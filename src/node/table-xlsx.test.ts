import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { DataRow } from '../data/cells.ts';
import type { PolyaError } from '../errors.ts';
import { type OpenTableOptions, openTable, readTable, type TableSource } from '../node.ts';

// Workbooks by openpyxl and XlsxWriter: test/reference/data/xlsx/workbooks.py.
const path = (name: string) => new URL(`../../test/reference/data/xlsx/${name}.xlsx`, import.meta.url);
const plain = (rows: readonly DataRow[]) => rows.map((row) => ({ ...row }));

async function refusal(source: TableSource, options: OpenTableOptions = {}) {
  const error = await readTable(source, options).then(
    () => expect.fail('it was read'),
    (error: PolyaError) => error,
  );
  return { code: error.code, message: error.message, ...error.details };
}

/** A ZIP archive of some files. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let start = 0;
  for (const [name, text] of Object.entries(files)) {
    const [content, packed, word] = [Buffer.from(text), deflateRawSync(text, { level: 1 }), Buffer.from(name)];
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(word.length, 22);
    shared.copy(head, 4);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    shared.copy(entry, 6);
    entry.writeUInt32LE(start, 42);
    parts.push(head, word, packed);
    directory.push(entry, word);
    start += head.length + word.length + packed.length;
  }
  const end = Buffer.alloc(22);
  const list = Buffer.concat(directory);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...parts, list, end]);
}

/** A workbook of one sheet with these rows. */
function workbook(
  rows: string,
  { workbook: own = '', others = {} }: { workbook?: string; others?: object } = {},
): Buffer {
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`;
  return zip({
    '_rels/.rels': `<Relationships>${link('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/_rels/workbook.xml.rels': `<R>${link('s1', 'worksheet', '/xl/one.xml')}${link('c1', 'chartsheet', 'chart.xml')}</R>`,
    'xl/workbook.xml': `<w>${own}<sheets><sheet name="Chart" r:id="c1"/><sheet name="A&amp;B" r:id="s1"/></sheets></w>`,
    'xl/one.xml': `<x:worksheet><x:sheetData>${rows}</x:sheetData></x:worksheet>`,
    ...others,
  });
}

const text = (words: readonly string[]) =>
  `<row>${words.map((word) => `<c t="inlineStr"><is><t>${word}</t></is></c>`).join('')}</row>`;

test('a workbook of openpyxl is read from a file, from bytes and from gzip', async () => {
  const bytes = readFileSync(path('openpyxl'));
  for (const source of [path('openpyxl'), bytes, gzipSync(bytes)]) {
    const table = await readTable(source, { duplicates: 'number' });
    expect([table.format, table.header, table.sheet?.name, table.sheet?.others]).toEqual([
      'xlsx',
      true,
      'Customers & more',
      ['Hidden', 'Empty'],
    ]);
    expect(table.sheet?.letters).toMatchObject({ name: 'A', note: 'E', F: 'F', name_2: 'G' });
    expect(plain(table.rows)).toEqual([
      {
        ...{ name: 'Köln', size: 1.5, joined: new Date('2024-02-29T13:30:00Z'), active: 'TRUE' },
        ...{ note: 'two\nlines', F: 'x', name_2: 1 },
      },
      {
        ...{ name: '東京', size: -2e-7, joined: new Date('1900-01-01T00:00:00Z'), active: 'FALSE' },
        ...{ note: "<a> & 'b'", F: null, name_2: 2 },
      },
      { name: null, size: null, joined: null, active: null, note: '007', F: null, name_2: 3 },
    ]);
    expect([...table.lines]).toEqual([2, 3, 5]); // rows of the sheet, of which the fourth is empty
  }
});

test('a workbook of XlsxWriter has inline strings, rich text, formulas and dates since 1904', async () => {
  const { rows } = await readTable(path('xlsxwriter'));
  expect(plain(rows)).toEqual([
    { a: 'one two', when: new Date('2024-02-29T13:30:00Z'), red: 3.25, sum: 2 },
    { a: 'x', when: null, red: null, sum: null },
  ]);
});

test('a sheet is chosen by its name, and columns by theirs', async () => {
  const table = await openTable(path('openpyxl'), { sheet: 'Empty', empty: 'allow' });
  expect([table.columns, table.sheet?.name]).toEqual([[], 'Empty']);
  await table.close();
  expect(await refusal(path('openpyxl'), { sheet: 'Hiden', duplicates: 'number' })).toMatchObject({
    code: 'E_FEATURE_MISSING',
    near: 'Hidden',
    sheets: ['Customers & more', 'Hidden', 'Empty'],
  });
  const some = await readTable(path('openpyxl'), { columns: ['note', 'size'], duplicates: 'number' });
  expect(plain(some.rows)[0]).toEqual({ note: 'two\nlines', size: 1.5 });
  expect(await refusal(path('openpyxl'))).toMatchObject({ code: 'E_FEATURE_DUPLICATE' });
});

test('without a header the columns are numbered; a title above the header is refused', async () => {
  const numbers = Array.from({ length: 5 }, (_, i) => `<row><c><v>${i}</v></c><c><v>${i / 2}</v></c></row>`).join('');
  const table = await readTable(workbook(numbers));
  expect([table.header, table.rows.length, table.columns]).toEqual([false, 5, ['c1', 'c2']]);
  const titled = text(['Sales 2024']) + text(['a', 'b', 'c']) + text(['x', 'y', 'z']);
  expect(await refusal(workbook(titled))).toMatchObject({
    code: 'E_FORMAT',
    fault: expect.stringContaining('row 1 names 1 of 3'),
  });
});

test('prefixes, comments, CDATA, phonetic guides and escapes of XML are read', async () => {
  const rows =
    '<x:row><!-- > <c> --><x:c t="inlineStr"><x:is><x:t>漢字</x:t><x:rPh sb="0"><x:t>かんじ</x:t></x:rPh></x:is></x:c></x:row>' +
    '<row r="4"><c r="A4" t="inlineStr"><is><t><![CDATA[a<b]]>&amp;c_x0009_d</t></is></c></row>';
  const { rows: read, lines, sheet } = await readTable(workbook(rows), { header: true });
  expect([plain(read), [...lines], sheet?.name]).toEqual([[{ 漢字: 'a<b&c\td' }], [4], 'A&B']);
});

test('a bad cell is refused with its address, or its row is skipped', async () => {
  const header = text(['a', 'b']);
  const bad = '<row><c r="B2"><v>1,5</v></c></row>';
  const wide = '<row r="3"><c r="AB3"><v>1</v></c></row>';
  const good = '<row><c><v>1</v></c><c><v>2</v></c></row>';
  const rows = header + bad + good.repeat(300);
  expect(await refusal(workbook(rows))).toMatchObject({ code: 'E_FORMAT', cell: 'B2', line: 2 });
  const late = header + good.repeat(300) + wide.replaceAll('3"', '302"').replaceAll('AB302', 'AB302');
  expect(await refusal(workbook(late))).toMatchObject({ code: 'E_FORMAT', cell: 'AB302', line: 302 });
  const table = await readTable(workbook(rows), { maxBadRows: 1 });
  expect([table.rows.length, table.rejected.map(({ line }) => line)]).toEqual([300, [2]]);
  expect(await refusal(workbook(`${header}<row><c t="s"><v>0</v></c></row>`))).toMatchObject({ cell: 'A2' });
});

test('what is not a workbook of this kind is named', async () => {
  const fault = async (source: Uint8Array) => (await refusal(source)).message;
  expect(await fault(zip({ 'a.txt': 'a' }))).toContain('it is a ZIP archive, not a table; unpack it');
  expect(await fault(zip({ 'content.xml': '<a/>' }))).toContain('it is an OpenDocument file');
  expect(await fault(zip({ 'xl/workbook.bin': 'a' }))).toContain('.xlsb');
  expect(await fault(Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest', 'latin1'))).toContain(
    'or one with a password',
  );
  expect(await fault(readFileSync(path('openpyxl')).subarray(0, 4000))).toContain('its end is missing');
});

test('a part that grows beyond the limits is refused', async () => {
  const blank = `<row>${' '.repeat(4_000_000)}</row>`;
  expect(await refusal(workbook(blank), { maxRatio: 100 })).toMatchObject({ code: 'E_LIMIT', limit: 100 });
  expect(await refusal(workbook(blank), { maxOutputBytes: 1e6 })).toMatchObject({ code: 'E_LIMIT', limit: 1e6 });
});

test('every bit flip of a workbook gives rows or a PolyaError', async () => {
  const bytes = new Uint8Array(readFileSync(path('xlsxwriter')));
  for (let bit = 32; bit < 8 * bytes.length; bit += 61) {
    const flipped = bytes.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    await readTable(flipped).catch((error: PolyaError) =>
      expect(['E_FORMAT', 'E_LIMIT', 'E_EMPTY_INPUT', 'E_ENCODING', 'E_FEATURE_DUPLICATE']).toContain(error.code),
    );
  }
});
