import fc from 'fast-check';
import { expect, test } from 'vitest';
import { soleLesson } from './sole-lesson.ts';
import { parseBody } from './strict-body.ts';

const inside = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '\n', ']', '}', ',', '\u00e9', '","label":"') });
const bodies = fc.oneof(
  fc
    .tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
    .map(([instance, label]) => JSON.stringify({ examples: [{ instance, label }] })),
  fc.tuple(inside, inside).map(([text, label]) => `{"examples":[{"instance":"${text}","label":"${label}"}]}`),
  fc.string({ unit: fc.constantFrom('{"examples":[{"instance":"', '","label":"', '"}]}', 'a', '"', ' ') }),
);

test('what is taken for one lesson is JSON, the parser takes it for the same, and it is written as it came', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const lesson = soleLesson(Buffer.from(body));
      if (!lesson) return;
      expect(parseBody(Buffer.from(body), 64)).toEqual({ examples: [lesson.example] });
      expect(lesson.json).toBe(JSON.stringify([lesson.example]));
    }),
    { numRuns: 2000 },
  );
});

test('a plain lesson is taken, and one with a weight, another order, an escape or a second example is not', () => {
  const plain = '{"examples":[{"instance":"free prize","label":"spam"}]}';
  expect(soleLesson(Buffer.from(plain))?.example).toEqual({ instance: 'free prize', label: 'spam' });
  expect(soleLesson(Buffer.from('{"examples":[{"instance":"","label":""}]}'))?.json).toBe(
    '[{"instance":"","label":""}]',
  );
  for (const body of [
    '{"examples":[{"instance":"a","label":"b","weight":2}]}',
    '{"examples":[{"label":"b","instance":"a"}]}',
    '{"examples":[{"instance":"a\\n","label":"b"}]}',
    '{"examples":[{"instance":"a","label":"\u00e9"}]}',
    '{"examples":[{"instance":"a","label":"b"},{"instance":"a","label":"b"}]}',
    `${plain} `,
    plain.slice(0, -1),
    '{}',
  ]) {
    expect(soleLesson(Buffer.from(body)), body).toBeUndefined();
  }
});
