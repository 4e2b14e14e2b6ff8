import { expect, test } from 'vitest';
import { BernoulliNB, GaussianNB, MultinomialNB } from '../../src/index.ts';
import { type Countable, fitFromEngine } from '../../src/warehouse/fit.ts';
import { type Bench, countTable, expectSameCounts, hostileNames, refusal } from './law-tools.ts';
import type { Cell, TestTable } from './load.ts';

/** Names of any kind are supported, and errors have their code. */
export function faultLaws({ under, learned }: Bench): void {
  test('names of any kind are supported', async () => {
    const usable = hostileNames.filter((own) => !under().refusedNames?.includes(own));
    for (const [k, own] of usable.entries()) {
      const other = usable[(k + 1) % usable.length];
      const table: TestTable = {
        columns: [
          [own, 'text'],
          [other, 'integer'],
        ],
        rows: hostileNames.map((text, i) => [text, i]),
      };
      const where = await under().load(own, table);
      const inEngine = await fitFromEngine(new MultinomialNB(), {
        engine: under().engine,
        table: where,
        target: own,
        features: [other],
      });
      expect(inEngine.classes).toEqual([...hostileNames].sort((a, b) => (a < b ? -1 : 1)));
      expect(inEngine.featureNamesIn).toEqual([other]);
      expectSameCounts(
        inEngine,
        new MultinomialNB().fit(hostileNames.map((_, i) => ({ [other]: i })) as never, hostileNames),
      );
    }
  });

  test('columns of the table may have the names that queries use', async () => {
    const names = ['polya_x0', 'polya_y', 'a', 'polya_a1', 'polya1_x1'];
    const table: TestTable = {
      columns: [...names.map((name) => [name, 'integer'] as const), ['label', 'text']],
      rows: Array.from({ length: 40 }, (_, i) => [...names.map((_, j) => (i * (j + 3)) % 7), 'uvw'[i % 3]]),
    };
    const X = table.rows.map((row) => Object.fromEntries(names.map((name, j) => [name, row[j] as number])));
    const y = table.rows.map((row) => row[names.length] as string);
    const features = [...names].reverse();
    const inEngine = await learned(new MultinomialNB(), table, 'label', features);
    const ordered = X.map((row) => Object.fromEntries(features.map((name) => [name, row[name]])));
    expectSameCounts(inEngine, new MultinomialNB().fit(ordered as never, y));
  });

  test('a wrong table or column is an error with the closest name', async () => {
    const where = await under().load(
      'customers',
      countTable([
        ['a', 1, 2, 'x', 'y'],
        ['b', 0, 1, 'y', 'x'],
      ]),
    ); // prettier-ignore
    const parts = typeof where === 'string' ? [where] : (where as readonly string[]);
    const wrong = [...parts.slice(0, -1), 'custmers'];
    const model = new MultinomialNB().fit([[1]], ['before']);
    const before = model.toBytes();
    const attempt = (more: object) =>
      refusal(
        fitFromEngine(model, { engine: under().engine, table: where, target: 'the label', features: ['n1'], ...more }),
      );
    const noTable = await attempt({ table: wrong });
    expect(noTable.code).toBe('E_ENGINE_QUERY');
    expect(String(noTable.details.suggestion)).toContain('customers');
    expect(noTable.message).not.toMatch(/SELECT/i);
    expect(await attempt({ target: 'the lable' })).toMatchObject({
      code: 'E_FEATURE_MISSING',
      details: { suggestion: 'the label' },
    });
    expect(await attempt({ features: ['n2'] })).toMatchObject({
      code: 'E_FEATURE_MISSING',
      details: { suggestion: 'n1' },
    });
    expect((await attempt({ features: ['n1', 'n1'] })).code).toBe('E_FEATURE_DUPLICATE');
    expect((await attempt({ signal: AbortSignal.abort() })).code).toBe('E_CANCELLED');
    expect(model.toBytes()).toEqual(before);
  });

  test('invalid rows are an error with their number, and so is an empty table', async () => {
    const columns: TestTable['columns'] = [
      ['y', 'text'],
      ['x', 'real'],
      ['w', 'real'],
    ]; // prettier-ignore
    const attempt = (rows: Cell[][], model: Countable = new MultinomialNB(), more = {}) =>
      refusal(learned(model, { columns, rows }, 'y', ['x'], more));
    expect((await attempt([])).code).toBe('E_EMPTY_INPUT');
    expect(
      await attempt([
        ['a', 1, 1],
        [null, 2, 1],
      ]),
    ).toMatchObject({ code: 'E_LABEL_MISSING', details: { rows: 1 } }); // prettier-ignore
    expect(
      await attempt([
        ['a', -1, 1],
        ['b', 2, 1],
      ]),
    ).toMatchObject({ code: 'E_NEGATIVE', details: { column: 'x', rows: 1 } }); // prettier-ignore
    expect(
      (
        await attempt([
          ['a', null, 1],
          ['b', 2, 1],
        ])
      ).code,
    ).toBe('E_NOT_FINITE'); // prettier-ignore
    expect(
      (
        await attempt([
          ['a', Infinity, 1],
          ['b', 2, 1],
        ])
      ).code,
    ).toBe('E_NOT_FINITE'); // prettier-ignore
    expect(
      (
        await attempt(
          [
            ['a', 1e200, 1],
            ['b', 2, 1],
          ],
          new GaussianNB(),
        )
      ).code,
    ).toBe('E_VALUE_RANGE'); // prettier-ignore
    expect(
      (
        await attempt(
          [
            ['a', 0.5, 1],
            ['b', 2, 1],
          ],
          new BernoulliNB({ binarize: null }),
        )
      ).code,
    ).toBe('E_VALUE_RANGE'); // prettier-ignore
    expect(
      (
        await attempt(
          [
            ['a', 1, -1],
            ['b', 2, 1],
          ],
          undefined,
          { weight: 'w' },
        )
      ).code,
    ).toBe('E_WEIGHT_INVALID'); // prettier-ignore
    expect(
      (
        await attempt(
          [
            ['a', 1, null],
            ['b', 2, 1],
          ],
          undefined,
          { weight: 'w' },
        )
      ).code,
    ).toBe('E_WEIGHT_INVALID'); // prettier-ignore
    const light = await learned(
      new MultinomialNB(),
      {
        columns,
        rows: [
          ['a', 1, 0],
          ['b', 2, 1],
        ],
      },
      'y',
      ['x'],
      { weight: 'w' },
    ); // prettier-ignore
    expect(light.classes).toEqual(['b']);
  });
}
