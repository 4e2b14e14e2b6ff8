import { readFileSync } from 'node:fs';
import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { compileKernels, kernelModule } from '../../scripts/kernels.ts';
import { compareCodePoints } from '../data/order.ts';
import { Random } from '../math/random.ts';
import { segmentWords } from './segment.ts';
import { ByteKernel, type KernelOptions, type TokenKernel } from './tokens.ts';
import { hasKernels, WasmKernel } from './wasm-kernel.ts';
import { plainWords } from './words.ts';

/** Words of foreign text are in the case that the others are in, as those of an analyzer: where it begins is the kernel's own business. */
const options = ({ lowercase = true, ...given }: Partial<KernelOptions>): KernelOptions => ({
  lowercase,
  wholeDocuments: false,
  foreign: (text) => plainWords(lowercase ? text.toLowerCase() : text),
  ...given,
});

const damaged = (from: number, to: number): never => {
  throw new RangeError(`${from}-${to}`);
};

function wordsOf(kernel: TokenKernel, bytes: Uint8Array, add = true): string[] {
  return Array.from(kernel.scan(bytes, bytes.length, add, damaged), (id) => (id < 0 ? '?' : kernel.word(id)));
}

const encode = (text: string) => new TextEncoder().encode(text);

/** Runs of word letters, of spaces and of others, long enough to cross blocks of sixty-four bytes at every place. */
const run = fc.tuple(
  fc.constantFrom('a', 'Z', '_', '0', ' ', '\n', '.', '\x7f', '@', '[', '`', '{', '/', ':', 'é', 'Σ', '北', '😀'),
  fc.nat(70),
);
const documents = fc.array(run, { maxLength: 25 }).map((runs) => runs.map(([letter, n]) => letter.repeat(n)).join(''));

describe('the kernel in WebAssembly and its twin', () => {
  test('it runs here', () => expect(hasKernels()).toBe(true));

  check.prop([fc.array(documents, { maxLength: 5 }), fc.boolean(), fc.boolean()], { numRuns: 300 })(
    'read the same words in the same order',
    (texts, lowercase, wholeDocuments) => {
      const twins = [ByteKernel, WasmKernel].map((Kernel) => new Kernel(options({ lowercase, wholeDocuments })));
      for (const text of texts) {
        const [plain, fast] = twins.map((kernel) => wordsOf(kernel, encode(text)));
        expect(fast).toEqual(plain);
      }
      const [plain, fast] = twins.map((kernel) => wordsOf(kernel, encode('aa Zé AA ZÉ unheard of'), false));
      expect(fast).toEqual(plain);
    },
  );

  check.prop([fc.uint8Array({ maxLength: 200 })], { numRuns: 300 })('refuse the same bytes', (bytes) => {
    const [plain, fast] = [ByteKernel, WasmKernel].map((Kernel) => {
      try {
        return wordsOf(new Kernel(options({})), bytes);
      } catch (error) {
        return (error as RangeError).message;
      }
    });
    expect(fast).toEqual(plain);
  });

  test('keep a hundred thousand words apart, long ones too', () => {
    const kernel = new WasmKernel(options({}));
    const words = Array.from({ length: 100_000 }, (_, i) => `w${i}${'x'.repeat(i % 37)}`);
    expect(wordsOf(kernel, encode(words.join(' ')))).toEqual(words);
    expect(kernel.size).toBe(words.length);
    expect(words.map((word) => kernel.idOf(word, false))).toEqual(words.map((_, i) => i));
    expect(kernel.idOf('never', false)).toBe(-1);
    expect(kernel.word(kernel.idOf('', true))).toBe('');
  });

  const sortedBy = (words: readonly string[]) => {
    const kernel = new WasmKernel(options({}));
    for (const word of words) kernel.idOf(word, true);
    const order = kernel.kernels.orderWords(kernel.lexicon);
    return Array.from(kernel.numbersAt(order, kernel.size), (id) => kernel.word(id));
  };
  const letter = fc.constantFrom('a', 'b', '0', '_', 'é', '北', '\u{1f600}', '\uffff', 'z', '\0');
  const like = fc.array(letter, { maxLength: 14 }).map((letters) => letters.join(''));

  check.prop([fc.array(fc.oneof(like, fc.string({ unit: 'grapheme', maxLength: 40 })), { maxLength: 90 })], {
    numRuns: 100,
  })('words are sorted by code point', (words) => {
    expect(sortedBy(words)).toEqual([...new Set(words)].sort(compareCodePoints));
  });

  test.each([
    ['short', 2, 3000],
    ['long ones with a common beginning', 40, 3000],
    ['numbers', 0, 5000],
  ])('%s words in great number are sorted', (_, length, count) => {
    const random = new Random(5);
    const made = new Set<string>();
    while (made.size < count) {
      const tail = Math.floor(random.uniform() * 1e7).toString(36);
      made.add(length === 0 ? String(made.size) : `${'internationalisation'.repeat(3).slice(0, length)}${tail}`);
    }
    expect(sortedBy([...made])).toEqual([...made].sort(compareCodePoints));
  });

  const scripts = fc.constantFrom(
    'aa',
    'B',
    ' ',
    '\n',
    'é',
    'e\u0301',
    'ß',
    'Σ',
    'σς',
    'я',
    'א',
    '北京',
    'ไทย',
    'हि',
    '。',
    '𠮷',
    '_1',
  );
  check.prop([fc.array(scripts, { maxLength: 40 })])(
    'a document in several scripts has the words it has as a whole',
    (parts) => {
      const text = parts.join('');
      const foreign = (piece: string) => segmentWords(piece.toLowerCase());
      const kernel = new WasmKernel(options({ wholeDocuments: true, foreign }));
      expect(wordsOf(kernel, encode(text))).toEqual(foreign(text));
    },
  );

  test('many words of one letter that a foreign reader gives find room', () => {
    const kernel = new WasmKernel(options({ foreign: (piece) => [...piece, ...piece, ...piece] }));
    const text = '北京'.repeat(40_000);
    expect(wordsOf(kernel, encode(text))).toEqual([...text, ...text, ...text]);
  });
});

test('what is shipped is what kernels/ says', async () => {
  const shipped = readFileSync(new URL('kernel-bytes.ts', import.meta.url), 'utf8');
  expect(kernelModule(await compileKernels())).toBe(shipped);
});
