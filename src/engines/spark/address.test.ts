import { expect, test } from 'vitest';
import { refusal } from '../../../test/engines/laws.ts';
import { sparkAddress } from './address.ts';

test('a connection string has host, user, token and TLS', () => {
  expect(sparkAddress('sc://lake.example', {})).toEqual({
    target: 'lake.example:15002',
    secure: false,
    user: 'polya',
    token: undefined,
    session: undefined,
    headers: {},
  });
  expect(sparkAddress('sc://lake.example:443/;user_id=ann;use_ssl=true', {})).toEqual({
    target: 'lake.example:443',
    secure: true,
    user: 'ann',
    token: undefined,
    session: undefined,
    headers: {},
  });
  expect(sparkAddress('sc://[::1]:9/', { SPARK_CONNECT_TOKEN: 'x' })).toMatchObject({
    target: '[::1]:9',
    secure: true,
    token: 'x',
  });
  const session = '0b8f7a52-7c07-4c6e-9a39-4d0f7f3f5a10';
  const joined = sparkAddress(`sc://h:443/;session_id=${session};x-databricks-cluster-id=0301-1`, {});
  expect(joined).toMatchObject({ session, headers: { 'x-databricks-cluster-id': '0301-1' } });
  expect(sparkAddress('sc://h/;token=a%3Db=c', { SPARK_CONNECT_TOKEN: 'x' }).token).toBe('a=b=c');
});

test('an invalid connection string and a token without TLS are errors that do not repeat them', async () => {
  for (const address of [
    'spark://lake.example:7077',
    'sc://',
    'sc://lake.example:port',
    'sc://lake.example/;secret',
    'sc://lake.example/;colour=secret',
    'sc://lake.example/;session_id=secret',
    'sc://lake.example/;token=secret;use_ssl=false',
  ]) {
    const { code, message } = await refusal((async () => sparkAddress(address, {}))());
    expect(code).toBe('E_PARAM');
    expect(message).not.toContain('secret');
  }
});
