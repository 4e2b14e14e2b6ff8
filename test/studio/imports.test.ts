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

/** The public entry points that the studio is made from. */
const entries = ['src/client.ts', 'src/exchange.ts', 'src/index.ts', 'src/workbench.ts'];

/** What the page itself takes of them: words, colours and requests, nothing that computes with rows. */
const light = [
  ...['alphaFamilies', 'bytes', 'calibrations', 'chosenAlphaFamilies', 'commandLine', 'familyList', 'formatCsv'],
  ...['harmless', 'interval', 'palette', 'PolyaClient', 'quoted'],
];

interface Import {
  readonly target: string;
  /** The imported names, without types. */
  readonly values: readonly string[];
}

/** The imports and dynamic imports of a file, whose targets are paths of the project. */
function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(/^(?:import|export)( type)?([^;']*?)(?: from )?'(\.[^']+)'/gm)].map(
    ([, type, names, target]) => ({ target, values: type ? [] : valuesIn(names) }),
  );
  const lazy = [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, target]) => ({ target, values: [] }));
  return [...found, ...lazy].map(({ target, values }) => ({
    target: relative(house, join(dirname(file), target)),
    values,
  }));
}

const valuesIn = (names: string): string[] =>
  names
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

test('the studio imports the public entry points only', () => {
  const used = new Set<string>();
  for (const file of files) {
    for (const { target } of importsOf(file)) {
      if (!target.startsWith('src/')) continue;
      used.add(target);
      expect(entries, `${relative(house, file)} imports ${target}`).toContain(target);
    }
  }
  expect([...used].sort()).toEqual(entries);
  const { exports } = JSON.parse(readFileSync(join(house, 'package.json'), 'utf8')) as { exports: object };
  const published = ['./client', './exchange', '.', './workbench'];
  for (const entry of published) expect(Object.keys(exports)).toContain(entry);
});

test('only the workers load what learns and predicts; the page draws', () => {
  const pages = files.filter((file) => !file.includes('/studio/worker/'));
  for (const file of pages) {
    for (const { target, values } of importsOf(file)) {
      if (target.startsWith('src/'))
        expect(light, `${relative(house, file)} imports ${target}`).toEqual(expect.arrayContaining([...values]));
      if (target.startsWith('studio/worker/') && !target.endsWith('worker/main.ts'))
        expect(values, relative(house, file)).toEqual([]);
    }
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

/** Names of programs, formats and commands, which Chinese texts keep. */
const KEPT = /polya [a-z]+|JSON Lines|JSON Schema|ONNX Runtime|Ctrl \+ Enter|Pang & Lee|Lee|Almeida|Brier|McNemar/g;

test('no text of the Chinese page is left in English', () => {
  for (const [path, text] of textsOf(zh)) {
    expect(text.replaceAll(KEPT, ''), path).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{3,}/);
    const english = textsOf(en).find(([own]) => own === path)![1];
    if (/[a-z]{3,} [a-z]{3,}/.test(english)) expect(text, path).toMatch(/\p{Script=Han}/u);
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
