import { expect, test } from 'vitest';
import { refuseBinary } from './binary.ts';
import { sniffText } from './sniff.ts';

const sniff = (text: string, name = '', whole = true) =>
  sniffText(new TextEncoder().encode(text), { name, whole }).format;

test('formats are detected from the content', () => {
  const cases: [string, string][] = [
    ['a,b\n1,2\n3,4\n', 'csv'],
    ['a;b\n1;2\n3;4\n', 'csv'],
    ['a\tb\n1\t2\n3\t4\n', 'tsv'],
    ['\ufeffa,"b, c"\n1,"2, 3"\n4,5\n', 'csv'],
    ['{"a":1}\n{"a":2}\n', 'jsonl'],
    ['  \n {"a":1}', 'jsonl'],
    ['__label__spam win\n__label__ham see you\n', 'fasttext'],
    ['From a@example.org Tue Jan  1 10:00:00 2019\nSubject: x\n\nbody\n', 'mbox'],
    ['From the garden\nto the house\n', 'text'],
    ['one line alone, with a comma', 'text'],
    ['hello, world\nbye, world\n', 'text'],
    ['a document\nanother document\n', 'text'],
    ['39, State-gov, 77516, Bachelors\n50, Self-emp, 83311, Masters\n', 'csv'],
    ['[2024-01-01] a log line\n[2024-01-02] another\n', 'text'],
    ['', 'text'],
  ];
  for (const [text, format] of cases) expect([text, sniff(text)]).toEqual([text, format]);
});

test('the file name decides only between tables and plain text', () => {
  expect(sniff('text\none\ntwo\n', 'x.csv')).toBe('csv');
  expect(sniff('text\none\ntwo\n', 'x.csv.gz')).toBe('csv');
  expect(sniff('text\none\ntwo\n', 'x.TSV')).toBe('tsv');
  expect(sniff('a,b\n1,2\n1,2,3\n1\n', 'broken.csv')).toBe('csv');
  expect(sniff('{"a":1}\n', 'x.csv')).toBe('jsonl');
  expect(sniff('a;b\n1;2\n', 'x.tsv')).toBe('csv');
});

test('an array of JSON and an ARFF file are recognised', () => {
  for (const text of ['[{"a": 1}]', ' [\n  {"a": 1}\n]', '[]', '[[1]]']) expect(sniff(text)).toBe('json');
  expect(sniff('[sic], as they say\nand more')).toBe('text');
  expect(sniff('% a comment\n@RELATION x\n')).toBe('arff');
});

test('binary files are rejected by their kind, similar text is not', () => {
  const refused = (bytes: string) => {
    try {
      refuseBinary(Buffer.from(bytes, 'latin1'));
    } catch (error) {
      const { code, details } = error as { code: string; details: { fault: string; offset?: number } };
      return [code, details.fault, details.offset];
    }
    return undefined;
  };
  expect(refused('PK\x03\x04rest')).toEqual(['E_FORMAT', expect.stringContaining('spreadsheet'), undefined]);
  expect(refused('\x89PNG\r\n')).toEqual(['E_FORMAT', expect.stringContaining('picture'), undefined]);
  expect(refused(`${'\0'.repeat(257)}ustar`)).toEqual(['E_FORMAT', expect.stringContaining('tar'), undefined]);
  expect(refused('\x40\0\0\0\0\0\0\0{"__metadata__":{}}')).toEqual([
    'E_FORMAT',
    expect.stringContaining('model'),
    undefined,
  ]);
  expect(refused('\xff\xfea\0')).toEqual(['E_ENCODING', expect.stringContaining('utf-16le'), 0]);
  expect(refused('a\0b\0,\0c\0')).toEqual(['E_ENCODING', expect.stringContaining('utf-16le'), 0]);
  expect(refused('\0a\0b\0,\0c')).toEqual(['E_ENCODING', expect.stringContaining('utf-16be'), 0]);
  expect(refused('id,name\n1,a\0b\n')).toEqual(['E_ENCODING', expect.stringContaining('NUL'), 11]);
  expect(refused('ORC, elf and dwarf\n')).toBeUndefined();
  expect(refused('BZh91 is how bzip2 begins')).toEqual(['E_FORMAT', expect.stringContaining('bzip2'), undefined]);
  expect(refused('')).toBeUndefined();
});
