import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { atMost, processorTime } from '../../test/quiet.ts';
import { type NewsgroupPart, stripNewsgroup } from './newsgroup-strip.ts';

const recorded: { ways: NewsgroupPart[][]; posts: { text: string; stripped: string[] }[] } = JSON.parse(
  readFileSync(new URL('../../test/reference/data/newsgroups.json', import.meta.url), 'utf8'),
);

test('headers, footers and quotes are removed exactly as scikit-learn removes them', () => {
  expect(recorded.posts.length).toBeGreaterThan(300);
  for (const { text, stripped } of recorded.posts) {
    expect(recorded.ways.map((way) => stripNewsgroup(text, way))).toEqual(stripped);
  }
});

test('the order in which parts are named does not matter', () => {
  const post = 'From: a\n\n> quoted\nwords\n--\nme';
  expect(stripNewsgroup(post, ['quotes', 'footers', 'headers'])).toBe('words');
});

test('a megabyte of blanks costs linear time', () => {
  const post = `a\n\n${' '.repeat(1e6)}x${' '.repeat(1e6)}`;
  const spent = processorTime(() => stripNewsgroup(post, ['headers', 'footers', 'quotes']));
  expect(spent).toBeLessThan(atMost(1000));
});
