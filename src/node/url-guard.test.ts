import { expect, test } from 'vitest';
import { isLoopback, isPublic } from './addresses.ts';
import { checkUrl, parseUrl, pinnedLookup, policyFor, type Resolve } from './url-guard.ts';

const outcome = (run: () => unknown) => {
  try {
    run();
    return 'allowed';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('public addresses are distinguished from all others', () => {
  for (const address of [
    '93.184.216.34',
    '8.8.8.8',
    '2606:2800:220:1:248:1893:25c8:1946',
    '172.15.0.1',
    '172.32.0.1',
  ]) {
    expect([address, isPublic(address)]).toEqual([address, true]);
  }
  const others =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 64:ff9b::7f00:1 fc00::1 fd12::1 fe80::1 fec0::1 ff02::1 2001:db8::1 2002:7f00:1:: 2001::1 name';
  for (const address of others.split(' ')) expect([address, isPublic(address)]).toEqual([address, false]);
  expect(['127.0.0.1', '::1', '127.8.8.8', '10.0.0.1'].map(isLoopback)).toEqual([true, true, true, false]);
});

test('only https URLs of public hosts are allowed, and localhost only if named explicitly', () => {
  const open = { loopback: false };
  const blocked = [
    'http://example.org/a',
    'ftp://example.org/a',
    'file:///etc/passwd',
    'gopher://example.org/',
    'data:text/plain,x',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://017700000001/',
    'https://10.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://user:secret@example.org/',
  ];
  for (const url of blocked) expect([url, outcome(() => checkUrl(new URL(url), open))]).toEqual([url, 'E_URL_BLOCKED']);
  expect(outcome(() => checkUrl(new URL('https://example.org/a'), open))).toBe('allowed');
  expect(outcome(() => checkUrl(new URL('https://93.184.216.34/a'), open))).toBe('allowed');
  const here = policyFor(new URL('http://127.0.0.1:8080/x'));
  expect(here.loopback).toBe(true);
  expect(outcome(() => checkUrl(new URL('http://127.0.0.1:9/y'), here))).toBe('allowed');
  expect(outcome(() => checkUrl(new URL('http://10.0.0.1/y'), here))).toBe('E_URL_BLOCKED');
  expect(outcome(() => checkUrl(new URL('http://example.org/y'), here))).toBe('E_URL_BLOCKED');
  expect(policyFor(new URL('https://example.org/')).loopback).toBe(false);
  expect(outcome(() => parseUrl('no address'))).toBe('E_URL_BLOCKED');
});

test('a name is resolved once, and blocked if any of its addresses is private', async () => {
  const look = (resolve: Resolve, options: { all?: boolean; family?: number } = {}) =>
    new Promise<unknown>((done) => {
      pinnedLookup({ loopback: false, resolve })('data.example', options, (error, address) =>
        done(error ? (error as NodeJS.ErrnoException).code : address),
      );
    });
  const answers =
    (...addresses: string[]): Resolve =>
    (_, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  expect(await look(answers('93.184.216.34'))).toBe('93.184.216.34');
  expect(await look(answers('93.184.216.34', '10.0.0.1'))).toBe('E_URL_BLOCKED');
  expect(await look(answers('127.0.0.1'))).toBe('E_URL_BLOCKED');
  expect(await look(answers('2606:2800::1', '93.184.216.34'), { family: 4 })).toBe('93.184.216.34');
  expect(await look(answers('93.184.216.34'), { all: true })).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(await look(answers())).toBe('E_URL_BLOCKED');
  expect(await look((_, done) => done(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), []))).toBe('ENOTFOUND');
  let calls = 0;
  const rebinding: Resolve = (_, done) =>
    done(null, [{ address: calls++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }]);
  expect([await look(rebinding), await look(rebinding), calls]).toEqual(['93.184.216.34', 'E_URL_BLOCKED', 2]);
});
