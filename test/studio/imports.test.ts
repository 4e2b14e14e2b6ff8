import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { en } from '../../studio/texts/en.ts';
import { zh } from '../../studio/texts/zh.ts';

const house = fileURLToPath(new URL('../../', import.meta.url));
const files = readdirSync(join(house, 'studio'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(house, 'studio', name));

/** What a page may take of the library: words and colours, nothing that computes. */
const light = [
  'src/cli/numbers.ts',
  'src/client.ts',
  'src/cli/shell.ts',
  'src/core/model-options.ts',
  'src/data/csv-format.ts',
  'src/report/style.ts',
];

const valuesOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type)[^;']*from '(\.[^']+)'/gm)].map(([, target]) =>
    relative(house, join(dirname(file), target)),
  );

test('only the workers load the library; the page draws', () => {
  const pages = files.filter((file) => !file.includes('/studio/worker/'));
  for (const file of pages) {
    const taken = valuesOf(file).filter((target) => target.startsWith('src/') || target.startsWith('studio/worker/'));
    expect(
      taken.filter((target) => !light.includes(target)),
      relative(house, file),
    ).toEqual([]);
  }
  expect(pages.length).toBeGreaterThan(40);
});

test('nothing is put into the page as markup, and nothing needs Node', () => {
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    expect(text, file).not.toMatch(
      /innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\beval\(/,
    );
    expect(text, file).not.toMatch(/from 'node:/);
  }
});

/** All texts with their paths; those with blanks to fill are filled with numbers. */
function textsOf(part: unknown, path = ''): [path: string, text: string][] {
  if (typeof part === 'string') return [[path, part]];
  if (typeof part === 'function') return [[path, String(part('1', '2', '3', '4'))]];
  return Object.entries(part as object).flatMap(([name, own]) => textsOf(own, `${path}.${name}`));
}

test('both languages have every text, and a filled one names all that it was given', () => {
  const [english, chinese] = [new Map(textsOf(en)), new Map(textsOf(zh))];
  expect([...chinese.keys()]).toEqual([...english.keys()]);
  for (const [path, text] of english) {
    expect(text.trim() === '' && !/heads\.0$/.test(path), path).toBe(false);
    const digits = (said: string) => [...new Set(said.match(/[1-4]/g) ?? [])].filter((digit) => textTakes(path, digit));
    expect(digits(chinese.get(path)!).sort(), path).toEqual(digits(text).sort());
  }
});

const takes = new Map<string, number>();
function textTakes(path: string, digit: string): boolean {
  if (!takes.has(path)) {
    const part = path
      .slice(1)
      .split('.')
      .reduce<unknown>((own, name) => (own as Record<string, unknown>)[name], en);
    takes.set(path, typeof part === 'function' ? part.length : 0);
  }
  return Number(digit) <= takes.get(path)!;
}
