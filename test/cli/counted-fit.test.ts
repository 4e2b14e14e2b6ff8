import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Classifier } from '../../src/auto/classifier.ts';
import { Random } from '../../src/math/random.ts';
import { folder, polya } from './harness.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

/** Texts of four topics, some of them twice, some blank, some foreign; more than it takes to be counted as bytes. */
function corpus(rows: number): { id: string; topic: string; body: string | null; size: number }[] {
  const random = new Random(3);
  const pick = (n: number) => Math.floor(random.uniform() * n);
  const made = Array.from({ length: rows }, (_, i) => {
    const topic = pick(4);
    const word = () => (pick(3) === 0 ? `topic${topic}x${pick(60)}` : `word${pick(4000)}`);
    const words = Array.from({ length: 20 + pick(30) }, () => (pick(200) === 0 ? 'Größe' : word()));
    return { id: `row-${i}`, topic: `group "${topic}"`, body: pick(300) === 0 ? null : words.join(' '), size: pick(9) };
  });
  for (let i = 0; i < rows; i += 37)
    made[i] = { ...made[(i * 7) % rows], body: ` ${made[(i * 7) % rows].body ?? ''}\n` };
  return made;
}

writeFileSync(
  join(cwd, 'texts.jsonl'),
  corpus(4000)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join(''),
);

/** All arrays of a model file, as they are stored. */
function arraysOf(name: string): Buffer {
  const bytes = readFileSync(join(cwd, name));
  return bytes.subarray(8 + Number(bytes.readBigUInt64LE(0)));
}

const model = (name: string) => Classifier.load(readFileSync(join(cwd, name)));

test.each([
  ['--model multinomial --threads 1'],
  ['--model complement --alpha 0.5 --threads 1'],
  ['--model bernoulli --threads 1'],
  ['--model multinomial --text body --stop-words english --priors uniform --threads 1'],
  ['--model multinomial --target topic --holdout 0 --threads 1'],
])('fit %s: counted as bytes and learned from rows, the model and its evaluation are the same', async (flags) => {
  const words = flags.split(' ');
  const said = await Promise.all(
    [[], ['--max-rows', '1000000']].map((more, k) =>
      polya(['fit', 'texts.jsonl', ...words, ...more, '--json', '-o', `${k}.polya`, '-f'], { cwd }),
    ),
  );
  const [bytes, rows] = said.map(({ code, out }) => {
    expect(code).toBe(0);
    const { file, sha256, seconds, repeat, ...rest } = JSON.parse(out);
    return rest;
  });
  expect(bytes).toEqual({ ...rows, bytes: expect.any(Number) });
  expect(said[0].err).not.toContain('learning');
  expect(Buffer.compare(model('0.polya').save(), model('1.polya').save())).toBe(0);
  expect(Buffer.compare(arraysOf('0.polya'), arraysOf('1.polya'))).toBe(0);
});

test('what cannot be counted as bytes is read as rows, and refused as rows are', async () => {
  const lines = readFileSync(join(cwd, 'texts.jsonl'), 'utf8').trimEnd().split('\n');
  const fitWith = async (last: string) => {
    writeFileSync(join(cwd, 'odd.jsonl'), `${lines.join('\n')}\n${last}\n`);
    return polya(['fit', 'odd.jsonl', '--model', 'multinomial', '--target', 'topic', '-o', 'odd.polya', '-f'], { cwd });
  };
  expect(await fitWith('{"id":"z","topic":"g","body":"aa bb","size":1,"more":[1]}')).toMatchObject({ code: 0 });
  const blank = await fitWith('{"id":"z","topic":" ","body":"aa bb","size":1}');
  expect([blank.code > 0, blank.err.includes('odd.jsonl:4001')]).toEqual([true, true]);
  const broken = await fitWith('{"id":"z","topic":"g","body":"aa');
  expect([broken.code > 0, broken.err.includes('odd.jsonl:4001')]).toEqual([true, true]);
});
