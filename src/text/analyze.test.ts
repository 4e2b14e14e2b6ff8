import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readOptions } from '../core/options.ts';
import { isCombining, stripAccentsAscii, stripAccentsUnicode } from './accents.ts';
import { analyzerOf } from './analyze.ts';
import { WHITE_SPACE } from './characters.ts';
import { englishStopWords } from './english.ts';
import { type AnalyzerOptions, analyzerSpec } from './options.ts';
import { WORD_CLASS } from './words.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../test/reference/text/${name}.json`, import.meta.url), 'utf8'));
const unicode = read('unicode');
const sklearn = read('sklearn');

const analyzer = (given: object) => analyzerOf(readOptions('test', analyzerSpec, given) as AnalyzerOptions);

/** The code points of [first, last, first, last, …]. */
function points(ranges: number[]): Set<number> {
  const found = new Set<number>();
  for (let k = 0; k < ranges.length; k += 2) for (let c = ranges[k]; c <= ranges[k + 1]; c++) found.add(c);
  return found;
}

const unassigned = points(unicode.unassigned);
const everywhere: string[] = [];
for (let c = 0; c < 0x110000; c++) {
  if ((c < 0xd800 || c >= 0xe000) && !unassigned.has(c)) everywhere.push(String.fromCodePoint(c));
}

const differing = (ranges: number[], holds: (c: string) => boolean) => {
  const expected = points(ranges);
  return everywhere.filter((c) => expected.has(c.codePointAt(0)!) !== holds(c));
};

const digest = (change: (c: string) => string) => {
  const hash = createHash('sha256');
  for (const c of everywhere) hash.update(`${change(c)}\n`);
  return hash.digest('hex');
};

describe('every character that Unicode 14 assigns is treated as Python treats it', () => {
  test('words are made of the same characters', () => {
    const word = new RegExp(`^[${WORD_CLASS}]$`, 'u');
    expect(differing(unicode.word, (c) => word.test(c))).toEqual([]);
  });

  test('white space is the same', () => {
    const space = new RegExp(`^[${WHITE_SPACE}]$`, 'u');
    expect(differing(unicode.space, (c) => space.test(c))).toEqual([]);
  });

  test('912 characters combine, and the four of them that decompose never reach the check', () => {
    expect(points(unicode.combining).size).toBe(912);
    const decomposes = (c: string) => c.normalize('NFKD') !== c;
    expect(differing(unicode.combining, isCombining).filter((c) => !decomposes(c))).toEqual([]);
  });

  test('lower case and both ways to strip accents give the same text', () => {
    expect(digest((c) => c.toLowerCase())).toBe(unicode.lower);
    expect(digest(stripAccentsUnicode)).toBe(unicode.unicodeStripped);
    expect(digest(stripAccentsAscii)).toBe(unicode.asciiStripped);
  });
});

describe('tokens are those of scikit-learn 1.9.1', () => {
  for (const { options, tokens } of sklearn.tokens) {
    test(`with ${JSON.stringify(options)}`, () => {
      const analyze = analyzer(options);
      expect(sklearn.texts.map((text: string) => [...analyze(text)])).toEqual(tokens);
    });
  }

  test('the English stop words are its 318', () => {
    expect(englishStopWords()).toEqual(sklearn.english);
    expect(englishStopWords()).toHaveLength(318);
  });

  test('characters within words: "a bc  def" by two and three', () => {
    expect(analyzer({ analyzer: 'char_wb', ngramRange: [2, 3] })('a bc  def')).toEqual([
      ' a',
      'a ',
      ' a ',
      ' b',
      'bc',
      'c ',
      ' bc',
      'bc ',
      ' d',
      'de',
      'ef',
      'f ',
      ' de',
      'def',
      'ef ',
    ]);
  });
});

describe('the steps of an analyzer', () => {
  test('a preprocessor takes the place of lower case and accents', () => {
    const options = { preprocessor: (text: string) => text.replaceAll('x', ' '), stripAccents: 'unicode' };
    expect(analyzer(options)('Aéx Bèx')).toEqual(['Aé', 'Bè']);
  });

  test('n-grams are made after stop words are gone and words are stemmed', () => {
    const stemmer = (word: string) => word.replace(/s$/, '');
    const options = { stopWords: new Set(['the', 'of']), stemmer, ngramRange: [1, 2] };
    expect(analyzer(options)('the cats of Rome sleep')).toEqual(['cat', 'rome', 'sleep', 'cat rome', 'rome sleep']);
  });

  test('normal form KC makes full-width letters and ligatures plain', () => {
    expect(analyzer({ normalize: 'NFKC' })('Ｆｕｌｌ ﬁne')).toEqual(['full', 'fine']);
    expect(analyzer({ normalize: 'NFC' })('Cafe\u0301')).toEqual(['café']);
    expect(analyzer({})('Cafe\u0301')).toEqual(['cafe']);
  });

  test('analyzer and tokenizer may be functions', () => {
    expect(analyzer({ analyzer: (text: string) => text.split('|') })('A|b c')).toEqual(['A', 'b c']);
    expect(analyzer({ tokenizer: (text: string) => text.split(/,/) })('A,b c')).toEqual(['a', 'b c']);
  });
});
