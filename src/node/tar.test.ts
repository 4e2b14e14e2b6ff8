import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Member, tar } from '../../test/tar.ts';
import { PolyaError } from '../errors.ts';
import { readTar, type TarLimits } from './tar.ts';

async function read(bytes: Uint8Array, limits: TarLimits = {}, size = 700): Promise<Record<string, string>> {
  const pieces = async function* () {
    for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
  };
  const files: Record<string, string> = {};
  for await (const { name, bytes } of readTar(pieces(), limits)) files[name] = Buffer.from(bytes).toString('latin1');
  return files;
}

const refusal = (members: readonly Member[], limits?: TarLimits) =>
  read(tar(members), limits).then(
    () => 'read',
    (error: PolyaError) => ({ code: error.code, ...error.details }),
  );

test('plain files are read, wherever the stream is split', async () => {
  const name = fc.stringMatching(/^[a-z]{1,8}(\/[a-z0-9.]{1,8}[a-z])?$/);
  const content = fc.uint8Array({ maxLength: 1100 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, content), fc.integer({ min: 1, max: 2000 }), async (files, size) => {
      const members = Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text, 'latin1') }));
      expect(await read(tar(members), {}, size)).toEqual({ ...files });
    }),
    { numRuns: 50 },
  );
});

test("archives of the system's tar are read, in each format", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'polya-tar-'));
  try {
    mkdirSync(join(folder, 'a', 'deep'), { recursive: true });
    writeFileSync(join(folder, 'a', '1'), 'eins\n');
    writeFileSync(join(folder, 'a', 'deep', '2'), 'x'.repeat(5000));
    for (const format of ['gnu', 'ustar', 'v7', 'posix']) {
      const archive = execFileSync('tar', ['--format', format, '-cf', '-', '-C', folder, 'a'], { maxBuffer: 1 << 24 });
      expect([format, await read(archive)]).toEqual([format, { 'a/1': 'eins\n', 'a/deep/2': 'x'.repeat(5000) }]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('unsafe members are rejected by name', async () => {
  const hostile: [Member, string][] = [
    [{ name: '../x' }, 'leads out'],
    [{ name: 'a/../../x' }, 'leads out'],
    [{ name: 'a/..' }, 'leads out'],
    [{ name: '/etc/passwd' }, 'absolute'],
    [{ name: 'etc/passwd', prefix: '/' }, 'absolute'],
    [{ name: 'a\\..\\x' }, 'backslash'],
    [{ name: 'C:/x' }, 'drive'],
    [{ name: 'c:x' }, 'drive'],
    [{ name: 'a\u0007b' }, 'control'],
    [{ name: '' }, 'no name'],
    [{ name: 'link', type: '2', link: '/etc' }, 'symbolic link'],
    [{ name: 'hard', type: '1', link: '../x' }, 'hard link'],
    [{ name: 'null', type: '3' }, 'device'],
    [{ name: 'sda', type: '4' }, 'device'],
    [{ name: 'pipe', type: '6' }, 'pipe'],
    [{ name: 'sparse', type: 'S' }, 'sparse'],
    [{ name: '././@LongLink', type: 'L', content: '../x' }, 'another member'],
    [{ name: 'odd', type: 'Z' }, 'unknown kind'],
    [{ name: 'negative', size: '-0000000001\0' }, 'not a number'],
    [{ name: 'binary', size: '\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff' }, 'negative or huge'],
    [{ name: 'folder/', type: '5', content: 'x' }, 'folder with content'],
  ];
  for (const [member, fault] of hostile) {
    const expected = { code: 'E_ARCHIVE', entry: expect.anything(), fault: expect.stringContaining(fault) };
    expect([member.name, await refusal([{ name: 'good' }, member])]).toEqual([member.name, expected]);
  }
});

test('a link and a file through it, a duplicate name, and an override of a name are rejected', async () => {
  const through = [
    { name: 'dir', type: '2', link: '/tmp' },
    { name: 'dir/x', content: 'y' },
  ];
  expect(await refusal(through)).toMatchObject({ code: 'E_ARCHIVE', entry: 'dir' });
  expect(await refusal([{ name: 'a' }, { name: 'b' }, { name: 'a' }])).toMatchObject({ code: 'E_ARCHIVE', entry: 'a' });
  const record = (text: string) => `${text.length + 4} ${text}\n`;
  for (const key of ['path', 'linkpath', 'size', 'GNU.sparse.major']) {
    for (const type of ['x', 'g']) {
      const members = [{ name: 'PaxHeader/a', type, content: record(`${key}=../x`) }, { name: 'a' }];
      expect(await refusal(members)).toMatchObject({ code: 'E_ARCHIVE', entry: key });
    }
  }
  const times = [
    { name: 'PaxHeader/a', type: 'x', content: record('mtime=1.5') },
    { name: 'a', content: 'b' },
  ];
  expect(await read(tar(times))).toEqual({ a: 'b' });
});

test('members, file size and total size are limited', async () => {
  const members = [
    { name: 'a', content: 'xx' },
    { name: 'b', content: 'yyy' },
  ];
  expect(await refusal(members, { maxEntries: 1 })).toMatchObject({ code: 'E_LIMIT', limit: 1 });
  expect(await refusal(members, { maxFileBytes: 2 })).toMatchObject({ code: 'E_LIMIT', limit: 2 });
  expect(await refusal(members, { maxTotalBytes: 4 })).toMatchObject({ code: 'E_LIMIT', limit: 4 });
  expect(await refusal([{ name: 'huge', size: '77777777777\0' }])).toMatchObject({ code: 'E_LIMIT' });
});

test('damage is rejected: a wrong checksum, not a tar file, and every truncation', async () => {
  expect(await refusal([{ name: 'a', badSum: true }])).toMatchObject({ code: 'E_ARCHIVE' });
  await expect(read(Buffer.from('no archive at all'.repeat(50)))).rejects.toMatchObject({ code: 'E_ARCHIVE' });
  await expect(read(Buffer.alloc(0))).rejects.toMatchObject({ code: 'E_ARCHIVE' });
  const whole = tar(
    [
      { name: 'a', content: 'text' },
      { name: 'b', content: 'more' },
    ],
    false,
  );
  for (let length = 0; length < whole.length; length += 37) {
    await expect(read(whole.subarray(0, length))).rejects.toMatchObject({ code: 'E_ARCHIVE' });
  }
});

test('every changed byte of a header gives files or a PolyaError', async () => {
  const whole = tar([{ name: 'a/b', content: 'text' }]);
  for (let at = 0; at < 512; at++) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 0x81;
    const outcome = await read(changed).catch((error) => error);
    expect(outcome instanceof PolyaError || 'a/b' in outcome, `byte ${at}`).toBe(true);
  }
});
