import { PolyaError } from '../errors.ts';
import { type Excerpt, exitOf, Problem } from './problem.ts';
import { pad, type Screen, safe, width, wrap } from './terminal.ts';
import { texts } from './texts/index.ts';

/** Commands are not wrapped, and the code of an error does not stand further right than this. */
const WIDEST = 100;
/** Sentences are not cut into shorter lines than this, however narrow the terminal says that it is. */
const NARROWEST = 40;

/** An error for people: what and where with the code at the right, the lines around it, why, what to do. */
export function problemText(error: unknown, { columns, paint }: Screen, debug: boolean): string {
  const known = error instanceof PolyaError ? error : undefined;
  const code = known?.code ?? 'E_INTERNAL';
  const sentence =
    known?.message ?? texts.problems.internal(safe(error instanceof Error ? error.message : String(error)));
  const { notes = [], excerpt, command } = error instanceof Problem ? error.hints : {};
  const lines = [headline(`${paint.red('✖')} ${sentence}`, code, Math.min(columns, WIDEST))];
  if (excerpt) lines.push(...excerptLines(excerpt, paint.red));
  const room = Math.max(NARROWEST, Math.min(columns, WIDEST)) - 2;
  for (const note of notes) lines.push(`  ${wrap(note, room, '  ')}`);
  if (command) lines.push(`  ${paint.bold(command)}`);
  if (debug) lines.push(...stackOf(error));
  else if (!known) lines.push(`  ${texts.problems.report()}`);
  return `${lines.join('\n')}\n`;
}

/** The code stands at the right end of the line, two blanks behind the sentence at least. */
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

/** An error for programs: one JSON object on one line. */
export function problemJson(error: unknown, command: string, debug: boolean): string {
  const known = error instanceof PolyaError;
  const { notes = [], command: corrected } = error instanceof Problem ? error.hints : {};
  return JSON.stringify({
    schema: 'polya/error@1',
    command,
    code: known ? error.code : 'E_INTERNAL',
    message: known ? error.message : texts.problems.internal(error instanceof Error ? error.message : String(error)),
    details: known ? error.details : {},
    exit: exitOf(error),
    ...(notes.length > 0 && { notes }),
    ...(corrected !== undefined && { suggestion: corrected }),
    ...(debug && { stack: stackOf(error) }),
  });
}
