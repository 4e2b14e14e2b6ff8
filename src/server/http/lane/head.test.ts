import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heads, readHead } from './head.ts';

const plain = [
  'POST /v1/models/spam/predict HTTP/1.1',
  'Host: 127.0.0.1:8787',
  'Content-Type: application/json',
  'Content-Length: 28',
];
const read = (lines: readonly string[]) => readHead(lines.join('\r\n'), 1000);

test('a plain head is read, with the headers that matter', () => {
  expect(read(plain)).toMatchObject({ verb: 'predict', model: 'spam', length: 28 });
  const more = read([...plain, 'User-Agent: x', 'Idempotency-Key: a b', 'connection: Keep-Alive', 'If-Match: "3"']);
  expect(more?.headers).toMatchObject({ host: '127.0.0.1:8787', 'idempotency-key': 'a b', 'if-match': '"3"' });
});

test.each([
  ['another method', plain.with(0, 'GET /v1/models/spam/predict HTTP/1.1')],
  ['an older protocol', plain.with(0, 'POST /v1/models/spam/predict HTTP/1.0')],
  ['a query', plain.with(0, 'POST /v1/models/spam/predict?strict=false HTTP/1.1')],
  ['a name that is none', plain.with(0, 'POST /v1/models/../predict HTTP/1.1')],
  ['two spaces', plain.with(0, 'POST  /v1/models/spam/predict HTTP/1.1')],
  ['no host', plain.toSpliced(1, 1)],
  ['two hosts', [...plain, 'host: other']],
  ['two lengths', [...plain, 'Content-Length: 28']],
  ['a length that is none', plain.with(3, 'Content-Length: +28')],
  ['a length in another base', plain.with(3, 'Content-Length: 0x1c')],
  ['a list of lengths', plain.with(3, 'Content-Length: 28, 28')],
  ['a length of nothing', plain.with(3, 'Content-Length: 0')],
  ['too long a body', plain.with(3, 'Content-Length: 1001')],
  ['a transfer coding', [...plain, 'Transfer-Encoding: chunked']],
  ['a header over two lines', [...plain, 'Accept: a', ' b']],
  ['a space before the colon', plain.with(3, 'Content-Length : 28')],
  ['a bare line feed', plain.with(1, 'Host: a\nX: b')],
  ['a bare carriage return', plain.with(1, 'Host: a\rX: b')],
  ['a byte that is no letter', plain.with(1, 'Host: a\u0000b')],
  ['a letter beyond ASCII', [...plain, 'User-Agent: \u00e9']],
  ['a connection that is to close', [...plain, 'Connection: close']],
  ['an upgrade', [...plain, 'Upgrade: websocket']],
  ['an expectation', [...plain, 'Expect: 100-continue']],
  ['an origin', [...plain, 'Origin: http://127.0.0.1:8787']],
  ['a compressed body', [...plain, 'Content-Encoding: gzip']],
  ['another media type', plain.with(2, 'Content-Type: text/plain')],
  ['a header that nobody knows', [...plain, 'X-Forwarded-For: 1.2.3.4']],
  ['a header called __proto__', [...plain, '__proto__: x']],
])('%s is left to Node', (_, lines) => {
  expect(read(lines)).toBeUndefined();
});

test('a head that is known is read as it was the first time, whatever was read in between', () => {
  const heads = new Heads(1000);
  const text = fc.constantFrom(
    plain.join('\r\n'),
    plain.with(3, 'Content-Length: 9').join('\r\n'),
    [...plain, 'X-Request-Id: mine'].join('\r\n'),
    [...plain, 'Origin: x'].join('\r\n'),
    plain.with(0, 'POST /v1/models/ham/learn HTTP/1.1').join('\r\n'),
  );
  fc.assert(
    fc.property(fc.array(text), (all) =>
      all.every((own) => fc.stringify(heads.read(own)) === fc.stringify(readHead(own, 1000))),
    ),
  );
});
