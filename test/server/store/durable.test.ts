import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Example } from '../../../src/server/model/served-model.ts';
import type { ModelStore } from '../../../src/server/model-store.ts';
import { openStore, type StoreOptions } from '../../../src/server/store/index.ts';
import { firstRows, numbersModel, wordsModel } from './models.ts';
import { codeOf, newFolder } from './subjects.ts';

const open = (folder: string, options: StoreOptions = {}, models = new Map([['mail', wordsModel()]])) =>
  openStore(folder, models, options);
const bytesOf = (store: ModelStore, name = 'mail') => store.get(name)!.model.toBytes();

/** The store as it would be found after the process died at this moment. */
async function afterDeath(folder: string, options: StoreOptions = {}): Promise<ModelStore> {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
  return openStore(copy, new Map(), options);
}

const row = fc.record({
  instance: fc
    .array(fc.constantFrom('free', 'lunch', 'new', 'words', '__proto__', '会议', 'b0', 'b1'), { maxLength: 5 })
    .map((w) => w.join(' ')),
  label: fc.constantFrom('ham', 'spam', 'constructor'),
  weight: fc.constantFrom(1, 2, 0.5),
});

test('acknowledged rows survive the death of the process; the model equals a fresh fit of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(row, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
      fc.boolean(),
      async (batches, shot) => {
        const folder = newFolder();
        const store = await open(folder);
        await Promise.all(batches.map((rows) => store.learn('mail', rows)));
        if (shot) await store.snapshot('mail');
        const learned = batches.flat();
        const again = await afterDeath(folder);
        expect(bytesOf(again)).toEqual(wordsModel([...firstRows, ...learned]));
        expect(again.get('mail')!.version).toBe(1 + batches.length);
        expect(again.versions('mail')).toEqual(store.versions('mail'));
        await again.close();
        await store.close();
      },
    ),
    { numRuns: 12 },
  );
});

describe('requests', () => {
  test('many requests share one sync, and each gets its version', async () => {
    const store = await open(newFolder());
    const rows = Array.from(
      { length: 200 },
      (_, k): Example => ({ instance: `word${k} lunch`, label: k % 2 ? 'ham' : 'spam' }),
    );
    const answers = await Promise.all(rows.map((own) => store.learn('mail', [own])));
    expect(answers.map(({ version }) => version)).toEqual(rows.map((_, k) => k + 2));
    expect(answers.at(-1)).toMatchObject({
      rows: 1,
      repeated: false,
      prequential: { n: 200 },
    });
    expect(bytesOf(store)).toEqual(wordsModel([...firstRows, ...rows]));
    await store.close();
  });

  test('a batch with one bad row is refused as a whole, and nothing of it is written', async () => {
    const folder = newFolder();
    const store = await open(folder);
    const bad = [
      { instance: 'fine', label: 'ham' },
      { instance: 'half \ud800', label: 'ham' },
    ];
    expect(await codeOf(store.learn('mail', bad))).toBe('E_UNICODE');
    expect(await codeOf(store.learn('none', firstRows))).toBe('E_NOT_FOUND');
    expect(await codeOf(store.unlearn('mail', [{ instance: 'never learned', label: 'ham' }]))).toBe(
      'E_UNLEARN_UNDERFLOW',
    );
    expect(await codeOf(store.learn('mail', firstRows, { ifVersion: 7 }))).toBe('E_CONFLICT');
    expect(store.get('mail')!.version).toBe(1);
    const again = await afterDeath(folder);
    expect(bytesOf(again)).toEqual(wordsModel());
    await again.close();
    await store.close();
  });

  test('what is unlearned was never there, and the record says that it was unlearned', async () => {
    const folder = newFolder();
    const store = await open(folder);
    const secret = [{ instance: 'my secret name', label: 'ham', weight: 2 }];
    await store.learn('mail', secret);
    const { prequential, version } = await store.unlearn('mail', secret);
    expect(prequential).toBeNull();
    expect(bytesOf(store)).toEqual(wordsModel());
    const again = await afterDeath(folder);
    expect(bytesOf(again)).toEqual(wordsModel());
    expect(again.versions('mail').map(({ origin, rows }) => [origin, rows])).toEqual([
      ['loaded', 0],
      ['learned', 1],
      ['unlearned', 1],
    ]);
    expect(again.get('mail')!.version).toBe(version);
    await again.close();
    await store.close();
  });

  test('models that count no words learn too, and several of them share the journal', async () => {
    const folder = newFolder();
    const models = new Map([
      ['mail', wordsModel()],
      ['size', numbersModel()],
    ]);
    const store = await open(folder, {}, models);
    await Promise.all([
      store.learn('size', [
        { instance: [3, 3], label: 'low' },
        { instance: [9, 9], label: 'high' },
      ]),
      store.learn('mail', [{ instance: 'lunch', label: 'ham' }]),
    ]);
    await store.snapshot('mail');
    const again = await afterDeath(folder);
    expect(bytesOf(again, 'size')).toEqual(bytesOf(store, 'size'));
    expect(bytesOf(again)).toEqual(bytesOf(store));
    expect(again.list().map(({ name }) => name)).toEqual(['mail', 'size']);
    await again.close();
    await store.close();
  });
});

