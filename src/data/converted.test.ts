import { expect, test } from 'vitest';
import { arffLines, isArff } from './arff.ts';
import { arrayLines } from './json-array.ts';

const converters = { arrayLines, arffLines };

/** The converted text, with the source split into pieces of this size. */
async function converted(name: keyof typeof converters, text: string, size = text.length): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const out: Uint8Array[] = [];
  for await (const piece of converters[name](pieces())) out.push(piece.slice());
  return Buffer.concat(out).toString('utf8');
}

const array = ' [\n  {"a": 1, "b": [1, {"c": "x]}"}]},\n  {"a": "q\\"[,", "é": "\\\\"}\n]\n';

test.each([1, 2, 3, 7, 1000])('the elements of a JSON array are lines, in pieces of %i bytes', async (size) => {
  const lines = (await converted('arrayLines', array, size)).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(array));
});

test('an empty JSON array has no rows, and nested arrays stay whole', async () => {
  expect((await converted('arrayLines', '[ ]')).trim()).toBe('');
  expect(await converted('arrayLines', '[[1,2],[3]]')).toBe('[1,2]\n[3]\n');
});

test.each([
  ['[{"a":1}', 'line 1', 'does not end'],
  ['[{"a":1},{"a":2}] x', 'line 3', 'after the end'],
])('%s is an error', async (text, line, reason) => {
  await expect(converted('arrayLines', text)).rejects.toThrow(new RegExp(`^${line}.*${reason}`));
});

const arff = `% iris
@RELATION "a b"

@attribute 'petal width' REAL
@ATTRIBUTE kind {a, 'b, c', "d"}
@attribute note string
@data
% a comment
1.5, a, 'it\\'s, so'
?, 'b, c', "?"
{0 2, 2 'x y'}
`;

test.each([1, 5, 1000])('ARFF becomes CSV with the same line numbers, in pieces of %i bytes', async (size) => {
  const lines = (await converted('arffLines', arff, size)).split('\n');
  expect(lines).toEqual([
    ...['', '', '', '', '', '', 'petal width,kind,note', ''],
    '1.5,a,"it\'s, so"',
    ',"b, c",?',
    '2,a,x y',
    '',
  ]);
});

test.each([
  ['@relation x\n@attribute y\n', 'line 2', '@attribute NAME TYPE'],
  ['@relation x\n@attribute y real\n', 'line 2', 'no @data'],
  ['@relation x\nhello\n', 'line 2', 'begins with @relation'],
  ['@relation x\n@attribute y real\n@data\n{4 1}\n', 'line 4', 'no attribute 4'],
  ['@relation x\n@attribute y real\n@data\n{y 1}\n', 'line 4', 'INDEX VALUE'],
  ['@relation x\n@attribute y relational\n', 'line 2', 'relational'],
])('ARFF %j is an error at its line', async (text, line, reason) => {
  await expect(converted('arffLines', text)).rejects.toThrow(new RegExp(`^${line}.*${reason}`));
});

test('ARFF is detected after comments, and a tweet is not ARFF', () => {
  expect(isArff('% c\n\n@Relation x')).toBe(true);
  expect(isArff('@relation')).toBe(true);
  expect(isArff('@relations are hard')).toBe(false);
});
