import { type ErrorCode, type ErrorDetails, refuse, show } from '../errors.ts';
import type { Excerpt } from './excerpt.ts';

/** A position in a text: line and column count from 1, the column in characters; the offset counts bytes from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A skipped row: position, reason, and its text (at most 64 KiB) for a file of rejects. */
export interface BadRow extends Place {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly text: string;
}

/** How a reader handles invalid rows. */
export interface BadRowOptions {
  /** The number of bad rows that may be skipped before one is an error. Default: 0. */
  readonly maxBadRows?: number;
  /** Called with every skipped row, in order. Default: none. */
  readonly onBadRow?: (row: BadRow) => void;
}

/** The names of `BadRowOptions`. */
export const badRowOptions: readonly string[] = ['maxBadRows', 'onBadRow'];

/** An error of a row, before it is decided whether the row is skipped. */
export interface Fault extends Place {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly details?: ErrorDetails;
}

/** The quota of bad rows of one reader. */
export class BadRows {
  private readonly most: number;
  private readonly onBadRow: ((row: BadRow) => void) | undefined;
  private met = 0;
  /** While false every error is thrown: a header is never skipped. */
  lenient = true;

  constructor(options: BadRowOptions) {
    this.most = wholeOption('maxBadRows', options.maxBadRows, 0, 0);
    this.onBadRow = options.onBadRow;
  }

  /** Whether one more bad row may be skipped. */
  get admits(): boolean {
    return this.lenient && this.met < this.most;
  }

  /** Throws the error. */
  refuse({ code, reason, line, column, offset, details }: Fault, excerpt?: Excerpt): never {
    const skipped = this.met > 0 ? ` (after ${this.met} bad rows that were left out)` : '';
    const sentence = `line ${line}, column ${column}: ${reason}${skipped}`;
    const shown = excerpt === undefined ? {} : { excerpt };
    refuse(code, sentence, { line, column, offset, fault: reason, ...details, ...shown, badRows: this.met });
  }

  /** Counts a skipped row and calls `onBadRow`. */
  leaveOut({ code, reason, line, column, offset }: Fault, text: string): void {
    this.met++;
    this.onBadRow?.({ line, column, offset, code, reason, text });
  }
}

/** An integer option; throws `E_PARAM` if it is outside its range. Infinity is allowed if `most` is infinite. */
export function wholeOption(
  name: string,
  value: number | undefined,
  preset: number,
  least: number,
  most: number = Number.POSITIVE_INFINITY,
): number {
  const number = value ?? preset;
  const whole = Number.isSafeInteger(number) || number === Number.POSITIVE_INFINITY;
  if (whole && number >= least && number <= most) return number;
  const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `between ${least} and ${most}`;
  refuse('E_PARAM', `option ${name} is a whole number ${range}, not ${show(value)}`, { option: name });
}
