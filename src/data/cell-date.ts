/** Which of the first two numbers in `5/4/2023` is the day. ISO dates begin with the year, whatever the order. */
export type DateOrder = 'day-first' | 'month-first';

/** A feature derived from a date. */
export type DatePart = 'days' | 'weekday' | 'month' | 'hour';

/** The parts of dates, in the order of their features. */
export const dateParts: readonly DatePart[] = ['days', 'weekday', 'month', 'hour'];

/** The time that a text represents, in milliseconds; NaN if it is not a date. */
export type DateParser = (text: string, order: DateOrder) => number;

/**
 * Creates the parser of dates and timestamps.
 *
 * It reads `2023-04-05`, `2023/4/5`, `5.4.2023`, `4/5/23`, `5 April 2023`, `Apr 5, 2023`, `2023年4月5日`, each with or
 * without a time. The local time is used as written: an offset such as `+02:00` is not applied, because the local hour
 * is what distinguishes rows.
 */
export function makeDateParser(): DateParser {
  const TIME =
    '(?:(?:T|,?\\s)\\s?(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(?:\\s?([ap])\\.?m\\.?)?(?:\\s?(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2}))?)?$';
  const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
  const WEEKDAY = '^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\\.?,?\\s)?';
  const yearFirst = new RegExp(`^(\\d{4})(?:([-/.])(\\d{1,2})\\2(\\d{1,2})|年(\\d{1,2})月(\\d{1,2})日?)${TIME}`, 'i');
  const yearLast = new RegExp(`^(\\d{1,2})([-/.])\\s?(\\d{1,2})\\2\\s?(\\d{4}|\\d{2})${TIME}`, 'i');
  const dayName = new RegExp(`${WEEKDAY}${DAY}(?:\\.?\\s|-|\\.)([a-z]{3,9})(?:[.,]?\\s|-)(\\d{4}|\\d{2})${TIME}`, 'i');
  const nameDay = new RegExp(`${WEEKDAY}([a-z]{3,9})\\.?\\s${DAY},?\\s(\\d{4})${TIME}`, 'i');
  const MONTHS = 'january february march april may june july august september october november december'.split(' ');
  const LONGEST = 48;
  /** Two-digit years are 1969 to 2068, as in POSIX. */
  const FIRST_SHORT_YEAR = 69;

  const monthNamed = (word: string): number => {
    const name = word.toLowerCase();
    const place = MONTHS.findIndex((month) => month === name || month.slice(0, 3) === name);
    return place < 0 && name === 'sept' ? 9 : place + 1;
  };

  const yearOf = (text: string): number => {
    const year = Number(text);
    return text.length > 2 ? year : year + (year < FIRST_SHORT_YEAR ? 2000 : 1900);
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

  return (given, order) => {
    const text = given.trim();
    if (text.length < 6 || text.length > LONGEST) return Number.NaN;
    if (text.length === 10 && text[4] === '-' && text[7] === '-')
      return moment(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10), []); // the most common notation
    const iso = yearFirst.exec(text);
    if (iso) return moment(Number(iso[1]), Number(iso[3] ?? iso[5]), Number(iso[4] ?? iso[6]), iso.slice(7));
    const numeric = yearLast.exec(text);
    if (numeric) {
      const [first, second] = [Number(numeric[1]), Number(numeric[3])];
      const [day, month] = order === 'day-first' ? [first, second] : [second, first];
      return moment(yearOf(numeric[4]), month, day, numeric.slice(5));
    }
    const spelled = dayName.exec(text);
    if (spelled) return moment(yearOf(spelled[3]), monthNamed(spelled[2]), Number(spelled[1]), spelled.slice(4));
    const named = nameDay.exec(text);
    if (named) return moment(Number(named[3]), monthNamed(named[1]), Number(named[2]), named.slice(4));
    return Number.NaN;
  };
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
