import { type ErrorCode, type ErrorDetails, PolyaError } from '../errors.ts';
import type { Count } from './print.ts';
import { commandLine } from './shell.ts';
import { pad, type Screen, safe, width, wrap } from './terminal.ts';

/** A place in a file, with the lines around it. */
export interface Excerpt {
  readonly line: number;
  readonly text: string;
  /** The place of the fault in `text`, from 1. */
  readonly caret: number;
  readonly before?: { readonly line: number; readonly text: string } | undefined;
}

/** What an error message has besides its sentence. */
export interface Hints {
  readonly details?: ErrorDetails | undefined;
  /** Why, and what to do. */
  readonly notes?: readonly string[] | undefined;
  readonly excerpt?: Excerpt | undefined;
  /** The corrected command. */
  readonly command?: string | undefined;
  readonly exit?: number | undefined;
  readonly cause?: unknown;
}

/** An error with what a user needs: what, where, why, what to do. */
export class Problem extends PolyaError {
  readonly hints: Hints;

  constructor(code: ErrorCode, sentence: string, hints: Hints = {}) {
    super(code, sentence, hints.details ?? {}, hints.cause);
    this.hints = hints;
  }
}

/** Throws a `Problem`. */
export function fail(code: ErrorCode, sentence: string, hints?: Hints): never {
  throw new Problem(code, sentence, hints);
}

/** Refuses a command line; `corrected` are the words of one that works. */
export function misuse(sentence: string, corrected?: readonly string[]): never {
  fail('E_USAGE', sentence, { command: corrected && commandLine(corrected) });
}

/** The exit codes, as docs/cli.md lists them. */
export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  input: 3,
  model: 4,
  io: 5,
  engine: 6,
  limit: 7,
  gate: 8,
  interrupted: 130,
  terminated: 143,
} as const;

/** The exit code of each group of error codes. */
const groups: readonly (readonly [codes: RegExp, exit: number])[] = [
  [/^E_(USAGE|PARAM|BAD_REQUEST)$/, EXIT.usage],
  [/^E_(MODEL_\w+|NOT_FITTED|MERGE_MISMATCH|CONFLICT)$/, EXIT.model],
  [/^E_(STORE_\w+|PATH|IO|DISK_FULL|CHECKSUM|URL_BLOCKED)$/, EXIT.io],
  [/^E_(ENGINE_\w+|IDENTIFIER)$/, EXIT.engine],
  [/^E_(LIMIT|TIMEOUT|COUNT_OVERFLOW|TOO_LARGE|RATE|OVERLOADED)$/, EXIT.limit],
  [/^E_CANCELLED$/, EXIT.interrupted],
  [/^E_INTERNAL$/, EXIT.internal],
];

/** The exit code of an error; codes in no group are input errors. */
export function exitOf(error: unknown): number {
  if (error instanceof Problem && error.hints.exit !== undefined) return error.hints.exit;
  if (!(error instanceof PolyaError)) return EXIT.internal;
  return groups.find(([codes]) => codes.test(error.code))?.[1] ?? EXIT.input;
}

/** The rightmost column of error codes; commands are not wrapped. */
const WIDEST = 100;
/** The minimum width of wrapped sentences. */
const NARROWEST = 40;

/** An error for people: what and where with the code at the right, the lines around it, why, what to do. */
export function problemText(error: unknown, { columns, paint }: Screen, debug: boolean): string {
  const known = error instanceof PolyaError ? error : undefined;
  const code = known?.code ?? 'E_INTERNAL';
  const sentence =
    known?.message ?? `This is a bug in Pólya: ${safe(error instanceof Error ? error.message : String(error))}`;
  const { notes = [], excerpt, command } = error instanceof Problem ? error.hints : {};
  const lines = [headline(`${paint.red('✖')} ${sentence}`, code, Math.min(columns, WIDEST))];
  if (excerpt) lines.push(...excerptLines(excerpt, paint.red));
  const room = Math.max(NARROWEST, Math.min(columns, WIDEST)) - 2;
  for (const note of notes) lines.push(`  ${wrap(note, room, '  ')}`);
  if (command) lines.push(`  ${paint.bold(command)}`);
  if (debug) lines.push(...stackOf(error));
  else if (!known) lines.push(`  ${'Run the command again with --debug, and report the bug with the stack trace.'}`);
  return `${lines.join('\n')}\n`;
}

/** Puts the code at the right end of the line, at least two blanks after the sentence. */
function headline(sentence: string, code: string, columns: number): string {
  const room = columns - width(code);
  if (width(sentence) + 2 <= room) return `${pad(sentence, room)}${code}`;
  return `${sentence}  ${code}`;
}

function excerptLines({ line, text, caret, before }: Excerpt, red: (text: string) => string): string[] {
  const numbers = Math.max(...[line, before?.line ?? 0].map((number) => String(number).length));
  const row = (number: string, content: string) => `   ${pad(number, numbers, 'right')} │ ${content}`.trimEnd();
  const ahead = width([...text].slice(0, caret - 1).join(''));
  return [
    ...(before ? [row(String(before.line), before.text)] : []),
    row(String(line), text),
    row('', `${' '.repeat(ahead)}${red('^')}`),
  ];
}

function stackOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(1) : [];
  const { cause } = error as { cause?: unknown };
  return cause === undefined ? stack : [...stack, `  cause: ${safe(String(cause))}`, ...stackOf(cause)];
}

/** What is printed to stderr with `--json` when a command fails. */
export interface Prints {
  /** An error, on stderr. */
  'error@1': {
    command: string;
    code: string;
    message: string;
    details: object;
    exit: Count;
    notes?: readonly string[];
    suggestion?: string;
    stack?: readonly string[];
  };
}

/** An error for programs: one JSON object on one line. */
export function problemJson(error: unknown, command: string, debug: boolean): string {
  const known = error instanceof PolyaError;
  const { notes = [], command: corrected } = error instanceof Problem ? error.hints : {};
  const printed: Prints['error@1'] = {
    command,
    code: known ? error.code : 'E_INTERNAL',
    message: known
      ? error.message
      : `This is a bug in Pólya: ${error instanceof Error ? error.message : String(error)}`,
    details: known ? error.details : {},
    exit: exitOf(error),
    ...(notes.length > 0 && { notes }),
    ...(corrected !== undefined && { suggestion: corrected }),
    ...(debug && { stack: stackOf(error) }),
  };
  return JSON.stringify({ schema: 'polya/error@1', ...printed });
}
