import { checksum, HEADER, linesOf, MAGIC } from './block.ts';
import { decodeRecord, type Record } from './record.ts';

const MARK = Buffer.from(Uint32Array.of(MAGIC).buffer);
const [QUOTE, BACKSLASH, NEWLINE, OPEN, CLOSE] = [0x22, 0x5c, 0x0a, 0x7b, 0x7d];

/**
 * The records of all blocks in a file that are whole, wherever they lie and whatever else is damaged: a block begins with a mark and
 * proves itself by its checksum. Pages that are not in use any more may still hold old blocks, so a record can be found that the
 * store had already written into a model file; its version tells. `unreadable` counts the marks behind which no block proves itself.
 */
export function salvage(file: Buffer): { readonly records: Record[]; readonly unreadable: number } {
  const records: Record[] = [];
  let unreadable = 0;
  for (let at = file.indexOf(MARK); at >= 0; at = file.indexOf(MARK, at + 1)) {
    const block = blockAt(file, at);
    if (block) for (const line of linesOf(block)) records.push(decodeRecord(line));
    else unreadable++;
  }
  return { records, unreadable };
}

/** The block that begins at a place, as far as it proves itself. */
function blockAt(file: Buffer, at: number): Buffer | undefined {
  if (at + HEADER > file.length) return undefined;
  const end = endOf(file, at + HEADER, file.readUInt32LE(at + 16));
  if (end === undefined) return undefined;
  return checksum(file.subarray(at + 8, end)) === file.readUInt32LE(at + 4) ? file.subarray(at, end) : undefined;
}

/** Where so many lines of JSON objects end that begin at a place. */
function endOf(file: Buffer, from: number, lines: number): number | undefined {
  let at = from;
  for (let line = 0; line < lines; line++) {
    if (line > 0 && file[at++] !== NEWLINE) return undefined;
    const end = objectEnd(file, at);
    if (end === undefined) return undefined;
    at = end;
  }
  return lines > 0 ? at : undefined;
}

function objectEnd(file: Buffer, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  if (file[from] !== OPEN) return undefined;
  for (let at = from; at < file.length; at++) {
    const byte = file[at];
    if (byte < 0x20) return undefined; // JSON on one line has none
    if (quoted && byte === BACKSLASH) at++;
    else if (byte === QUOTE) quoted = !quoted;
    else if (!quoted && byte === OPEN) depth++;
    else if (!quoted && byte === CLOSE && --depth === 0) return at + 1;
  }
  return undefined;
}
