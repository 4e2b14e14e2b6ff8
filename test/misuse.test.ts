import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as exchange from '../src/exchange.ts';
import * as polya from '../src/index.ts';
import * as node from '../src/node.ts';
import { type Call, calls, exchangeCalls, nodeCalls } from './misuse/calls.ts';
import { subjects } from './misuse/classes.ts';

/** Values that callers may pass by mistake. */
const wrong: readonly unknown[] = [
  ...[undefined, null, true, 0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '', 'abc', 1n, Symbol('a')],
  ...[{}, [], [null], [[]], [['a']], [{}], [1, 2, 3], { length: 3 }, () => 1, new Date(0), new Map([[1, 2]])],
];

/** Public functions and classes, by name. */
const entryPoints: Readonly<Record<'polya' | 'exchange' | 'node', Readonly<Record<string, unknown>>>> = {
  polya,
  exchange,
  node,
};

/** Every third value: functions that share code need not be tested with all of them. */
const third = (values: readonly unknown[], k: number): readonly unknown[] => values.filter((_, at) => at % 3 === k % 3);

type Act = (...args: unknown[]) => unknown;

/** Runs a call to its end: promises are awaited, generators are drained. */
async function finish(act: () => unknown): Promise<unknown> {
  const result = await act();
  if (typeof result === 'object' && result !== null) {
    if (Symbol.asyncIterator in result) for await (const _ of result as AsyncIterable<unknown>);
    else if ('next' in result && Symbol.iterator in result) for (const _ of result as Iterable<unknown>);
  }
  return result;
}

const shown = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? String(value));

/** Calls with one argument replaced by each wrong value, and with each option replaced; returns the failures. */
async function escapes(
  act: (args: readonly unknown[]) => unknown,
  call: Call,
  values: readonly unknown[],
): Promise<string[]> {
  const escaped: string[] = [];
  const attempt = async (args: readonly unknown[], what: string) => {
    try {
      await finish(() => act(args));
    } catch (error) {
      const known = error instanceof polya.PolyaError && Object.hasOwn(polya.refusals, error.code);
      if (!known || error.code === 'E_INTERNAL') escaped.push(`${what}: ${String(error)}`);
    }
  };
  const { length } = call();
  for (let at = 0; at < length; at++) {
    for (const value of values) await attempt(call().with(at, value), `argument ${at} = ${shown(value)}`);
  }
  for (const [k, key] of Object.keys(optionsOf(call()) ?? {}).entries()) {
    for (const value of third(values, k)) {
      const args = call();
      await attempt(args.with(-1, { ...optionsOf(args), [key]: value }), `option ${key} = ${shown(value)}`);
    }
  }
  return escaped;
}

/** The options of a call: a plain object as last argument. */
function optionsOf(args: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const last = args.at(-1);
  const plain = typeof last === 'object' && last !== null && Object.getPrototypeOf(last) === Object.prototype;
  return plain ? (last as Readonly<Record<string, unknown>>) : undefined;
}

/** The name of an option in scikit-learn's spelling, or with a typo. */
function misspelled(name: string): string[] {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const capital = name[0].toUpperCase() + name.slice(1);
  return [...(snake === name ? [] : [snake]), capital, ...(name.length > 4 ? [name.slice(0, -1)] : [])];
}

/** Which misspelled options were accepted, or rejected without the right name. */
async function unnoticed(act: (args: readonly unknown[]) => unknown, call: Call): Promise<string[]> {
  const found: string[] = [];
  for (const key of Object.keys(optionsOf(call()) ?? {})) {
    for (const near of misspelled(key)) {
      const args = call();
      const { [key]: value, ...rest } = optionsOf(args)!;
      const outcome = await finish(() => act(args.with(-1, { ...rest, [near]: value }))).then(
        () => 'taken',
        (error: polya.PolyaError) => (error.code === 'E_PARAM' && error.message.includes(key) ? '' : String(error)),
      );
      if (outcome !== '') found.push(`${near} for ${key}: ${outcome}`);
    }
  }
  return found;
}

