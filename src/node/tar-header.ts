import { decodeSingle } from '../data/single-byte.ts';
import { refuse, show } from '../errors.ts';

/** The header of an archive member. */
export interface TarHeader {
  readonly name: string;
  readonly size: number;
  readonly kind: 'file' | 'folder' | 'extended';
}

// The offsets of header fields (POSIX.1-1988, ustar).
const NAME = [0, 100] as const;
const SIZE = [124, 12] as const;
const CHECKSUM = [148, 8] as const;
const TYPE = 156;
const MAGIC = [257, 5] as const;
const PREFIX = [345, 155] as const;

const kinds: ReadonlyMap<string, TarHeader['kind']> = new Map([
  ['0', 'file'],
  ['\0', 'file'],
  ['5', 'folder'],
  ['x', 'extended'],
  ['g', 'extended'],
]);

const refused: ReadonlyMap<string, string> = new Map([
  ['1', 'is a hard link'],
  ['2', 'is a symbolic link'],
  ['3', 'is a device'],
  ['4', 'is a device'],
  ['6', 'is a pipe'],
  ['L', 'has its name in another member'],
  ['K', 'is a link'],
  ['S', 'is a sparse file'],
]);

/** Reads a header and rejects everything except regular files and folders inside the archive. */
export function readTarHeader(block: Uint8Array): TarHeader {
  const field = ([at, length]: readonly [number, number]) => {
    const bytes = block.subarray(at, at + length);
    const end = bytes.indexOf(0);
    return decodeSingle(end < 0 ? bytes : bytes.subarray(0, end), 'latin1');
  };
  checkSum(block, field(CHECKSUM));
  const isPosix = field(MAGIC) === 'ustar' && block[MAGIC[0] + 5] === 0; // GNU's magic continues with a blank and has no prefix
  const prefix = isPosix ? field(PREFIX) : '';
  const name = prefix === '' ? field(NAME) : `${prefix}/${field(NAME)}`;
  const type = String.fromCharCode(block[TYPE]!);
  const kind = kinds.get(type);
  if (kind === undefined) refuseMember(name, refused.get(type) ?? `is of the unknown kind ${JSON.stringify(type)}`);
  const size = sizeOf(name, block[SIZE[0]]!, field(SIZE));
  if (kind !== 'extended') checkName(name);
  const isFolder = kind === 'folder' || (kind === 'file' && name.endsWith('/'));
  if (isFolder && size > 0) refuseMember(name, 'is a folder with content');
  return { name, size, kind: isFolder ? 'folder' : kind };
}

/** The bytes of a header must match its checksum, with the checksum field counted as blanks. */
function checkSum(block: Uint8Array, stated: string): void {
  let sum = 8 * 0x20;
  for (let i = 0; i < block.length; i++) if (i < CHECKSUM[0] || i >= CHECKSUM[0] + CHECKSUM[1]) sum += block[i]!;
  if (octal(stated) === sum) return;
  refuse('E_ARCHIVE', 'the archive is damaged, or not a tar archive: a header checksum does not match', { sum });
}

/** A size in octal digits; GNU's binary form, which can be negative, is for files of 8 GiB and more. */
function sizeOf(name: string, first: number, text: string): number {
  if (first >= 0x80) refuseMember(name, 'has a negative or huge size');
  const size = octal(text);
  if (!Number.isSafeInteger(size)) refuseMember(name, `has a size that is not a number`);
  return size;
}

const octal = (text: string): number => (/^ *[0-7]+ *$/.test(text) ? Number.parseInt(text.trim(), 8) : Number.NaN);

function checkName(name: string): void {
  if (name === '') refuseMember(name, 'has no name');
  if (name.startsWith('/')) refuseMember(name, 'has an absolute name');
  if (name.includes('\\')) refuseMember(name, 'has a backslash in its name');
  if (/^[a-z]:/i.test(name)) refuseMember(name, 'names a drive');
  if (name.split('/').includes('..')) refuseMember(name, 'leads out of the archive');
  if (/[\p{Cc}]/u.test(name)) refuseMember(name, 'has a control character in its name');
}

/** Throws an error with the name of the member. */
export function refuseMember(name: string, fault: string): never {
  refuse('E_ARCHIVE', `member ${show(name)} ${fault}`, { entry: name.slice(0, 200), fault });
}
