import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { Random } from '../math/random.ts';
import { fitTableFile } from './fit-table-file.ts';
import { readTable } from './table.ts';

/** Threads run what is built. */
const built = existsSync(new URL('../../dist/lib/block-worker.js', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'polya-levels-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The result of learning from the rows in memory. */
async function fromRows(path: string, target: string, classifier = new CategoricalNB()): Promise<Uint8Array> {
  const { rows } = await readTable(path, { header: true });
  const features = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== target)));
  return classifier
    .fit(
      features as Record<string, string>[],
      rows.map((row) => String(row[target])),
    )
    .toBytes();
}

/** Rows of levels, with quotes, blanks and non-ASCII letters; `broken` puts line breaks into cells. */
function levels(rows: number, broken: boolean): string {
  const random = new Random(4);
  const pick = (list: readonly string[]) => list[Math.floor(random.uniform() * list.length)];
  const colours = [
    'red',
    'green',
    '"blue, or so"',
    'ünknown',
    '',
    '"a ""quote"""',
    ...(broken ? ['"two\nlines"'] : []),
  ];
  let text = 'colour,label,size\n';
  for (let i = 0; i < rows; i++)
    text += `${pick(colours)},${pick(['yes', 'no'])},${Math.floor(random.uniform() * 40)}\n`;
  return text;
}

describe('a categorical classifier fitted to a file', () => {
  test('equals the one fitted to its rows, byte by byte', async () => {
    const path = write('small.csv', levels(2000, true));
    for (const options of [{}, { alpha: 0.1, fitPrior: false }]) {
      const fitted = await fitTableFile(path, { target: 'label', classifier: new CategoricalNB(options) });
      expect(fitted.toBytes()).toEqual(await fromRows(path, 'label', new CategoricalNB(options)));
    }
    expect((await fitTableFile(path, { target: 'size' })).toBytes()).toEqual(await fromRows(path, 'size'));
  });

  test('reads a byte order mark, other delimiters and line ends, and no header', async () => {
    const plain = levels(300, false);
    const wanted = (await fitTableFile(write('plain.csv', plain), { target: 'label' })).toBytes();
    const same = [`\ufeff${plain}`, plain.replaceAll('\n', '\r\n'), plain.replaceAll('\n', '\n\n')];
    for (const text of same) {
      expect((await fitTableFile(write('other.csv', text), { target: 'label' })).toBytes()).toEqual(wanted);
    }
    const bare = write('bare.csv', `\ufeff${'a;x\nb;y\n'.repeat(20)}`);
    const fitted = await fitTableFile(bare, { target: 'c2', header: false, delimiter: ';' });
    expect([fitted.classes, fitted.categories, fitted.featureNamesIn]).toEqual([['x', 'y'], [['a', 'b']], ['c1']]);
  });

  test.skipIf(!built)(
    'is the same on several threads, wherever the file is split',
    async () => {
      for (const broken of [false, true]) {
        const path = write('large.csv', levels(800_000, broken));
        const [one, two] = await Promise.all([1, 2].map((threads) => fitTableFile(path, { target: 'label', threads })));
        expect(two.toBytes()).toEqual(one.toBytes());
        expect(one.classCount.reduce((a, b) => a + b)).toBe(800_000);
      }
    },
    120_000,
  );

  test('throws the errors of the row reader, and rejects options that need all rows', async () => {
    const refused = (text: string, options = {}) =>
      expect(fitTableFile(write('bad.csv', text), { target: 'label', ...options })).rejects;
    await refused('a,label\nx,y\nx\n').toThrow(expect.objectContaining({ code: 'E_FORMAT' }));
    await refused('a,label\n"x" z,y\nx,y\n').toThrow(expect.objectContaining({ code: 'E_FORMAT' }));
    await refused('a,b\nx,y\n').toThrow(expect.objectContaining({ code: 'E_FEATURE_MISSING' }));
    const auto = new CategoricalNB({ alpha: 'auto' });
    await refused('a,label\nx,y\n', { classifier: auto }).toThrow(expect.objectContaining({ code: 'E_PARAM' }));
    const gone = AbortSignal.abort();
    await refused('a,label\nx,y\n', { signal: gone }).toThrow(expect.objectContaining({ code: 'E_CANCELLED' }));
  });
});