async function check(
  act: (args: readonly unknown[]) => unknown,
  call: Call,
  values: readonly unknown[] = wrong,
  what = '',
): Promise<void> {
  await finish(() => act(call())).catch((error: polya.PolyaError) => {
    expect(error.code, String(error)).toBe('E_ENGINE_UNAVAILABLE'); // it needs a package that is not installed
  });
  expect(await escapes(act, call, values), what).toEqual([]);
  expect(await unnoticed(act, call), what).toEqual([]);
}

/** The same call without its options object. */
const hidden =
  (call: Call): Call =>
  () =>
    call().map((argument) => Object.assign(Object.create({}), argument));

const isClass = (value: unknown): boolean => typeof value === 'function' && /^class /.test(String(value));

test('every public function and class has a valid call here', () => {
  const known = new Set([...Object.keys(calls), ...subjects.map(({ name }) => name)]);
  const all = Object.entries(polya).filter(([, value]) => typeof value === 'function');
  expect(all.map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
  expect(all.filter(([name, value]) => isClass(value) === Object.hasOwn(calls, name))).toEqual([]);
});

/** Functions whose last argument is a plain object of numbers, not of options. */
const ofData = new Set([
  'accuracyOf',
  'chi2OfTable',
  'count',
  'score',
  'product',
  'registerFamily',
  'rowsOf',
  'chineseTokenizer',
]);
const statistics = /From(Sums|Histogram|Moments)$/;

test.each(Object.entries(calls))(
  '%s rejects wrong arguments with a code, and misspelled options with the right name',
  async (name, call) => {
    const act = entryPoints.polya[name] as Act;
    const isData = ofData.has(name) || (statistics.test(name) && call().length === 1);
    await check((args) => act(...args), isData ? hidden(call) : call);
  },
);

test.each(Object.entries(exchangeCalls))('%s of polya/exchange does the same', async (name, call) => {
  const act = entryPoints.exchange[name] as Act;
  await check((args) => act(...args), call);
});

const folder = mkdtempSync(join(tmpdir(), 'polya-misuse-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'data.csv'), 'a,b\n1,x\n2,y\n');
writeFileSync(join(folder, 'model.polya'), new polya.BernoulliNB().fit([[1], [0]], ['a', 'b']).toBytes());

test.each(Object.entries(nodeCalls(folder)))('%s of polya/node does the same', async (name, call) => {
  const act = entryPoints.node[name] as Act;
  await check((args) => act(...args), call);
});

test('writeModel of polya/node does the same', async () => {
  const path = join(folder, 'written.polya');
  const call = () => [new polya.BernoulliNB().fit([[1], [0]], ['a', 'b']), { force: true, slim: true }];
  await check(([model, options]) => node.writeModel(path, model as never, options as never), call);
  await expect(node.writeModel(7 as never, call()[0] as never)).rejects.toMatchObject({ code: 'E_PATH' });
});

/** Methods that change their object. A rejected call changes nothing, so the object can be reused. */
const changing = new Set([
  'fit',
  'partialFit',
  'unlearn',
  'merge',
  'decay',
  'calibrate',
  'prune',
  'fitTransform',
  'update',
]);

test.each(subjects.map((subject, k) => [subject.name, subject, k] as const))(
  '%s does the same in its constructor and every method',
  async (name, subject, k) => {
    const Class = entryPoints.polya[name] as unknown as (new (
      ...args: unknown[]
    ) => object) &
      Readonly<Record<string, Act>>;
    const some = third(wrong, k);
    if (subject.construct) await check((args) => new Class(...args), subject.construct, some);
    for (const [method, call] of Object.entries(subject.statics ?? {})) {
      await check((args) => Class[method](...args), call, some, `${name}.${method}`);
    }
    for (const [method, call] of Object.entries(subject.methods)) {
      let made = subject.make();
      const act = (args: readonly unknown[]) => {
        const result = (made as Readonly<Record<string, Act>>)[method](...args);
        if (changing.has(method)) made = subject.make();
        return result;
      };
      await check(act, call, some, `${name}.${method}`);
    }
  },
);
