/** Which of the first two numbers in `5/4/2023` is the day. ISO dates begin with the year, whatever the order. */
export type DateOrder = 'day-first' | 'month-first';

/** A feature derived from a date. */
export type DatePart = 'days' | 'weekday' | 'month' | 'hour';

/** The parts of dates, in the order of their features. */
export const dateParts: readonly DatePart[] = ['days', 'weekday', 'month', 'hour'];

/** One way to write dates. */
export interface DateNotation {
  /** The whole text, with or without a time, in any case. */
  readonly pattern: RegExp;
  /** The groups of year, month and day. */
  readonly date: readonly [year: number, month: number, day: number];
  /** Whether month and day change places where the month comes first. */
  readonly swaps?: boolean;
  /** The first of the groups of hour, minute, second, digits of a fraction, and `a` or `p`. */
  readonly time: number;
}

/** The time that a text represents, in milliseconds; NaN if it is not a date. */
export interface DateParser {
  (text: string, order: DateOrder): number;
  /** The notations in the order in which they are tried: SQL reads dates by them too. */
  readonly notations: readonly DateNotation[];
  /** The names of the months; their first three letters stand for them too, and `sept`. */
  readonly months: readonly string[];
  /** Years of two digits are 2000 and later below this one, else 1900 and later. */
  readonly firstShortYear: number;
  /** The longest text. */
  readonly longest: number;
}

/**
 * Creates the parser of dates and timestamps.
 *
 * It reads `2023-04-05`, `2023/4/5`, `5.4.2023`, `4/5/23`, `5 April 2023`, `Apr 5, 2023`, `2023年4月5日`, each with or
 * without a time. The local time is used as written: an offset such as `+02:00` is not applied, because the local hour
 * is what distinguishes rows.
 */
export function makeDateParser(): DateParser {
  const TIME =
    '(?:(?:T|,?\\s)\\s?(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(?:\\s?([ap])\\.?m\\.?)?(?:\\s?(?:Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?)?$';
  const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
  const WEEKDAY = '^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\\.?,?\\s)?';
  const whole = (date: string): RegExp => new RegExp(date + TIME, 'i');
  const notations: readonly DateNotation[] = [
    { pattern: whole('^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})'), date: [1, 3, 4], time: 5 },
    { pattern: whole('^(\\d{4})年(\\d{1,2})月(\\d{1,2})日?'), date: [1, 2, 3], time: 4 },
    {
      pattern: whole('^(\\d{1,2})([-/.])\\s?(\\d{1,2})\\2\\s?(\\d{4}|\\d{2})'),
      ...{ date: [4, 3, 1], swaps: true, time: 5 },
    },
    {
      pattern: whole(`${WEEKDAY}${DAY}(?:\\.?\\s|-|\\.)([a-z]{3,9})(?:[.,]?\\s|-)(\\d{4}|\\d{2})`),
      ...{ date: [3, 2, 1], time: 4 },
    },
    { pattern: whole(`${WEEKDAY}([a-z]{3,9})\\.?\\s${DAY},?\\s(\\d{4})`), date: [3, 1, 2], time: 4 },
  ];
  const months = 'january february march april may june july august september october november december'.split(' ');
  const longest = 48;
  /** Two-digit years are 1969 to 2068, as in POSIX. */
  const firstShortYear = 69;

  const monthOf = (word: string): number => {
    const name = word.toLowerCase();
    const place = months.findIndex((month) => month === name || month.slice(0, 3) === name);
    return place >= 0 ? place + 1 : name === 'sept' ? 9 : Number(word);
  };

  const yearOf = (text: string): number => {
    const year = Number(text);
    return text.length > 2 ? year : year + (year < firstShortYear ? 2000 : 1900);
  };

  const moment = (year: number, month: number, day: number, time: readonly (string | undefined)[]): number => {
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    const last = month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
    if (!(year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= last)) return Number.NaN;
    const [hours, minutes, seconds = '0', fraction = '0', half] = time;
    if (hours === undefined) return Date.UTC(year, month - 1, day);
    let hour = Number(hours);
    if (half !== undefined) {
      if (hour < 1 || hour > 12) return Number.NaN;
      hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    }
    if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return Number.NaN;
    const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000);
    return Date.UTC(year, month - 1, day, hour, Number(minutes), Number(seconds), milliseconds);
  };

  const digits = (text: string, from: number, to: number): number => {
    let value = 0;
    for (let k = from; k < to; k++) {
      const digit = text.charCodeAt(k) - 0x30;
      value = digit >= 0 && digit <= 9 ? 10 * value + digit : Number.NaN;
    }
    return value;
  };

  const parse = (given: string, order: DateOrder): number => {
    const text = given.trim();
    if (text.length < 6 || text.length > longest) return Number.NaN;
    if (text.length === 10 && text[4] === '-' && text[7] === '-')
      return moment(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10), []); // the most common notation
    for (const { pattern, date, swaps, time } of notations) {
      const found = pattern.exec(text);
      if (!found) continue;
      const [year, month, day] = date.map((group) => found[group]);
      const [own, other] = swaps && order === 'month-first' ? [day, month] : [month, day];
      return moment(yearOf(year), monthOf(own), Number(other), found.slice(time));
    }
    return Number.NaN;
  };
  return Object.assign(parse, { notations, months, firstShortYear, longest });
}

