import { suggest } from '../data/suggest.ts';
import type { ErrorCode } from '../errors.ts';
import { type ArgumentDef, kebab } from './declare.ts';
import { fail, type Hints, misuse } from './problem.ts';
import { commandLine, corrected } from './shell.ts';
import { safe } from './terminal.ts';

/** A word of the user in a message: quoted, safe to print, at most 80 columns wide. */
export const quote = (word: string): string => `"${safe(word, 80)}"`;

/** The first names of a list, and an ellipsis if there are more. */
export const listed = (names: readonly string[], most = 20, wide = 40): string =>
  names
    .slice(0, most)
    .map((name) => safe(name, wide))
    .join(', ') + (names.length > most ? ' …' : '');

/** The suggestion after a message about a misspelled word. */
export const didYouMean = (near: string | undefined): string =>
  near === undefined ? '' : ` Did you mean ${quote(near)}?`;

/** Refuses a name that is not known, and suggests a similar one; `wrong` is its word on the command line, with `behind` after the name. */
export function refuseUnknown(
  words: readonly string[],
  sentence: string,
  name: string,
  known: readonly string[],
  {
    code = 'E_USAGE',
    notes,
    details,
    wrong = name,
    behind = '',
  }: Pick<Hints, 'notes' | 'details'> & { code?: ErrorCode; wrong?: string; behind?: string } = {},
): never {
  const near = suggest(name, known);
  const command = near && corrected(words, wrong, near + behind);
  fail(code, `${sentence}${didYouMean(near)}`, { notes, details, command });
}

/** Refuses a word that is not among the choices; `correct` returns the command line with the closest one. */
export function refuseChoice(
  where: string,
  got: string,
  choices: readonly string[],
  {
    near = suggest(got, choices),
    correct,
  }: { near?: string | undefined; correct?: ((near: string) => string) | undefined } = {},
): never {
  fail('E_USAGE', `${where} does not accept ${quote(got)}.`, {
    notes: [`Choose one of ${choices.join(', ')}.${didYouMean(near)}`],
    command: near === undefined ? undefined : correct?.(near),
  });
}

/** Refuses a value that is not a number within its bounds. */
export function refuseNumber(
  where: string,
  got: string,
  { whole = false, min, max }: { whole?: boolean; min?: number | undefined; max?: number | undefined } = {},
  notes: readonly string[] = [],
): never {
  const kind = whole ? 'whole number' : 'number';
  fail('E_USAGE', `${where} must be a ${kind}${range(min, max)}, not ${quote(got)}.`, { notes });
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

/** Refuses a value of the wrong form. */
export function refuseForm(flag: string, form: string, got: string): never {
  misuse(`${flag} has the form ${form}, not ${quote(got)}.`);
}

/** Refuses two options that exclude each other. */
export function refuseTogether(first: string, second: string): never {
  misuse(`${first} and ${second} cannot be used together.`);
}

/** Refuses options that would have no effect, with the reason. */
export function refuseIgnored<Name extends string>(
  options: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
  reason: string,
): void {
  const isGiven = (value: unknown) =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  const name = names.find((one) => isGiven(options[one]));
  if (name !== undefined) misuse(`--${kebab(name)} ${reason}`);
}

/** Refuses a command line without a required argument. */
export function refuseMissingArgument(command: string, { name, doc }: ArgumentDef, words: readonly string[]): never {
  const article = /^(data|models)$/.test(name) ? '' : /^[aeiou]/.test(name) ? 'an ' : 'a ';
  const hints = { notes: [doc], command: commandLine([...words, name.toUpperCase()]) };
  return fail('E_USAGE', `${command} needs ${article}${name}.`, hints);
}
