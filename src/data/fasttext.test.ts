import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFastText, parseFastTextLine, readFastText } from './fasttext.ts';

test('labels may be anywhere, words are the rest', () => {
  const cases: [string, string[], string][] = [
    ['__label__spam win a prize', ['spam'], 'win a prize'],
    ['__label__a __label__b  two \t blanks ', ['a', 'b'], 'two blanks'],
    ['a word __label__late and more', ['late'], 'a word and more'],
    ['no label at all', [], 'no label at all'],
    ['__label__', [''], ''],
    ['x__label__y', [], 'x__label__y'],
    ['__label____proto__ constructor', ['__proto__'], 'constructor'],
    ['non\u00a0breaking\u3000blanks stay', [], 'non\u00a0breaking\u3000blanks stay'],
  ];
  for (const [line, labels, text] of cases) expect(parseFastTextLine(line)).toEqual({ labels, text });
  expect(parseFastTextLine('#a b', '#')).toEqual({ labels: ['a'], text: 'b' });
});

test('written lines are read back', () => {
  const word = fc.stringMatching(/^[a-zé!]{1,6}$/);
  const line = fc.record({
    labels: fc.array(word),
    text: fc.array(word, { minLength: 1 }).map((all) => all.join(' ')),
  });
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\n \n'), (lines, end) => {
      const text = lines.map(
        ({ labels, text }) => [...labels.map((label) => `__label__${label}`), text].join(' ') + end,
      );
      expect(parseFastText(text.join('')).rows).toEqual(lines);
    }),
  );
});

test('rows of a stream have line numbers, and invalid bytes a position', async () => {
  const pieces = ['\ufeff__label__a one\n\n__lab', 'el__b two\n'];
  for await (const { rows, lines } of readFastText(pieces)) {
    expect(rows.map(({ labels, text }) => [...labels, text])).toEqual([
      ['a', 'one'],
      ['b', 'two'],
    ]);
    expect([...lines]).toEqual([1, 3]);
  }
  expect(() => parseFastText(Uint8Array.of(97, 10, 98, 0xff))).toThrow(
    expect.objectContaining({
      code: 'E_ENCODING',
      details: expect.objectContaining({ line: 2, column: 2, offset: 3 }),
    }),
  );
});
