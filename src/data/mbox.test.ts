import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { atMost, processorTime } from '../../test/quiet.ts';
import { textOfHtml } from './html-text.ts';
import { type Mail, parseMail } from './mail.ts';
import { decodeWords } from './mail-headers.ts';
import { type MboxOptions, readMbox } from './mbox.ts';

const recorded: { mailbox: string; messages: Mail[] } = JSON.parse(
  readFileSync(new URL('../../test/reference/data/mail.json', import.meta.url), 'utf8'),
);
const box = Buffer.from(recorded.mailbox, 'base64');

async function read(
  bytes: Uint8Array,
  size: number,
  options: MboxOptions = {},
): Promise<{ mails: Mail[]; lines: number[] }> {
  const pieces = function* () {
    for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
  };
  const [mails, lines]: [Mail[], number[]] = [[], []];
  for await (const chunk of readMbox(pieces(), options)) {
    mails.push(...chunk.rows);
    lines.push(...chunk.lines);
  }
  return { mails, lines };
}

test('a mailbox is read as by Python, wherever the bytes are split', async () => {
  for (const size of [1, 7, 100, 1 << 20]) {
    const { mails } = await read(box, size);
    expect(mails.map(({ labels: _, ...mail }) => mail)).toEqual(recorded.messages);
  }
});

test('a message begins only after an empty line, and has the line number of its beginning', async () => {
  const text = [
    'From a@example.org Tue Jan  1 10:00:00 2019',
    'Subject: one',
    '',
    'From b@example.org Tue Jan  1 10:00:00 2019 is said here, right behind a line',
    'From the garden',
    '',
    'From nowhere in particular',
    '>From quoted',
    '>>From twice',
    '> From not',
    '',
    'From c@example.org Wed Jan  2 10:00:00 +0000 2019',
    'Subject: two',
    'X-Gmail-Labels: Spam,=?UTF-8?Q?Wichtig=2C_sch=C3=B6n?=',
    '',
    'body',
  ].join('\n');
  // The fourth line follows an empty one and looks like a separator in all but its position: mailboxes quote such
  // lines.
  const { mails, lines } = await read(Buffer.from(text.replace('\nFrom b@', '\n>From b@')), 11);
  expect(lines).toEqual([1, 12]);
  expect(mails.map(({ subject }) => subject)).toEqual(['one', 'two']);
  expect(mails[0]!.text.split('\n').slice(-5)).toEqual([
    '',
    'From nowhere in particular',
    'From quoted',
    '>From twice',
    '> From not',
  ]);
  expect(mails[1]).toMatchObject({ labels: 'Spam,Wichtig, schön', text: 'body' });
});

test('HTML is read if there is no plain text, nested parts are read, attachments are not', () => {
  const mail = (text: string) => parseMail(Buffer.from(text.replaceAll('\n', '\r\n')));
  const nested = `Content-Type: multipart/mixed; boundary="a b"

preamble
--a b
Content-Type: multipart/alternative; boundary=in

--in
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>Gr=C3=BC=C3=9Fe &amp; <b>mehr</b></p>
--in--
--a b
Content-Type: message/rfc822

Subject: inner

forwarded
--a b
Content-Type: text/plain
Content-Disposition: attachment; filename=x.txt

not this
--a b--
epilogue`;
  expect(mail(nested).text).toBe('Grüße & mehr\nforwarded');
  expect(mail('Subject: none\n\n').text).toBe('');
  expect(mail('Content-Type: text/plain; charset=x-unknown\n\nplain').text).toBe('plain');
  expect(mail('Content-Type: multipart/mixed; boundary=q\n\n--q\n\nopen end').text).toBe('open end');
  const deep = Array.from({ length: 100 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`).join(
    '',
  );
  expect(mail(`${deep}\nbottom`).text).toBe('');
});

test('bytes in another charset than declared never become U+FFFD', () => {
  const raw = (charset: string, ...bytes: number[]) =>
    parseMail(Buffer.concat([Buffer.from(`Content-Type: text/plain; charset=${charset}\n\n`), Buffer.from(bytes)]))
      .text;
  expect(raw('utf-8', 0x63, 0xe9)).toBe('cé');
  expect(raw('us-ascii', 0xc3, 0xa9)).toBe('é');
  expect(raw('iso-8859-1', 0x93, 0x61, 0x94)).toBe('“a”');
  expect(raw('gb2312', 0xff)).toBe('ÿ');
  expect(decodeWords('=?utf-8?B?w?= =?utf-8?Q?=C3?= =?utf-8?Q?=A9?= =?x?= plain')).toMatch(/é.* plain$/);
});

test('a message that is too long is an error, or skipped', async () => {
  const long = `From a@example.org Tue Jan  1 10:00:00 2019\n\n${'x'.repeat(5000)}\n\n`;
  const text = Buffer.from(`${long}From b@example.org Tue Jan  1 10:00:00 2019\nSubject: good\n\nshort\n`);
  for (const size of [10, 1000, 1 << 20]) {
    await expect(read(text, size, { maxMessageBytes: 1000 })).rejects.toMatchObject({
      code: 'E_LIMIT',
      details: { line: 1, limit: 1000 },
    });
    const bad: number[] = [];
    const { mails, lines } = await read(text, size, {
      maxMessageBytes: 1000,
      maxBadRows: 1,
      onBadRow: ({ line }) => bad.push(line),
    });
    expect([mails.map(({ subject }) => subject), lines, bad]).toEqual([['good'], [5], [1]]);
  }
  await expect(read(Buffer.from('no mailbox\n'), 5)).rejects.toMatchObject({ code: 'E_FORMAT' });
  expect(await read(Buffer.from(''), 5)).toEqual({ mails: [], lines: [] });
});

test('HTML is converted to its visible text', () => {
  expect(textOfHtml('<head><title>t</title></head><p>a  b</p><p>c<br>d</p>')).toBe('a b\n\nc\nd');
  expect(textOfHtml('x<script>var a = "<b>";</script>y<style>p{}</style>z<!-- <p>no</p> -->!')).toBe('xyz!');
  expect(textOfHtml('1 &lt; 2 &#x26; 3 > 2 &hellip; &unknown; &#0; &#55296; a < b')).toBe(
    '1 < 2 & 3 > 2 … &unknown; &#0; &#55296; a < b',
  );
  expect(textOfHtml('<a href="x>y">link</a')).toBe('y">link');
  expect(textOfHtml('<script>never closed')).toBe('');
});

test('malicious HTML and headers take linear time', () => {
  const hostile = ['<', '<a', '&', '&#', '<!--', '</script', '<script>', ' \n', '=?a?b?', '=?a?q?=?='];
  for (const piece of hostile) {
    const text = piece.repeat(400_000 / piece.length);
    expect(
      processorTime(() => textOfHtml(text)),
      piece,
    ).toBeLessThan(atMost(500));
    expect(
      processorTime(() => decodeWords(text.slice(0, 60_000))),
      piece,
    ).toBeLessThan(atMost(500));
  }
});
