import fc from 'fast-check';
import { test } from 'vitest';
import {
  AveragedOneDependenceNB,
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  KDependenceNB,
  MultinomialNB,
  PoissonNB,
  TreeAugmentedNB,
} from '../../src/index.ts';
import type { Countable } from '../../src/warehouse/fit.ts';
import {
  type Bench,
  column,
  countTable,
  expectSameCounts,
  realNames as names,
  realTable,
  records,
} from './law-tools.ts';
import type { Cell } from './load.ts';

const counts = { minLength: 1, maxLength: 60 };
const label = fc.constantFrom('a', 'b', 'select', '"', '__proto__', ';--', '🎉', '', "it's", 'ß\\n');
const word = fc.constantFrom('x', 'y', 'null', 'NULL', '🎈', '`', 'constructor', '%', ' ', "'");

const countRows = fc.array(
  fc.tuple(label, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 3 }), word, word),
  counts,
);

/** Counts equal those in memory, to the bit, and the model can learn further. */
export function countLaws({ learned }: Bench): void {
  test('sums, to the bit', async () => {
    await fc.assert(
      fc.asyncProperty(countRows, async (rows) => {
        const table = countTable(rows);
        const features = ['n1', 'select'];
        const [X, y] = [records(table, features), column(table, 'the label') as string[]];
        for (const make of [
          () => new MultinomialNB(),
          () => new ComplementNB({ reproducible: true }),
          () => new BernoulliNB({ binarize: 2 }),
          () => new PoissonNB(),
        ]) {
          expectSameCounts(await learned(make() as Countable, table, 'the label', features), make().fit(X as never, y));
        }
      }),
      { numRuns: 3 },
    );
  });

  test('levels, pairs of levels and levels in context, to the bit', async () => {
    await fc.assert(
      fc.asyncProperty(countRows, async (rows) => {
        const table = countTable(rows);
        const features = ['"', 'select', 'c1'];
        const [X, y] = [records(table, features), column(table, 'the label') as string[]];
        for (const make of [
          () => new CategoricalNB(),
          () => new TreeAugmentedNB(),
          () => new AveragedOneDependenceNB(),
          () => new KDependenceNB({ k: 2, selectColumns: false, concentration: 'likelihood' }),
          () => new KDependenceNB({ k: 1, parents: 'previous', selectColumns: false, concentration: 1 }),
        ]) {
          expectSameCounts(await learned(make() as Countable, table, 'the label', features), make().fit(X as never, y));
        }
      }),
      { numRuns: 3 },
    );
  });

  test('a counted model learns further, merges and unlearns', async () => {
    const rows = Array.from({ length: 40 }, (_, i): Cell[] => [i % 3, i % 5, (i * 7) % 11, i / 8]);
    const table = realTable(rows);
    const [X, y] = [records(table, names) as never, column(table, 'y') as number[]];
    const whole = new MultinomialNB().fit(X, y);
    const half = { ...table, rows: rows.slice(0, 20) };
    const part = await learned(new MultinomialNB(), half, 'y', names);
    expectSameCounts(part.partialFit(records(table, names).slice(20) as never, y.slice(20)), whole);
    part.unlearn(records(table, names).slice(20) as never, y.slice(20));
    expectSameCounts(part, new MultinomialNB().fit(records(half, names) as never, y.slice(0, 20)));
    const rest = await learned(new MultinomialNB(), { ...table, rows: rows.slice(20) }, 'y', names);
    expectSameCounts(part.merge(rest), whole);
  });
}
