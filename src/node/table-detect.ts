import { stat } from 'node:fs/promises';
import { markedEncoding, refuseBinary } from '../data/binary.ts';
import { SAMPLE_BYTES } from '../data/csv-delimiter.ts';
import { type TextEncoding, toUtf8 } from '../data/encoding.ts';
import { sniffText, type TextFormat } from '../data/sniff.ts';
import { refuse } from '../errors.ts';
import { gunzip, isGzip } from './gzip.ts';
import { isParquet, type Slices, slicesOfFile, slicesOfStream } from './parquet-file.ts';
import { type Peeked, peek } from './peek.ts';
import type { TableBytes } from './table-bytes.ts';
import { openFolder } from './table-folder.ts';
import type { OpenTableOptions, TableFormat } from './table-options.ts';
import { openParquet } from './table-parquet.ts';
import type { TableReader } from './table-reader.ts';
import { openText } from './table-text.ts';
import { openXlsx } from './table-xlsx.ts';
import { isZip } from './zip.ts';

/** The detected properties of a source. */
export interface Detected {
  readonly format: TableFormat;
  readonly reason: string;
  readonly compressed: boolean;
  /** For text: its encoding. */
  readonly encoding?: TextEncoding;
  readonly reader: TableReader;
}

const asked = 'asked for';

/** Detects the format from the first bytes, unless the options give it, and opens the source. */
export async function detect(bytes: TableBytes, options: OpenTableOptions): Promise<Detected> {
  const { path } = bytes;
  const { format, live } = options;
  const isFolder = path !== undefined && (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (isFolder && (format ?? 'folder') === 'folder') return detectFolder(path, bytes, options);
  const raw = await peek(bytes.chunks(), 2);
  if (format === 'folder') refuse('E_PATH', 'a folder was requested, but this is not one', {});
  const compressed = isGzip(raw.head);
  const unpacked = await peek(gunzip(raw.chunks, options), live ? 1 : SAMPLE_BYTES);
  if (format === 'parquet' || (format === undefined && isParquet(unpacked.head))) {
    const reader = await openParquet(await slicesOf(unpacked, compressed, bytes), options);
    return { format: 'parquet', reason: format === undefined ? 'it begins with PAR1' : asked, compressed, reader };
  }
  if (format === 'xlsx' || (format === undefined && isZip(unpacked.head))) {
    const reader = await openXlsx(await slicesOf(unpacked, compressed, bytes), options);
    return { format: 'xlsx', reason: format === undefined ? 'it is an Excel workbook' : asked, compressed, reader };
  }
  return { compressed, ...(await recogniseText(unpacked, bytes, options)) };
}

async function detectFolder(path: string | URL, bytes: TableBytes, options: OpenTableOptions): Promise<Detected> {
  const reader = await openFolder(path, options, (more) => bytes.count(more));
  return {
    format: 'folder',
    reason: options.format === undefined ? 'it is a folder' : asked,
    compressed: false,
    reader,
  };
}

/** Random access to a file; a stream is held in memory. */
async function slicesOf(unpacked: Peeked, compressed: boolean, bytes: TableBytes): Promise<Slices> {
  const { path } = bytes;
  if (path === undefined || compressed) return slicesOfStream(unpacked);
  await bytes.close(); // read at offsets, not from the beginning
  bytes.bytesRead = 0;
  return slicesOfFile(path, (more) => bytes.count(more));
}

async function recogniseText(
  unpacked: Peeked,
  { name, path }: TableBytes,
  options: OpenTableOptions,
): Promise<Omit<Detected, 'compressed'>> {
  const { format: given, live, encoding: usual = 'utf-8' } = options;
  const encoding = usual === 'utf-8' ? (markedEncoding(unpacked.head) ?? usual) : usual;
  if (given === undefined && !encoding.startsWith('utf-16')) refuseBinary(unpacked.head);
  const sample = live ? 1 : SAMPLE_BYTES;
  const text = encoding === 'utf-8' ? unpacked : await peek(toUtf8(unpacked.chunks, encoding), sample);
  const hints = { name, whole: text.whole && text.head.length <= SAMPLE_BYTES };
  const found =
    given === undefined
      ? sniffText(text.head.subarray(0, SAMPLE_BYTES), hints)
      : { format: given as TextFormat, reason: asked };
  const file = { name, isPath: path !== undefined, transcoded: encoding !== 'utf-8' };
  return { ...found, encoding, reader: await openText(found.format, text, file, options) };
}
