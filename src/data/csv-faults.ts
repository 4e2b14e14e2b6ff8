import type { Fault, Place } from './faults.ts';
import { notUtf8 } from './utf8.ts';

/** An error, before its position is known. */
export type Complaint = Omit<Fault, keyof Place>;

/** Every error of a CSV row. */
export const complaints = {
  unclosed: (): Complaint => ({ code: 'E_FORMAT', reason: 'the quote opened here never closes' }),
  forgotten: ({ line, column }: Place): Complaint => ({
    code: 'E_FORMAT',
    reason: `the quote opened here is not closed before the next one, at line ${line}, column ${column}`,
    details: { nextLine: line, nextColumn: column },
  }),
  tail: (): Complaint => ({
    code: 'E_FORMAT',
    reason: 'a closing quote is followed by text; double a quote that is part of the cell',
  }),
  ragged: (cells: number, expected: number): Complaint => ({
    code: 'E_FORMAT',
    reason: `the row has ${cells} ${cells === 1 ? 'cell' : 'cells'}, the table ${expected}`,
    details: { cells, expected },
  }),
  longQuote: (limit: number): Complaint => ({
    code: 'E_FORMAT',
    reason: `the quote opened here does not close within ${limit} bytes; close it, or raise maxCellBytes`,
    details: { limit },
  }),
  longCell: (limit: number): Complaint => ({
    code: 'E_LIMIT',
    reason: `the cell is longer than ${limit} bytes; raise maxCellBytes if it should be`,
    details: { limit },
  }),
  longRow: (limit: number): Complaint => ({
    code: 'E_LIMIT',
    reason: `the row is longer than ${limit} bytes; raise maxRowBytes if it should be`,
    details: { limit },
  }),
  wideRow: (limit: number): Complaint => ({
    code: 'E_LIMIT',
    reason: `the row has more than ${limit} cells; raise maxColumns if it should`,
    details: { limit },
  }),
  nul: (): Complaint => ({
    code: 'E_ENCODING',
    reason: 'NUL bytes are not text; UTF-16 and binary files cannot be read as CSV',
  }),
  encoding: (byte: number): Complaint => ({ code: 'E_ENCODING', reason: notUtf8(byte) }),
} as const;
