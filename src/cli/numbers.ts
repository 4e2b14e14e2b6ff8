let whole: Intl.NumberFormat | undefined;

/** 5572 → `5,572`. Whole numbers avoid `Intl`, which takes ten milliseconds to load. */
export function count(value: number): string {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
  whole ??= new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
  return whole.format(value);
}

/** `1 row`, `2 rows`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** A share as a percentage: `86.6 %`. */
export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;

/** A probability or score with three decimals; a dash if there is none. */
export const score = (value: number | null, digits = 3): string =>
  value === null || !Number.isFinite(value) ? '–' : value.toFixed(digits);

/** A number with its sign, minus as minus: `+3.10`, `−1.90`. */
export function signed(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits);
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** A size: `412 kB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [amount, unit] = [value, 0];
  while (amount >= 999.5 && unit < units.length - 1) [amount, unit] = [amount / 1000, unit + 1];
  return `${amount < 9.95 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}

/** A duration from milliseconds: `0.9 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds) % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A rate in short: `412k rows/s`. */
export function rate(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '';
  const short =
    value >= 1e6 ? `${(value / 1e6).toFixed(1)}M` : value >= 9950 ? `${Math.round(value / 1000)}k` : count(value);
  return `${short} ${unit}/s`;
}

/** An interval: `0.983–0.995`. */
export const interval = (low: number, high: number, digits = 3): string =>
  `${low.toFixed(digits)}–${high.toFixed(digits)}`;
