import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DataRow } from '../data/cells.ts';
import type { PolyaError } from '../errors.ts';
import { inspectTable, type OpenTableOptions, openTable, readTable, type TableSource } from '../node.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'polya-table-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function refusal(source: TableSource, options: OpenTableOptions = {}) {
  const error = await readTable(source, options).then(
    () => expect.fail('it was read'),
    (error: PolyaError) => error,
  );
  return { code: error.code, message: error.message, ...error.details };
}

const plain = (rows: readonly DataRow[]) => rows.map((row) => ({ ...row }));
const people = [
  { name: 'Ana', age: '31' },
  { name: 'Wei, Jr', age: '' },
];
const mailbox = 'From a@example.org Tue Jan  1 10:00:00 2019\nFrom: a\nSubject: hi\n\nbody\n';

test('every text format is read from a path, a URL, bytes and gzip of each, and reported', async () => {
  const cases: [name: string, text: string, format: string, rows: object[]][] = [
    ['a', 'name,age\nAna,31\n"Wei, Jr",\n', 'csv', people],
    ['b', 'name\tage\nAna\t31\nWei, Jr\t\n', 'tsv', people],
    ['c', '{"name":"Ana","age":31}\n\n{"name":"Wei"}\n', 'jsonl', [{ name: 'Ana', age: 31 }, { name: 'Wei' }]],
    [
      'd',
      '__label__x one two\nthree\n',
      'fasttext',
      [
        { label: 'x', text: 'one two' },
        { label: null, text: 'three' },
      ],
    ],
    ['e', 'a document\n\nand one more\n', 'text', [{ text: 'a document' }, { text: 'and one more' }]],
    ['f', mailbox, 'mbox', [{ from: 'a', to: '', subject: 'hi', date: '', labels: '', text: 'body' }]],
  ];
  for (const [name, text, format, rows] of cases) {
    const sources: TableSource[] = [
      await put(name, text),
      pathToFileURL(await put(name, text)),
      await put(`${name}.zip`, gzipSync(text)),
      new TextEncoder().encode(text),
      gzipSync(text),
      [text.slice(0, 3), text.slice(3)],
    ];
    for (const [k, source] of sources.entries()) {
      const table = await readTable(source);
      expect([k, table.format, plain(table.rows), table.compressed]).toEqual([k, format, rows, k === 2 || k === 4]);
      expect(table.columns).toEqual([...new Set(rows.flatMap(Object.keys))]);
    }
  }
});

test('given options are not detected', async () => {
  const bytes = new TextEncoder().encode('a,b\n1,2\n');
  expect(plain((await readTable(bytes, { format: 'text' })).rows)).toEqual([{ text: 'a,b' }, { text: '1,2' }]);
  expect(await readTable(bytes, { format: 'csv', header: false })).toMatchObject({
    header: false,
    columns: ['c1', 'c2'],
  });
  const named = await readTable(bytes, { format: 'csv', header: ['x', 'y'] });
  expect(plain(named.rows)).toEqual([
    { x: 'a', y: 'b' },
    { x: '1', y: '2' },
  ]);
  expect((await readTable(bytes, { format: 'csv', delimiter: ';' })).columns).toEqual(['a,b']);
  expect((await readTable(bytes, { format: 'csv', columns: ['b'] })).rows).toMatchObject([{ b: '2' }]);
  expect(await refusal(bytes, { format: 'csv', columns: ['c'] })).toMatchObject({
    code: 'E_FEATURE_MISSING',
    feature: 'c',
  });
  expect(await refusal(bytes, { format: 'xls' as 'csv' })).toMatchObject({ code: 'E_PARAM' });
  expect(await refusal(bytes, { encoding: 'ebcdic' as 'utf-8' })).toMatchObject({ code: 'E_PARAM' });
  expect((await readTable(bytes, { format: 'csv' })).formatReason).toBe('asked for');
});

