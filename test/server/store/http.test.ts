import { expect, test } from 'vitest';
import { openStore } from '../../../src/server/store/index.ts';
import { ask, serve } from '../harness.ts';
import { firstRows, wordsModel } from './models.ts';
import { newFolder } from './subjects.ts';

test('what is learned over HTTP survives a restart, and a key is learned once before and after it', async () => {
  const folder = newFolder();
  const first = await serve({ store: await openStore(folder, new Map([['mail', wordsModel()]])) });
  const sent = { examples: [{ instance: 'lunch with a new word', label: 'ham' }] };
  const keyed = { headers: { 'idempotency-key': 'once' } };
  const learned = await ask(first, '/v1/models/mail/learn', sent, keyed);
  expect(learned).toMatchObject({ status: 200, body: { version: 2, learned: 1, prequential: { n: 1 } } });
  await Promise.all(
    Array.from({ length: 40 }, (_, k) =>
      ask(first, '/v1/models/mail/learn', { examples: [{ instance: `row${k}`, label: k % 2 ? 'ham' : 'spam' }] }),
    ),
  );
  const forgotten = await ask(first, '/v1/models/mail/unlearn', { examples: [{ instance: 'row7', label: 'ham' }] });
  expect(forgotten).toMatchObject({ status: 200, body: { version: 43, unlearned: 1, exact: true } });
  await first.close();

  const second = await serve({ store: await openStore(folder) });
  const again = await ask(second, '/v1/models/mail/learn', sent, keyed);
  expect(again).toMatchObject({ status: 200, body: { version: 2, repeated: true, prequential: { n: 1 } } });
  const other = await ask(second, '/v1/models/mail/learn', { examples: [{ instance: 'x', label: 'ham' }] }, keyed);
  expect(other).toMatchObject({ status: 409, body: { code: 'E_IDEMPOTENCY_CONFLICT' } });
  const rows = Array.from({ length: 40 }, (_, k) => ({ instance: `row${k}`, label: k % 2 ? 'ham' : 'spam' }));
  const known = [...firstRows, { instance: 'lunch with a new word', label: 'ham' }, ...rows.filter((_, k) => k !== 7)];
  expect(second.store.get('mail')!.model.toBytes()).toEqual(wordsModel(known));
  const { body } = await ask(second, '/v1/models/mail/versions');
  expect(JSON.stringify(body)).toContain('unlearned');
});