describe('a key', () => {
  const rows = [{ instance: 'once and no more', label: 'ham' }];
  const key = { key: 'k1' };

  test('with the same body is learned once and answered alike, also at once, and after a crash', async () => {
    const folder = newFolder();
    const store = await open(folder);
    const [first, second] = await Promise.all([store.learn('mail', rows, key), store.learn('mail', rows, key)]);
    expect(second).toEqual({ ...first, repeated: true });
    expect(await store.learn('mail', rows, key)).toEqual({ ...first, repeated: true });
    const again = await afterDeath(folder);
    expect(await again.learn('mail', rows, key)).toEqual({ ...first, repeated: true });
    expect(bytesOf(again)).toEqual(wordsModel([...firstRows, ...rows]));
    await again.close();
    await store.snapshot('mail');
    const later = await afterDeath(folder);
    expect(await later.learn('mail', rows, key)).toEqual({ ...first, repeated: true });
    await later.close();
    await store.close();
  });

  test('with another body, or for another verb, is a conflict; a refused request leaves it free', async () => {
    const store = await open(newFolder());
    expect(await codeOf(store.learn('mail', [{ instance: '\ud800', label: 'ham' }], key))).toBe('E_UNICODE');
    await store.learn('mail', rows, key);
    expect(await codeOf(store.learn('mail', firstRows, key))).toBe('E_IDEMPOTENCY_CONFLICT');
    expect(await codeOf(store.unlearn('mail', rows, key))).toBe('E_IDEMPOTENCY_CONFLICT');
    expect(bytesOf(store)).toEqual(wordsModel([...firstRows, ...rows]));
    await store.close();
  });

  test('is forgotten when many others have come', async () => {
    const store = await open(newFolder(), { keys: 3 });
    for (const name of ['k1', 'k2', 'k3', 'k4']) await store.learn('mail', rows, { key: name });
    expect(await store.learn('mail', rows, { key: 'k4' })).toMatchObject({ repeated: true });
    expect(await store.learn('mail', rows, { key: 'k1' })).toMatchObject({ repeated: false });
    await store.close();
  });
});

