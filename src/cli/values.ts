import { kebab, type OptionDef, type Value } from './declare.ts';
import { misuse } from './problem.ts';
import { refuseChoice, refuseNumber } from './usage.ts';

/** Where a raw value comes from, for error messages. */
export interface Place {
  /** `--alpha`, `POLYA_ALPHA`, `"alpha" in polya.config.json`. */
  readonly where: string;
  /** The command line with another value instead of this one, if it comes from there. */
  correct?(wrong: string, right: string): string;
}

/** Reads the value of an option, and refuses an invalid one. */
export function readValue(def: OptionDef, raw: unknown, { where, correct }: Place): Value {
  const { kind, choices = [], min, max, commas = true } = def;
  const word = String(raw);
  switch (kind) {
    case 'flag':
      if (typeof raw === 'boolean') return raw;
      if (typeof raw === 'string' && /^(true|1|yes|false|0|no|)$/i.test(raw)) return /^(true|1|yes)$/i.test(raw);
      return misuse(`${where} must be true or false.`);
    case 'number':
    case 'integer': {
      const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
      const whole = kind === 'integer';
      const fits = typeof value === 'number' && Number.isFinite(value) && (!whole || Number.isInteger(value));
      if (fits && value >= (min ?? -Infinity) && value <= (max ?? Infinity)) return value;
      return refuseNumber(where, word, { whole, min, max });
    }
    case 'choice':
      if (typeof raw === 'string' && choices.includes(raw)) return raw;
      return refuseChoice(where, word, choices, { correct: correct && ((near) => correct(word, near)) });
    case 'list': {
      const parts: unknown[] = Array.isArray(raw) ? raw : [raw];
      if (!parts.every((part) => typeof part === 'string')) return misuse(`${where} must be text.`);
      return commas ? parts.flatMap(splitCommas) : parts;
    }
    case 'text':
      return typeof raw === 'string' ? raw : misuse(`${where} must be text.`);
  }
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
