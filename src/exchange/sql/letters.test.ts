import { expect, test } from 'vitest';
import { type LetterSet, letterClass, letters } from './letters.ts';

/** A class of Java as a JavaScript one, which wants brackets around a span. */
const fromJava = (pattern: string) =>
  new RegExp(pattern.replaceAll(/\[(\\x\{\w+\}-\\x\{\w+\})&&/g, '[[$1]&&').replaceAll(/\\x\{(\w+)\}/g, '\\u{$1}'), 'v');

test.each(['word', 'first', 'rest', 'packed'] as const)(
  'the groups of groups that Spark gets for %s hold the same letters as the plain list',
  (set: LetterSet) => {
    const grouped = fromJava(letterClass('spark', set));
    const plain = new RegExp(`[${letters('spark', set).replaceAll(/\\x\{(\w+)\}/g, '\\u{$1}')}]`, 'u');
    const different: number[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const letter = String.fromCodePoint(point);
      if (grouped.test(letter) !== plain.test(letter)) different.push(point);
    }
    expect(different).toEqual([]);
    expect(letterClass('duckdb', set)).toBe(`[${letters('duckdb', set)}]`);
  },
);
