import { expect, test } from 'vitest';
import { refusal } from '../../../test/engines/laws.ts';
import { clickHouseAddress } from './address.ts';

test('an address has host, user and database; the environment provides the rest', () => {
  expect(clickHouseAddress('clickhouse://ann:p%40ss@db.example:9000/sales', { CLICKHOUSE_USER: 'bob' })).toEqual({
    url: 'http://db.example:9000',
    username: 'ann',
    password: 'p@ss',
    database: 'sales',
  });
  expect(
    clickHouseAddress('clickhouse://db.example?secure=true', { CLICKHOUSE_USER: 'bob', CLICKHOUSE_PASSWORD: 'x' }),
  ).toEqual({ url: 'https://db.example:8443', username: 'bob', password: 'x', database: 'default' });
  expect(clickHouseAddress('clickhouses://db.example:9', {}).url).toBe('https://db.example:9');
  expect(clickHouseAddress('clickhouse://[::1]', {})).toEqual({
    url: 'http://[::1]:8123',
    username: 'default',
    password: '',
    database: 'default',
  });
});

test('an invalid address is an error that does not repeat it', async () => {
  for (const address of [
    'clickhouse:ann:secret',
    'http://ann:secret@db.example',
    'secret',
    'clickhouse://ann:secret@db.example?secure=perhaps',
    'clickhouse://ann:secret@db.example?readonly=1',
  ]) {
    const { code, message, details } = await refusal((async () => clickHouseAddress(address, {}))());
    expect(code).toBe('E_PARAM');
    expect(message + JSON.stringify(details)).not.toContain('secret');
  }
});
