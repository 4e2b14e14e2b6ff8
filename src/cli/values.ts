import { suggest } from '../data/suggest.ts';
import { kebab, type OptionDef, type Value } from './declare.ts';
import { fail } from './problem.ts';
import { texts } from './texts/index.ts';

/** Where a raw value was found, for the sentence that refuses it. */
export interface Place {
  /** `--alpha`, `POLYA_ALPHA`, `"alpha" in polya.config.json`. */
  readonly where: string;
  /** The command line with another value in the place of this one, where it stands there. */
  correct?(wrong: string, right: string): string;
}

/** The value of an option from its text, or refused with what it should be. */
export function readValue(name: string, def: OptionDef, raw: unknown, place: Place): Value {
  switch (def.kind) {
    case 'flag':
      return readFlag(raw, place);
    case 'number':
    case 'integer':
      return readNumber(def, raw, place);
    case 'choice':
      return readChoice(name, def, raw, place);
    case 'list':
      return readList(def, raw, place);
    case 'text':
      if (typeof raw === 'string') return raw;
      return refuseValue(texts.usage.textNeeded(place.where));
  }
}

function refuseValue(sentence: string, notes: string[] = [], command?: string): never {
  return fail('E_USAGE', sentence, { notes, command });
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
  return truth ?? refuseValue(texts.usage.flagNeeded(where));
}

function readNumber({ kind, min, max }: OptionDef, raw: unknown, { where }: Place): number {
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  const fits = typeof value === 'number' && Number.isFinite(value) && (kind === 'number' || Number.isInteger(value));
  if (fits && value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY)) return value;
  return refuseValue(texts.usage.numberNeeded(where, kind === 'integer', min, max, String(raw)));
}

function readChoice(_: string, { choices = [] }: OptionDef, raw: unknown, { where, correct }: Place): string {
  if (typeof raw === 'string' && choices.includes(raw)) return raw;
  const word = String(raw);
  const near = suggest(word, choices);
  const notes = [texts.usage.choices(choices, near)];
  return refuseValue(texts.usage.choiceNeeded(where, word), notes, near && correct?.(word, near));
}

function readList({ commas = true }: OptionDef, raw: unknown, { where }: Place): string[] {
  const parts = Array.isArray(raw) ? raw : [raw];
  if (!parts.every((part) => typeof part === 'string')) return refuseValue(texts.usage.textNeeded(where));
  return commas ? (parts as string[]).flatMap(splitCommas) : (parts as string[]);
}

/** The parts between commas; a comma behind a backslash belongs to its part. */
function splitCommas(text: string): string[] {
  const parts = text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ',').trim());
  return parts.filter((part) => part !== '');
}

/** How an option is called on the command line. */
export const flagOf = (name: string): string => `--${kebab(name)}`;

/** How an option is called in the environment. */
export const envOf = (name: string): string => `POLYA_${kebab(name).replaceAll('-', '_').toUpperCase()}`;
