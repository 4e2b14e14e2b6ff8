import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const src = new URL('../src/', import.meta.url).pathname;

/** From left to right: a folder imports from itself and the folders before it; folders of one step never import each other. */
const steps = [
  ['errors'],
  ['math'],
  ['data'],
  ['core'],
  ['stats'],
  ['models', 'text', 'features', 'evaluate', 'engines'],
  ['estimators'],
  ['auto', 'exchange', 'datasets', 'report', 'client'],
  ['node'],
  ['warehouse'],
  ['server'],
  ['cli'],
];
const place = new Map(steps.flatMap((folders, step) => folders.map((folder) => [folder, step])));

/** Files of `src` itself are entry points, which re-export; the rule applies only to `errors.ts`. */
const isEntry = (file: string) => join(dirname(file), '/') === src && folderOf(file) !== 'errors';

/** Clients of engines, which users install themselves: each is imported only by the adapter of its engine. */
const clients: Readonly<Record<string, readonly string[]>> = {
  clickhouse: ['@clickhouse/client'],
  duckdb: ['@duckdb/node-api'],
  postgres: ['pg'],
  spark: ['@grpc/grpc-js', 'apache-arrow'],
};
const isClient = (file: string, target: string) =>
  clients[relative(join(src, 'engines'), file).split('/')[0]]?.includes(target) ?? false;

/** Folders that are not for browsers: they may import packages and Node's modules. */
const forNode = ['node', 'warehouse', 'report', 'server', 'cli'];

const folderOf = (file: string) => relative(src, file).replace(/\.ts$/, '').split('/')[0];
const nameOf = (file: string) => relative(src, file);
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => join(src, file));

interface Import {
  readonly target: string;
  /** Whether an import has no effect at run time. */
  readonly isType: boolean;
  readonly isLazy: boolean;
}

const importsOf = (file: string): Import[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)( type)?(?:[^;']*from)? '([^']+)';|\bimport\('([^']+)'\)/gm,
    ),
  ].map(([, type, target, lazy]) => ({ target: target ?? lazy, isType: type !== undefined, isLazy: !target }));

/** The files that must be evaluated before a file. */
const neededBy = new Map(
  files.map((file) => [
    file,
    importsOf(file)
      .filter(({ target, isType, isLazy }) => !isType && !isLazy && target.startsWith('.'))
      .map(({ target }) => join(dirname(file), target)),
  ]),
);

test('every folder is known', () => {
  for (const file of files) if (!isEntry(file)) expect([...place.keys()], file).toContain(folderOf(file));
});

test.each(files.filter((file) => !isEntry(file)).map((file) => [nameOf(file), file]))(
  '%s imports from its own folder and the folders to its left',
  (_, file) => {
    const folder = folderOf(file);
    for (const { target } of importsOf(file)) {
      if (folder === 'engines' && (target.startsWith('node:') || isClient(file, target))) continue; // no browser entry point reaches them
      if (forNode.includes(folder) && !target.startsWith('.')) continue;
      expect(target, 'only files of this project are imported').toMatch(/^\.\.?\//);
      const other = join(dirname(file), target);
      expect(isEntry(other), `${target} is an entry point`).toBe(false);
      if (folderOf(other) === folder || (folder === 'report' && folderOf(other) === 'node')) continue;
      expect(place.get(folderOf(other)), `${folder} imports ${folderOf(other)}`).toBeLessThan(place.get(folder)!);
    }
  },
);

/** The longest chain of imports from each file; throws on a cycle. */
function chains(): Map<string, readonly string[]> {
  const longest = new Map<string, readonly string[]>();
  const walk = (file: string, before: readonly string[]): readonly string[] => {
    const known = longest.get(file);
    if (known) return known;
    const at = before.indexOf(file);
    expect(at, [...before.slice(at), file].map(nameOf).join(' imports ')).toBe(-1);
    const next = (neededBy.get(file) ?? []).map((other) => walk(other, [...before, file]));
    const chain = [
      file,
      ...next.reduce((most, one) => (one.length > most.length ? one : most), [] as readonly string[]),
    ];
    longest.set(file, chain);
    return chain;
  };
  for (const file of files) walk(file, []);
  return longest;
}

test('there are no import cycles', () => {
  expect(chains().size).toBe(files.length);
});

test('a chain of imports is at most 16 files long from an estimator on, and 34 from the server on', () => {
  for (const [file, chain] of chains()) {
    const isLibrary = !isEntry(file) && place.get(folderOf(file))! <= place.get('estimators')!;
    expect(chain.length, chain.map(nameOf).join(' imports ')).toBeLessThanOrEqual(isLibrary ? 16 : 34);
  }
});

test.each(['index.ts', 'exchange.ts'])('nothing that the entry point %s reaches imports from node:', (entry) => {
  const reached = new Set<string>();
  const walk = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { target } of importsOf(file)) {
      expect(target, file).toMatch(/^\.\.?\//);
      walk(join(dirname(file), target));
    }
  };
  walk(join(src, entry));
  expect(reached.size).toBeGreaterThan(20);
});

test.each(['index', 'node', 'exchange', 'predict', 'engines'])(
  'every class of polya/%s has at most one base class',
  async (entry) => {
    const exported = (await import(join(src, `${entry}.ts`))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function' || !/^class\b/.test(Function.prototype.toString.call(value))) continue;
      const line: string[] = [];
      for (let at: unknown = value.prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
        line.push((at as { constructor: { name: string } }).constructor.name);
      }
      expect(line.length, `${name}: ${line.join(' extends ')}`).toBeLessThanOrEqual(2);
    }
  },
);

test('no class of src is more than one step from a base class', () => {
  const base = new Map<string, string>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    for (const [, name, other] of text.matchAll(/\bclass (\w+)(?:<[^{]*>)?\s+extends (\w+)/g)) base.set(name, other);
  }
  expect(base.size).toBeGreaterThan(20);
  for (const [name, other] of base) {
    if (other === 'PolyaError') continue; // our error class extends the built-in Error
    expect(base.has(other), `${name} extends ${other} extends ${base.get(other)}`).toBe(false);
  }
});
