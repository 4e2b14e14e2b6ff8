import { refuse } from '../errors.ts';

// Magic numbers of files that are not tables, and what to do with them.
const marks: readonly (readonly [mark: string, what: string, advice: string])[] = [
  ['PK\x03\x04', 'a ZIP archive or a spreadsheet', 'unpack it, or save the sheet as CSV'], // not in Node, which reads workbooks
  [
    '\xd0\xcf\x11\xe0',
    'a workbook of Excel 2003 or older, or one with a password',
    'save it as .xlsx without a password, or as CSV',
  ],
  ['%PDF', 'a PDF', 'export its text first'],
  ['BZh', 'compressed with bzip2', 'unpack it with bunzip2'],
  ['\xfd7zXZ', 'compressed with xz', 'unpack it with unxz'],
  ['\x28\xb5\x2f\xfd', 'compressed with zstd', 'unpack it with unzstd'],
  ['7z\xbc\xaf', 'a 7z archive', 'unpack it'],
  ['Rar!', 'a RAR archive', 'unpack it'],
  ['SQLite format 3\0', 'an SQLite database', 'export the table as CSV'],
  ['ARROW1', 'an Arrow file', 'save it as Parquet or CSV'],
  ['ORC', 'an ORC file', 'save it as Parquet or CSV'],
  ['\x89HDF', 'an HDF5 file', 'save the table as CSV'],
  ['\x89PNG', 'a picture', 'name a table'],
  ['\xff\xd8\xff', 'a picture', 'name a table'],
  ['GIF8', 'a picture', 'name a table'],
  ['\x7fELF', 'a program', 'name a table'],
];

const TAR_MARK = 257;

/**
 * Throws for the first bytes of a file that is certainly not text: `E_FORMAT` with its kind, `E_ENCODING` for UTF-16.
 */
export function refuseBinary(head: Uint8Array): void {
  const text = String.fromCharCode(...head.subarray(0, 300));
  const known = marks.find(([mark]) => text.startsWith(mark) && !(/^[A-Z]+$/.test(mark) && isWord(text)));
  if (known !== undefined) refuseFormat(`it is ${known[1]}, not a table; ${known[2]}`);
  if (text.startsWith('ustar', TAR_MARK))
    refuseFormat('it is a tar archive, not a table; unpack it and name the folder');
  if (isModel(head)) refuseFormat('it is a model, not data; pass it with -m or load it with load()');
  const wide = wideOf(head);
  if (wide !== undefined) refuseEncoding(`the text is UTF-16; read it with the encoding ${wide}`, 0, wide);
  const nul = head.indexOf(0);
  if (nul >= 0) refuseEncoding('NUL bytes are not text; the file is binary', nul);
}

/** Whether a magic number made of letters could be the beginning of a word. */
const isWord = (text: string) => /^[A-Za-z]+[\s,;:.]/.test(text);

function refuseFormat(fault: string): never {
  refuse('E_FORMAT', fault, { fault });
}

function refuseEncoding(fault: string, offset: number, encoding?: string): never {
  refuse('E_ENCODING', `byte ${offset}: ${fault}`, { offset, fault, ...(encoding && { encoding }) });
}

/** A model begins with the length of its header, less than 4 GiB, and a brace. */
function isModel(head: Uint8Array): boolean {
  return head[8] === 0x7b && head[4] === 0 && head[5] === 0 && head[6] === 0 && head[7] === 0;
}

/** The encoding of a UTF-16 byte order mark, if there is one. */
export function markedEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
}

/**
 * The encoding of a text that is UTF-16: by its byte order mark, or by the zeros among its first bytes, of which at least `share` must be
 * zero. In Latin scripts that is every second byte, in East Asian ones only line ends and delimiters have one.
 */
export function wideOf(head: Uint8Array, share = 0.3): 'utf-16le' | 'utf-16be' | undefined {
  const marked = markedEncoding(head);
  if (marked !== undefined) return marked;
  const zeros = [0, 0];
  const length = Math.min(head.length, 1000) & ~1;
  for (let i = 0; i < length; i++) if (head[i] === 0) zeros[i & 1]!++;
  if (length < 4 || zeros[0]! + zeros[1]! < share * length) return undefined;
  if (zeros[0] === 0) return 'utf-16le';
  return zeros[1] === 0 ? 'utf-16be' : undefined;
}
