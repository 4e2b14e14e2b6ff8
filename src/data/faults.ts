import { type ErrorCode, type ErrorDetails, refuse, show } from '../errors.ts';
import type { Excerpt } from './excerpt.ts';

/** A place in a text: line and column count from 1, the column in characters; the offset counts bytes from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A row that was left out: where, why, and its text (at most 64 KiB of it) for a file of rejects. */
export interface BadRow extends Place {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly text: string;
}

/** How a reader treats rows that break its format. */
export interface BadRowOptions {
  /** How many bad rows may be left out before one is refused; 0 unless told. */
  readonly maxBadRows?: number;
  /** Is told of every row that is left out, in order. */
  readonly onBadRow?: (row: BadRow) => void;
}

/** The names of `BadRowOptions`. */
export const badRowOptions: readonly string[] = ['maxBadRows', 'onBadRow'];

/** What is wrong with a row, before anyone decides whether it is left out or refused. */
export interface Fault extends Place {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly details?: ErrorDetails;
}

/** The quota of bad rows of one reading. */
export class BadRows {
  private readonly most: number;
  private readonly tell: ((row: BadRow) => void) | undefined;
  private met = 0;
  /** While false every fault is refused: a header is never left out. */
  lenient = true;

  constructor(options: BadRowOptions) {
    this.most = wholeOption('maxBadRows', options.maxBadRows, 0, 0);
    this.tell = options.onBadRow;
  }

  /** Whether one more bad row may be left out. */
  get admits(): boolean {
    return this.lenient && this.met < this.most;
  }

  /** Refuses the fault. */
  refuse({ code, reason, line, column, offset, details }: Fault, excerpt?: Excerpt): never {
    const skipped = this.met > 0 ? ` (after ${this.met} bad rows that were left out)` : '';
    const sentence = `line ${line}, column ${column}: ${reason}${skipped}`;
    const shown = excerpt === undefined ? {} : { excerpt };
    refuse(code, sentence, { line, column, offset, fault: reason, ...details, ...shown, badRows: this.met });
  }

  /** Counts an admitted fault and tells of it. */
  leaveOut({ code, reason, line, column, offset }: Fault, text: string): void {
    this.met++;
    this.tell?.({ line, column, offset, code, reason, text });
  }
}

/** A whole number of the options, `E_PARAM` when it is outside its range; infinity is no limit where `most` is none. */
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
