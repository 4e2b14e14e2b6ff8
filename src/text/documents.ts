import type { Document } from '../data/column-table.ts';
import { type DecodeError, decodeText, type TextEncoding } from '../data/encoding.ts';
import { decodeUtf8, findInvalidUtf8, findLoneSurrogate } from '../data/utf8.ts';
import { refuse, show } from '../errors.ts';

export type { Document } from '../data/column-table.ts';

/** A sequence of documents. A bare string is not a list of documents, in types as at run time. */
export type Documents = Iterable<Document> & object;

/** A sequence of documents, possibly asynchronous. */
export type AsyncDocuments = Documents | (AsyncIterable<Document> & object);

/** Throws if the argument is not a list of documents; a string would be read letter by letter. */
export function requireDocuments<T extends AsyncDocuments>(documents: T): T {
  const listed =
    typeof documents === 'object' &&
    documents !== null &&
    (Symbol.iterator in documents || Symbol.asyncIterator in documents);
  if (!listed || ArrayBuffer.isView(documents)) {
    refuse('E_TYPE', `a list of documents is expected, got ${typeof documents} ${show(documents)}`, {
      actual: typeof documents,
    });
  }
  return documents;
}

/** Throws if a document is neither a string nor bytes. */
export function requireDocument(document: unknown, row: number): Document {
  if (typeof document === 'string' || document instanceof Uint8Array) return document;
  const what = document === null ? 'null' : `${typeof document} ${show(document)}`;
  return refuse('E_TYPE', `a document is a string or bytes in UTF-8; document ${row} is ${what}`, { row });
}

/** Decodes a document according to the options. */
export type Decode = (document: Document, row: number) => string;

/** How documents are decoded; undefined for strict UTF-8, which readers check while reading. */
export function decodingOf({ encoding, decodeError }: Encoded): Decode | undefined {
  if (encoding === 'utf-8' && decodeError === 'strict') return undefined;
  return (document, row) =>
    (typeof document === 'string' ? requireWhole(document, row) : decodeText(document, encoding, decodeError)) ??
    refuse('E_ENCODING', `document ${row} is not valid ${encoding}`, { row, encoding });
}

interface Encoded {
  readonly encoding: TextEncoding;
  readonly decodeError: DecodeError;
}

/** Throws if the vectorizer's documents would be decoded twice: files are decoded while they are read. */
export function requireDecoded({ encoding }: Partial<Encoded>): void {
  if (encoding === undefined || encoding === 'utf-8') return;
  refuse('E_PARAM', `the vectorizer expects bytes in ${encoding}, but files are decoded while they are read`, {
    name: 'encoding',
  });
}

/**
 * The text of a document. A lone surrogate is E_UNICODE and invalid UTF-8 is E_ENCODING: nothing is replaced silently.
 */
export function textOf(document: Document, row: number): string {
  if (typeof document === 'string') return requireWhole(document, row);
  return decodeUtf8(document) ?? refuseBytes(document, row, 0);
}

/** Throws if a text has a lone surrogate. */
export function requireWhole(text: string, row: number): string {
  if (text.isWellFormed()) return text;
  const offset = findLoneSurrogate(text);
  return refuse('E_UNICODE', `document ${row} holds a lone surrogate at ${offset}; text.toWellFormed() replaces it`, {
    row,
    offset,
  });
}

/** Throws if bytes are not UTF-8; `bytes` begin at `start` of the document. */
export function refuseBytes(bytes: Uint8Array, row: number, start: number): never {
  const offset = start + findInvalidUtf8(bytes);
  return refuse('E_ENCODING', `document ${row} is not valid UTF-8 at byte ${offset}`, { row, offset });
}