test('a first row that looks like the others is not a header', async () => {
  const headerOf = async (text: string) => (await readTable(new TextEncoder().encode(text), { format: 'csv' })).header;
  expect(await headerOf('5.1,3.5,setosa\n4.9,3.0,setosa\n6.3,3.3,virginica\n')).toBe(false);
  expect(await headerOf('ham,see you\nspam,win\nham,lunch?\n')).toBe(false);
  expect(await headerOf('no,985,skill\n1,Yes,Java\n2,No,C++\n3,Yes,Java\n')).toBe(true);
  expect(await headerOf('width,species\n5.1,setosa\n4.9,setosa\n')).toBe(true);
  expect(await headerOf('text,label\nhello,ham\nwin,spam\n')).toBe(true);
  expect(await headerOf('a,b\n1,2\n')).toBe(true);
});

test('rows have no inherited keys, and every name is a column', async () => {
  for (const text of ['__proto__,constructor\n1,2\n3,4\n', '{"__proto__":"1","constructor":"2"}\n']) {
    const [row] = (await readTable(new TextEncoder().encode(text))).rows;
    expect(Object.entries(row!)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    expect('toString' in row!).toBe(false);
  }
});

test('an error has the file, the position, its line and the one before', async () => {
  const path = await put('broken.csv', 'id,label,text\n88,ham,"see you at 7"\n89,spam,"WIN a prize\n90,ham,ok\n');
  expect(await refusal(path)).toEqual({
    code: 'E_FORMAT',
    message: '"broken.csv", line 3, column 9: the quote opened here never closes',
    file: 'broken.csv',
    line: 3,
    column: 9,
    offset: 44,
    fault: 'the quote opened here never closes',
    excerpt: { line: 3, text: '89,spam,"WIN a prize', caret: 9, before: { line: 2, text: '88,ham,"see you at 7"' } },
    badRows: 0,
  });
  const json = await put('broken.jsonl', '{"a":1}\n{"a":\u001b[31m}\n');
  expect(await refusal(json)).toMatchObject({ code: 'E_FORMAT', excerpt: { text: '{"a":\\u{1b}[31m}', caret: 6 } });
  expect(await refusal(await put('array.jsonl', '{"a":1}\n[1,2]\n'))).toMatchObject({ code: 'E_FORMAT', line: 2 });
  const two = await put('two.txt', '__label__a one\n__label__a __label__b two\n');
  expect(await refusal(two)).toMatchObject({ code: 'E_LABEL_TYPE', line: 2, file: 'two.txt' });
});

test('the excerpt of a long line is centred on the error', async () => {
  const text = `a,b\n${'é'.repeat(3000)},"x" tail ${'z'.repeat(3000)}\n`;
  const { excerpt, column } = (await refusal(new TextEncoder().encode(text), {
    format: 'csv',
    header: true,
  })) as unknown as {
    excerpt: { text: string; caret: number };
    column: number;
  };
  expect(column).toBe(3006);
  expect([...excerpt.text].length).toBe(200);
  expect([...excerpt.text].slice(excerpt.caret - 7, excerpt.caret + 2).join('')).toBe('é,"x" tai');
  expect(excerpt.text.startsWith('…') && excerpt.text.endsWith('…')).toBe(true);
});

test('bad rows are skipped and recorded, up to a limit', async () => {
  const path = await put('bad.csv', 'a,b\n1,2\n3\n4,5\n6,7,8\n9,10\n');
  const lines: number[] = [];
  const table = await readTable(path, { maxBadRows: 2, onBadRow: ({ line }) => lines.push(line) });
  expect(table.rows.map(({ a }) => a)).toEqual(['1', '4', '9']);
  expect([...table.lines]).toEqual([2, 4, 6]);
  expect(table.rejected.map(({ line, text, code }) => [line, text, code])).toEqual([
    [3, '3', 'E_FORMAT'],
    [5, '6,7,8', 'E_FORMAT'],
  ]);
  expect(lines).toEqual([3, 5]);
  expect(await refusal(path, { maxBadRows: 1 })).toMatchObject({ code: 'E_FORMAT', line: 5, badRows: 1 });
});

test('encodings are read on request, and invalid bytes are reported with their position', async () => {
  const gb = Buffer.from([
    0xc3, 0xfb, 0x2c, 0x62, 10, 0xd6, 0xd0, 0xce, 0xc4, 0x2c, 0x31, 10, 0xb9, 0xfa, 0x2c, 0x32, 10,
  ]);
  const path = await put('gb.csv', gb);
  expect(plain((await readTable(path, { encoding: 'gb18030' })).rows)).toEqual([
    { 名: '中文', b: '1' },
    { 名: '国', b: '2' },
  ]);
  expect(await refusal(path, { format: 'csv' })).toMatchObject({
    code: 'E_ENCODING',
    file: 'gb.csv',
    line: 1,
    column: 1,
    offset: 0,
  });
  const bad = await put('bad-gb.csv', Buffer.concat([gb, Buffer.from([0xff, 10])]));
  expect(await refusal(bad, { encoding: 'gb18030' })).toMatchObject({
    code: 'E_ENCODING',
    file: 'bad-gb.csv',
    line: 4,
    column: 1,
    offset: 17,
  });
  // The reader behind a decoder counts bytes of UTF-8, which are not those of the file.
  const ragged = await put('ragged-gb.csv', Buffer.concat([gb, Buffer.from('x\n')]));
  expect(await refusal(ragged, { encoding: 'gb18030' })).not.toHaveProperty('offset');
  const wide = await put('wide.csv', Buffer.from('\ufeffa,b\n1,é\n2,x\n', 'utf16le'));
  expect((await readTable(wide)).encoding).toBe('utf-16le'); // by its byte order mark
  const unmarked = await put('unmarked.csv', Buffer.from('a,b\n1,é\n2,x\n', 'utf16le'));
  expect(await refusal(unmarked)).toMatchObject({ code: 'E_ENCODING', fault: expect.stringContaining('utf-16le') });
  expect(plain((await readTable(wide, { encoding: 'utf-16le' })).rows)).toEqual([
    { a: '1', b: 'é' },
    { a: '2', b: 'x' },
  ]);
  const latin = await put('latin.txt', Buffer.from('caf\xe9\nna\xefve\n', 'latin1'));
  expect(plain((await readTable(latin, { encoding: 'latin1' })).rows)).toEqual([{ text: 'café' }, { text: 'naïve' }]);
  expect(await refusal(latin)).toMatchObject({
    code: 'E_ENCODING',
    line: 1,
    column: 4,
    offset: 3,
    fault: expect.stringContaining('0xe9'),
  });
});

test('missing, empty, header only, folder, binary, bomb: each error has its code and file name', async () => {
  const cases: [string | Promise<string>, OpenTableOptions, object][] = [
    [join(folder, 'none.csv'), {}, { code: 'E_PATH', file: 'none.csv' }],
    [put('empty.csv', ''), {}, { code: 'E_EMPTY_INPUT', file: 'empty.csv', message: '"empty.csv" is empty' }],
    [put('header.csv', 'a,b\n'), {}, { code: 'E_EMPTY_INPUT', message: '"header.csv" has no rows' }],
    [put('allbad.csv', 'a,b\n1\n'), { maxBadRows: 9 }, { code: 'E_EMPTY_INPUT', badRows: 1 }],
    [put('pic.csv', Buffer.from('\x89PNG\r\n', 'latin1')), {}, { code: 'E_FORMAT', file: 'pic.csv' }],
    [put('nul.csv', 'a,b\n1,\0\n'), {}, { code: 'E_ENCODING', file: 'nul.csv', offset: 6 }],
    [put('sheet.csv', 'PK\x03\x04'), {}, { code: 'E_FORMAT', file: 'sheet.csv' }],
    [put('cut.csv.gz', gzipSync('a,b\n'.repeat(9999)).subarray(0, 40)), {}, { code: 'E_FORMAT', file: 'cut.csv.gz' }],
    [put('bomb.csv.gz', gzipSync('a,b\n'.repeat(9e6))), {}, { code: 'E_LIMIT', limit: 300 }],
    [put('long.txt', 'x'.repeat(2000)), { maxRowBytes: 1000 }, { code: 'E_LIMIT', limit: 1000, line: 1 }],
    [put('file', 'x'), { format: 'folder' }, { code: 'E_PATH' }],
    [folder, { format: 'csv' }, { code: 'E_PATH' }],
  ];
  for (const [path, options, expected] of cases) expect(await refusal(await path, options)).toMatchObject(expected);
  for (const name of ['empty.csv', 'header.csv']) {
    expect((await readTable(join(folder, name), { empty: 'allow' })).rows).toEqual([]);
  }
});

test('a folder has a class in each sub-folder, in the order of names', async () => {
  const root = join(folder, 'news');
  await put('news/b.two/2', 'zweite');
  await put('news/b.two/10', 'erste');
  await put('news/a.one/deep/x', gzipSync('tiefer'));
  await put('news/a.one/.hidden', 'no');
  await put('news/README', 'beside the classes');
  await symlink('/etc/passwd', join(root, 'a.one', 'link'));
  const seen: number[] = [];
  const table = await readTable(root, {
    onProgress: ({ bytesRead, bytesTotal }) => seen.push(bytesRead / bytesTotal!),
  });
  expect(table).toMatchObject({ format: 'folder', columns: ['label', 'text', 'file'], name: 'news' });
  expect(plain(table.rows)).toEqual([
    { label: 'a.one', text: 'tiefer', file: 'a.one/deep/x' },
    { label: 'b.two', text: 'erste', file: 'b.two/10' },
    { label: 'b.two', text: 'zweite', file: 'b.two/2' },
  ]);
  expect(seen.at(-1)).toBe(1);
  await put('news/b.two/3', Buffer.from([97, 10, 98, 0xe9]));
  expect(await refusal(root)).toMatchObject({ code: 'E_ENCODING', file: 'b.two/3', line: 2, column: 2, offset: 3 });
  expect((await readTable(root, { maxBadRows: 1 })).rejected).toMatchObject([{ text: 'b.two/3', line: 2 }]);
  expect((await readTable(root, { encoding: 'latin1' })).rows.at(-1)).toMatchObject({ text: 'a\nbé' });
  expect((await readTable(join(root, 'b.two'), { encoding: 'latin1' })).columns).toEqual(['text', 'file']);
  await mkdir(join(folder, 'nothing'));
  expect(await refusal(join(folder, 'nothing'))).toMatchObject({ code: 'E_EMPTY_INPUT' });
});

test('progress counts bytes on disk, and rows', async () => {
  const text = `a,b\n${Array.from({ length: 50_000 }, (_, i) => `${(i * 7919) % 50_021},${i}\n`).join('')}`;
  const packed = gzipSync(text);
  const path = await put('progress.csv.gz', packed);
  const seen: { bytesRead: number; bytesTotal?: number; rows: number }[] = [];
  const table = await readTable(path, { onProgress: (progress) => seen.push(progress) });
  expect(table.rows.length).toBe(50_000);
  expect(seen.at(-1)).toEqual({ bytesRead: packed.length, bytesTotal: packed.length, rows: 50_000 });
  expect(seen.every(({ bytesRead }, i) => i === 0 || bytesRead >= seen[i - 1]!.bytesRead)).toBe(true);
});

test('a table can be read only once', async () => {
  const table = await openTable(new TextEncoder().encode('a\n1\n'), { format: 'csv' });
  for await (const _ of table.batches());
  await expect(table.batches().next()).rejects.toMatchObject({ code: 'E_CONFLICT' });
});

test('an inspection has format, size, all rows, target and warnings', async () => {
  const text = `id,label,text\n${Array.from({ length: 50 }, (_, i) => `${i + 1},${i % 5 ? 'ham' : 'spam'},see you number ${i} at the place\n`).join('')}`;
  const seen = await inspectTable(await put('sms.csv', text), { sampleRows: 40 });
  expect(seen).toMatchObject({
    ...{
      name: 'sms.csv',
      format: 'csv',
      delimiter: ',',
      header: true,
      encoding: 'utf-8',
      rows: 50,
      bytesTotal: text.length,
    },
    profile: {
      rows: 50,
      sampledRows: 40,
      target: { name: 'label', guessed: true },
      warnings: [{ kind: 'identifier', about: 'id' }],
    },
  });
  expect(seen.profile.columns.map(({ kind }) => kind)).toEqual(['identifier', 'category', 'text']);
});