/** The time that a text represents, in milliseconds since 1970 in local time as written; NaN if it is not a date. */
export const parseDate: DateParser = makeDateParser();

const DAY_MS = 86_400_000;

/** The days since 1970, the weekday from 0 (Sunday), the month from 1, or the hour; NaN stays NaN. */
export function partOf(moment: number, part: DatePart): number {
  if (part === 'days' || Number.isNaN(moment)) return moment / DAY_MS;
  const date = new Date(moment);
  if (part === 'weekday') return date.getUTCDay();
  return part === 'month' ? date.getUTCMonth() + 1 : date.getUTCHours();
}

const range = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, k) => String(from + k));

/** The levels of the categorical parts, in order of their numbers. */
export const partLevels: Readonly<Record<Exclude<DatePart, 'days'>, readonly string[]>> = {
  weekday: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  month: range(1, 12),
  hour: range(0, 23),
};

/** A part as a feature: the number of days, or the index of the part among its levels. */
export const partPlace = (moment: number, part: DatePart): number =>
  part === 'month' ? partOf(moment, part) - 1 : partOf(moment, part);

/** A part as a word; undefined for NaN. */
export const partWord = (moment: number, part: Exclude<DatePart, 'days'>): string | undefined =>
  partLevels[part][partPlace(moment, part)];

/** The notation of a column of dates. */
export interface FoundDates {
  readonly order: DateOrder;
  /** A date that would differ in the other order, if no cell decides between the two. */
  readonly ambiguous?: string;
}

/**
 * The order in which all of these texts are dates; undefined if there is none. A number above 12 decides. Otherwise
 * dots and dashes mean day first, as does a constant first number while the second varies (the first day of each
 * month); else the month comes first.
 */
export function detectDates(texts: Iterable<string>): FoundDates | undefined {
  let [day, month] = [true, true];
  let ambiguous: string | undefined;
  const [first, second] = [new Set<string>(), new Set<string>()];
  for (const text of texts) {
    const [asDay, asMonth] = [parseDate(text, 'day-first'), parseDate(text, 'month-first')];
    if (Number.isNaN(asDay)) day = false;
    if (Number.isNaN(asMonth)) month = false;
    if (!day && !month) return undefined;
    if (!(day && month) || asDay === asMonth) continue;
    ambiguous ??= text;
    const [, one, two] = /^\s*(\d+)\D+(\d+)/.exec(text) as RegExpExecArray;
    if (first.size < 2) first.add(one);
    if (second.size < 2) second.add(two);
  }
  if (!day || !month) return { order: day ? 'day-first' : 'month-first' };
  if (ambiguous === undefined || ambiguous.includes('.')) return { order: 'day-first' };
  const constantDay = first.size === 1 && second.size > 1;
  return { order: constantDay || ambiguous.includes('-') ? 'day-first' : 'month-first', ambiguous };
}
