/**
 * A number with a fixed count of decimals as Python prints it: exact halves go to the even digit (0.125 → 0.12), where
 * `toFixed` takes the larger one. NaN is `nan`.
 */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const exact = value.toFixed(100);
  const cut = exact.length - 100 + digits;
  if (digits >= 100 || !/^50*$/.test(exact.slice(cut))) return value.toFixed(digits);
  const kept = exact.slice(0, cut);
  const even = '02468'.includes(kept.replace('.', '').slice(-1));
  return even ? kept.replace(/\.$/, '') : value.toFixed(digits);
}

/** A float as Python's `str` prints it: 3 is `3.0`, 1e-5 is `1e-05`, 1e16 is `1e+16`. */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [mantissa, exponent] = value.toExponential().split('e');
    return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Text padded on the left to a width in code points. */
export function padded(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - [...text].length)) + text;
}
