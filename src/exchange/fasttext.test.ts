import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import type { BadRow } from '../data/faults.ts';
import { fastTextRecords, formatFastText, readFastTextRecords } from './fasttext.ts';

const lines = '__label__spam win a prize\n\n__label__ham  see\tyou  at 7\r\nlunch __label__ham at noon\n';
const records = [
  { label: 'spam', text: 'win a prize' },
  { label: 'ham', text: 'see you at 7' },
  { label: 'ham', text: 'lunch at noon' },
];

test('lines become records, wherever the label stands', async () => {
  expect(fastTextRecords(lines)).toEqual(records);
  expect(fastTextRecords(new TextEncoder().encode(`\ufeff${lines}`))).toEqual(records);
  const streamed: unknown[] = [];
  for await (const chunk of readFastTextRecords([lines.slice(0, 9), lines.slice(9)], { chunkRows: 1 })) {
    expect(chunk.length).toBe(1);
    streamed.push(...chunk);
  }
  expect(streamed).toEqual(records);
  expect(fastTextRecords('#a x\n#b y', { prefix: '#' })).toEqual([
    { label: 'a', text: 'x' },
    { label: 'b', text: 'y' },
  ]);
});

test('several labels, or none, are as the options say, and refusals name the line', () => {
  const several = '__label__a x\n__label__a __label__b y\nno label\n';
  expect(refusalOf(() => fastTextRecords(several))).toMatchObject({ code: 'E_FORMAT', details: { line: 2 } });
  expect(refusalOf(() => fastTextRecords(several, { labels: 'first' }))).toMatchObject({
    code: 'E_LABEL_MISSING',
    details: { line: 3 },
  });
  const first = fastTextRecords(several, { labels: 'first', unlabelled: 'skip' });
  expect(first.map(({ label }) => label)).toEqual(['a', 'a']);
  const each = fastTextRecords(several, { labels: 'each', unlabelled: 'skip' });
  expect(each).toEqual([
    { label: 'a', text: 'x' },
    { label: 'a', text: 'y' },
    { label: 'b', text: 'y' },
  ]);
  const bad: BadRow[] = [];
  expect(fastTextRecords(several, { maxBadRows: 2, onBadRow: (row) => void bad.push(row) })).toEqual([
    { label: 'a', text: 'x' },
  ]);
  expect(bad.map(({ line, code }) => [line, code])).toEqual([
    [2, 'E_FORMAT'],
    [3, 'E_LABEL_MISSING'],
  ]);
});

test('bytes that are no text and options that are none are refused', () => {
  expect(refusalOf(() => fastTextRecords(Uint8Array.of(0x5f, 0xff)))).toMatchObject({
    code: 'E_ENCODING',
    details: { line: 1 },
  });
  expect(refusalOf(() => fastTextRecords(lines, { labels: 'last' as 'first' })).code).toBe('E_PARAM');
  expect(refusalOf(() => fastTextRecords(lines, { unlabelled: 'guess' as 'skip' })).code).toBe('E_PARAM');
});

test('what was written is read back, but for the blanks between words', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => !/[ \t\v\f\r\n\0]/.test(text) && !text.startsWith('__label__'));
  const record = fc.record({ label: word, text: fc.array(word).map((words) => words.join(' ')) });
  fc.assert(
    fc.property(fc.array(record), (own) => {
      expect(fastTextRecords(formatFastText(own))).toEqual(own);
    }),
  );
  expect(formatFastText([{ label: 'a', text: ' two\nlines\r\n' }])).toBe('__label__a two lines\n');
});

test('what would be read otherwise is not written', () => {
  for (const [label, text] of [
    ['a b', 'x'],
    ['a', 'x __label__b'],
    ['a', 'nul\0'],
  ]) {
    // biome-ignore format: pairs
    const refusal = refusalOf(() => formatFastText([{ label: 'fine', text: '' }, { label, text }]));
    expect(refusal).toMatchObject({ code: 'E_FORMAT', details: { record: 1 } });
  }
});