describe('versions', () => {
  const rowsOf = (k: number) => [{ instance: `row${k}`, label: 'ham' }];

  test('can be gone back to, whether they are files or records, and numbers only rise', async () => {
    const folder = newFolder();
    const store = await open(folder);
    const bytes = [bytesOf(store)];
    for (let k = 1; k <= 4; k++) {
      await store.learn('mail', rowsOf(k));
      bytes.push(bytesOf(store));
      if (k === 2) expect(await store.snapshot('mail')).toMatchObject({ version: 3, bytes: bytes[2].length });
    }
    expect((await store.rollback('mail', 4)).version).toBe(6);
    expect(bytesOf(store)).toEqual(bytes[3]);
    expect((await store.rollback('mail', 1)).version).toBe(7);
    expect(bytesOf(store)).toEqual(bytes[0]);
    expect((await store.rollback('mail', 3)).version).toBe(8);
    expect(await codeOf(store.rollback('mail', 2))).toBe('E_NOT_FOUND');
    expect(await codeOf(store.rollback('mail', 99))).toBe('E_NOT_FOUND');
    expect(store.versions('mail').map(({ version, origin, kept }) => [version, origin, kept])).toEqual([
      [1, 'loaded', true],
      [3, 'learned', true],
      [5, 'learned', false],
      [6, 'rolled back', true],
      [7, 'rolled back', true],
      [8, 'rolled back', true],
    ]);
    await store.learn('mail', rowsOf(9));
    const again = await afterDeath(folder);
    expect(again.versions('mail')).toEqual(store.versions('mail'));
    expect(bytesOf(again)).toEqual(bytesOf(store));
    await again.close();
    await store.close();
  });

  test('are put in the place of others, removed, and begin where they ended', async () => {
    const folder = newFolder();
    const store = await open(folder);
    await store.learn('mail', rowsOf(1));
    expect(await codeOf(store.put('mail', numbersModel(), { ifVersion: 1 }))).toBe('E_CONFLICT');
    expect((await store.put('mail', numbersModel(), { ifVersion: 2 })).version).toBe(3);
    expect(await codeOf(store.put('mail', new Uint8Array(9)))).toBe('E_MODEL_CORRUPT');
    await store.learn('mail', [{ instance: [5, 5], label: 'low' }]);
    await store.remove('mail');
    expect(store.get('mail')).toBeUndefined();
    expect((await store.put('mail', wordsModel())).version).toBe(5);
    await store.put('other', wordsModel());
    await store.remove('other');
    const again = await afterDeath(folder);
    expect(bytesOf(again)).toEqual(wordsModel());
    expect(again.get('mail')!.version).toBe(5);
    expect((await again.put('other', wordsModel())).version).toBe(2);
    await again.close();
    await store.close();
  });

  test('of a model that is removed while its snapshot is written do not bring it back', async () => {
    const folder = newFolder();
    const store = await open(folder);
    await store.learn('mail', rowsOf(1));
    const snapshot = codeOf(store.snapshot('mail'));
    await Promise.resolve();
    await store.remove('mail');
    expect(await snapshot).not.toBe('accepted');
    const again = await afterDeath(folder);
    expect(again.get('mail')).toBeUndefined();
    await again.close();
    await store.close();
  });

  test('are kept up to a number, and the journal is shortened', async () => {
    const folder = newFolder();
    const store = await open(folder, { keptVersions: 2, snapshotEvery: 10 });
    for (let k = 0; k < 60; k++) await store.learn('mail', rowsOf(k));
    await store.close();
    expect(readdirSync(join(folder, 'models', 'mail')).length).toBe(2);
    const again = await open(folder);
    expect(again.versions('mail').filter(({ kept }) => kept).length).toBe(2);
    expect(again.get('mail')!.version).toBe(61);
    expect(bytesOf(again)).toEqual(
      wordsModel([...firstRows, ...Array.from({ length: 60 }, (_, k) => rowsOf(k)).flat()]),
    );
    await again.close();
  });

  test('that were being written when the process died are cleared away', async () => {
    const folder = newFolder();
    const store = await open(folder);
    await store.close();
    writeFileSync(join(folder, 'models', 'mail', '.2-ab.polya.draft'), 'half');
    writeFileSync(join(folder, 'models', 'mail', '2-cd.polya'), wordsModel());
    const again = await open(folder);
    expect(readdirSync(join(folder, 'models', 'mail')).length).toBe(1);
    const sockets = () => readdirSync(folder).filter((name) => name.endsWith('.sock')).length;
    expect(sockets()).toBe(1);
    await again.close();
    expect(sockets()).toBe(0);
  });
});
