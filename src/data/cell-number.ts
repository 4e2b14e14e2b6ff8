/**
 * The notation of a column's numbers. `plain`: as in programming languages. `point` and `comma`: with that decimal
 * mark, and optionally a currency sign, a percent sign, thousands separators, or parentheses for a negative amount.
 */
export type NumberStyle = 'plain' | 'point' | 'comma';

/** The number that a text represents in a style; NaN if it is not a number. */
export type NumberParser = (text: string, style: NumberStyle) => number;

/**
 * Creates the parser of numbers.
 *
 * The value is the number as written: `12.5 %` is 12.5 and `$1,234.50` is 1234.5.
 */
export function makeNumberParser(): NumberParser {
  const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
  /** Powers of ten that are exact, as are integers of up to 15 digits: their quotient is correctly rounded. */
  const POWERS = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
  const MOST_DIGITS = 15;

  const plain = (text: string): number => {
    const end = text.length;
    const first = text.charCodeAt(0);
    let [value, digits, fraction, k] = [0, 0, -1, first === 0x2d || first === 0x2b ? 1 : 0];
    for (; k < end; k++) {
      const digit = text.charCodeAt(k) - 0x30;
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
        digits++;
        if (fraction >= 0) fraction++;
      } else if (digit === -2 && fraction < 0) fraction = 0;
      else break;
    }
    if (k === end && digits > 0 && digits <= MOST_DIGITS) {
      const size = fraction > 0 ? value / POWERS[fraction] : value;
      return first === 0x2d ? -size : size;
    }
    const trimmed = text.trim();
    const number = PLAIN.test(trimmed) ? Number(trimmed) : Number.NaN;
    return Number.isFinite(number) ? number : Number.NaN;
  };

  const SIGN = '([+\\-\\u2212])?';
  const MONEY = '([$\\u00a3\\u00a5\\uff04\\uffe1\\uffe5\\u20a0-\\u20cf])?';
  const pattern = (group: string, mark: string): RegExp => {
    const separator = `[${group}'\\u2019 \\u00a0\\u2009\\u202f]`;
    const whole = `(\\d+|[1-9]\\d{0,2}(?:(${separator})\\d{3}(?:\\6\\d{3})*))?`;
    const number = `${whole}(?:${mark}(\\d*))?(e[+-]?\\d+)?`;
    return new RegExp(`^(\\()?${SIGN}\\s?${MONEY}\\s?${SIGN}${number}\\s?(%)?\\s?${MONEY}(\\))?$`, 'i');
  };
  const patterns = { point: pattern(',', '\\.'), comma: pattern('.', ',') };
  const LONGEST = 48;

  return (text, style) => {
    if (style === 'plain') return plain(text);
    const trimmed = text.trim();
    const found = trimmed.length <= LONGEST ? patterns[style].exec(trimmed) : null;
    if (!found) return Number.NaN;
    const [, open, before, money, behind, whole = '', , fraction = '', exponent = '', , currency, close] = found;
    const contradicts = (open && (before || behind)) || !open !== !close || (before && behind) || (money && currency);
    if (contradicts || (whole === '' && fraction === '')) return Number.NaN;
    const size = plain(`${whole.replace(/\D/g, '')}.${fraction}${exponent}`);
    const sign = before ?? behind;
    return open || (sign && sign !== '+') ? -size : size;
  };
}

/** The number that a text represents in a style; NaN if it is not a number. */
export const parseNumber: NumberParser = makeNumberParser();

/** The style of all numbers of a column. */
export interface FoundStyle {
  readonly style: NumberStyle;
  /** A number that would differ with the other decimal mark, if no cell decides between the two. */
  readonly ambiguous?: string;
}

/**
 * The style in which all of these texts are numbers; undefined if there is none. Cells that are valid with only one
 * decimal mark decide (`1.234,50`, `12,5`, `1,234.50`). If all are ambiguous, it is the point.
 */
export function detectNumbers(texts: readonly string[]): FoundStyle | undefined {
  if (texts.every((text) => !Number.isNaN(parseNumber(text, 'plain')))) return { style: 'plain' };
  let [point, comma] = [true, true];
  let ambiguous: string | undefined;
  for (const text of texts) {
    const [withPoint, withComma] = [parseNumber(text, 'point'), parseNumber(text, 'comma')];
    if (Number.isNaN(withPoint)) point = false;
    if (Number.isNaN(withComma)) comma = false;
    if (!point && !comma) return undefined;
    if (ambiguous === undefined && text.includes(',') && withPoint !== withComma) ambiguous = text;
  }
  if (point) return { style: 'point', ...(comma && ambiguous !== undefined && { ambiguous }) };
  return comma ? { style: 'comma' } : undefined;
}

/** Whether a text is a code rather than a number: an integer with a leading zero. */
export const hasLeadingZero = (text: string): boolean => /^0\d+$/.test(text);
