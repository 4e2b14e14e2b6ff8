import { kebab, type OptionDef, type Value } from './declare.ts';
import { fail } from './problem.ts';
import { refuseChoice, refuseNumber } from './usage.ts';

/** Where a raw value comes from, for error messages. */
export interface Place {
  /** `--alpha`, `POLYA_ALPHA`, `"alpha" in polya.config.json`. */
  readonly where: string;
  /** The command line with another value instead of this one, if it comes from there. */
  correct?(wrong: string, right: string): string;
}

/** Reads the value of an option, and refuses an invalid one. */
export function readValue(def: OptionDef, raw: unknown, place: Place): Value {
  switch (def.kind) {
    case 'flag':
      return readFlag(raw, place);
    case 'number':
    case 'integer':
      return readNumber(def, raw, place);
    case 'choice':
      return readChoice(def, raw, place);
    case 'list':
      return readList(def, raw, place);
    case 'text':
      if (typeof raw === 'string') return raw;
      return fail('E_USAGE', `${place.where} must be text.`);
  }
}

const truths = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['', false],
]);

function readFlag(raw: unknown, { where }: Place): boolean {
  if (typeof raw === 'boolean') return raw;
  const truth = typeof raw === 'string' ? truths.get(raw.toLowerCase()) : undefined;
  return truth ?? fail('E_USAGE', `${where} must be true or false.`);
}

function readNumber({ kind, min, max }: OptionDef, raw: unknown, { where }: Place): number {
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  const fits = typeof value === 'number' && Number.isFinite(value) && (kind === 'number' || Number.isInteger(value));
  if (fits && value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY)) return value;
  return refuseNumber(where, String(raw), { whole: kind === 'integer', min, max });
}

function readChoice({ choices = [] }: OptionDef, raw: unknown, { where, correct }: Place): string {
  if (typeof raw === 'string' && choices.includes(raw)) return raw;
  const word = String(raw);
  return refuseChoice(where, word, choices, { correct: correct && ((near) => correct(word, near)) });
}

function readList({ commas = true }: OptionDef, raw: unknown, { where }: Place): string[] {
  const parts = Array.isArray(raw) ? raw : [raw];
  if (!parts.every((part) => typeof part === 'string')) return fail('E_USAGE', `${where} must be text.`);
  return commas ? (parts as string[]).flatMap(splitCommas) : (parts as string[]);
}

/** The parts between commas; a comma after a backslash does not split. */
export function splitCommas(text: string): string[] {
  const parts = text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ',').trim());
  return parts.filter((part) => part !== '');
}

/** The flag of an option. */
export const flagOf = (name: string): string => `--${kebab(name)}`;

/** The environment variable of an option. */
export const envOf = (name: string): string => `POLYA_${kebab(name).replaceAll('-', '_').toUpperCase()}`;
