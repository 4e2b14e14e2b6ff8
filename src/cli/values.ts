import { kebab, type OptionDef, type Value } from './declare.ts';
import { fail } from './problem.ts';
import { refuseChoice, refuseNumber } from './usage.ts';

/** Where a raw value was found, for the sentence that refuses it. */
export interface Place {
  /** `--alpha`, `POLYA_ALPHA`, `"alpha" in polya.config.json`. */
  readonly where: string;
  /** The command line with another value in the place of this one, where it stands there. */
  correct?(wrong: string, right: string): string;
}

/** The value of an option from its text, or refused with what it should be. */
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
      return fail('E_USAGE', `${place.where} is a text.`);
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
  return truth ?? fail('E_USAGE', `${where} is true or false.`);
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
  if (!parts.every((part) => typeof part === 'string')) return fail('E_USAGE', `${where} is a text.`);
  return commas ? (parts as string[]).flatMap(splitCommas) : (parts as string[]);
}

/** The parts between commas; a comma behind a backslash belongs to its part. */
export function splitCommas(text: string): string[] {
  const parts = text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ',').trim());
  return parts.filter((part) => part !== '');
}

/** How an option is called on the command line. */
export const flagOf = (name: string): string => `--${kebab(name)}`;

/** How an option is called in the environment. */
export const envOf = (name: string): string => `POLYA_${kebab(name).replaceAll('-', '_').toUpperCase()}`;
