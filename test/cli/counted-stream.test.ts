import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { Classifier } from '../../src/auto/classifier.ts';
import { Random } from '../../src/math/random.ts';
import { folder, polya } from './harness.ts';

const { path: cwd, remove } = folder();
afterAll(remove);

const ROWS = 60_000;

/** A table of levels, some of them quoted, foreign, or written with blanks around; more than it takes to be counted as bytes. */
function table({ end = '\n', mark = '', change = (line: string, _row: number) => line } = {}): string {
  const random = new Random(3);
  const pick = (n: number) => Math.floor(random.uniform() * n);
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const c = pick(3);
    const city = ['Köln', ' Köln', '"Köln, am ""Dom"""', '北京', 'Rom '][pick(5)];
    return change(`${pick(2 + c)},${city},v${pick(40 * (c + 1))},${['low', 'mid', 'high'][c]}`, i);
  });
  return `${mark}${['floor,city,code,class', ...lines].join(end)}${end}`;
}

/** Fits in one pass as bytes, and as rows, as which a limit of rows has them read. */
async function fitBoth(content: string, flags: readonly string[] = []) {
  writeFileSync(join(cwd, 'levels.csv'), content);
  return Promise.all(
    [[], ['--max-rows', '1000000']].map(async (more, k) => {
      const own = ['--stream', '--model', 'categorical', '--target', 'class', '--threads', '1'];
      const said = await polya(['fit', 'levels.csv', ...own, ...flags, ...more, '--json', '-o', `${k}.polya`, '-f'], {
        cwd,
      });
      return { ...said, model: () => Classifier.load(readFileSync(join(cwd, `${k}.polya`))).save() };
    }),
  );
}

const counted = vi.spyOn(Classifier, 'fitStreamCounted');

test.each<[string, 'bytes' | 'rows', string, string[]]>([
  ['as it comes', 'bytes', table(), []],
  ['with the line ends and the mark of Windows', 'bytes', table({ end: '\r\n', mark: '\ufeff' }), []],
  ['with another pseudo-count', 'bytes', table(), ['--alpha', '0.2']],
  [
    'with a line end inside of a cell',
    'bytes',
    table({ change: (line, i) => (i === 30_000 ? '1,"a\nb",v1,low' : line) }),
    [],
  ],
  ['with a blank cell', 'rows', table({ change: (line, i) => (i === 30_000 ? '1, ,v1,low' : line) }), []],
  [
    'with a level that comes late',
    'bytes',
    table({ change: (line, i) => (i === ROWS - 1 ? '7,Bern,v1,new' : line) }),
    [],
  ],
  ['with equal priors', 'rows', table(), ['--priors', 'uniform']],
  ['with a choice of columns', 'rows', table(), ['--features', 'city,code']],
])('a table %s is read as %s, and the model is that of its rows', async (_, as, content, flags) => {
  counted.mockClear();
  const [bytes, rows] = await fitBoth(content, flags);
  for (const { code, err } of [bytes, rows]) expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  expect(counted.mock.results).toHaveLength(1);
  expect((await counted.mock.results[0].value) === undefined).toBe(as === 'rows');
  expect(Buffer.compare(bytes.model(), rows.model())).toBe(0);
  const { file, sha256, seconds, repeat, ...told } = JSON.parse(bytes.out);
  expect(told).toEqual({
    ...JSON.parse(rows.out),
    file: undefined,
    sha256: undefined,
    seconds: undefined,
    repeat: undefined,
    bytes: expect.any(Number),
  });
  expect(told.rows).toBe(ROWS);
});

test.each([
  ['a row too short', '1,Rom'],
  ['no label', '1,Rom,v1,'],
])('%s is refused as rows are', async (_, bad) => {
  const [bytes, rows] = await fitBoth(table({ change: (line, i) => (i === 30_000 ? bad : line) }));
  expect([bytes.code > 0, bytes.err]).toEqual([true, rows.err.replace(' --max-rows 1000000', '')]);
});
