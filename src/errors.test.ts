import { expect, test } from 'vitest';
import { PolyaError, refusals, refuse, show } from './errors.ts';

test('a refusal carries code, sentence, details and cause', () => {
  const cause = new Error('disk');
  const attempt = () => refuse('E_IO', 'cannot read the file', { row: 3 }, cause);
  expect(attempt).toThrow(PolyaError);
  try {
    attempt();
  } catch (error) {
    expect(error).toMatchObject({ code: 'E_IO', message: 'cannot read the file', details: { row: 3 }, cause });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'E_IO',
      message: 'cannot read the file',
      details: { row: 3 },
    });
  }
});

test('every code is written E_LIKE_THIS and explained in words', () => {
  for (const [code, meaning] of Object.entries(refusals)) {
    expect(code).toMatch(/^E_[A-Z_]+$/);
    expect(meaning.length).toBeGreaterThan(10);
  }
});

test('values of the user are escaped and cut to 200 characters', () => {
  expect(show('a\u0000"\n')).toBe('"a\\u0000\\"\\n"');
  expect(show('x'.repeat(10_000)).length).toBe(200);
  expect(show('\u0000'.repeat(10_000)).length).toBe(200);
  expect(show(1n)).toBe('1');
  expect(show(Symbol('s'))).toBe('Symbol(s)');
  expect(show([1, 2])).toBe('an array of 2');
  expect(show(Object.create(null))).toBe('a Object');
});
