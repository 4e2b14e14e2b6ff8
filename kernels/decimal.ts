import { give, take, takeZeros } from './memory';

/** The bits of a NaN that marks a cell the host must parse. */
export const ODD: u64 = 0x7ff8000000000001;

const LEAST: i32 = -324;
const MOST: i32 = 308;

let fives: usize = 0; // 5^q for q = LEAST … MOST: its first 128 bits, the upper half first

/**
 * Writes the powers of five. Those with 0 ≤ q ≤ 55 have no more than 128 bits; the others are rounded up. They are
 * derived from 2^928 · 5^q, which is computed for the largest q and then repeatedly divided by five. Rounding every
 * quotient down equals rounding the last one down, so no error accumulates, and the smallest one still has 176 bits.
 */
function setFives(): void {
  fives = take(usize(MOST - LEAST + 1) << 4);
  const number = takeZeros(256); // as words of 32 bits, the lowest first
  store<u32>(number, 1, 928 >> 3);
  for (let q = 0; q < MOST; q++) {
    let carry: u64 = 0;
    for (let at = number + (928 >> 3); at < number + 256; at += 4) {
      carry += u64(load<u32>(at)) * 5;
      store<u32>(at, u32(carry));
      carry >>= 32;
    }
  }
  let top = number + 252;
  for (let q = MOST; q >= LEAST; q--) {
    while (load<u32>(top) == 0) top -= 4;
    const shift = u64(clz<u32>(load<u32>(top)));
    const middle = load<u64>(top - 12);
    let upper = (load<u64>(top - 4) << shift) | ((middle >> 1) >> (63 - shift));
    let lower = (middle << shift) | ((load<u64>(top - 20) >> 1) >> (63 - shift));
    if (q < 0 || q > 55) upper += u64(++lower == 0);
    const power = fives + (usize(q - LEAST) << 4);
    store<u64>(power, upper);
    store<u64>(power, lower, 8);
    let rest: u64 = 0;
    for (let at = top; at >= number; at -= 4) {
      rest = (rest << 32) | u64(load<u32>(at));
      store<u32>(at, u32(rest / 5));
      rest %= 5;
    }
  }
  give(number, 256);
}

/** The upper half of a product of 128 bits. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function upperHalf(a: u64, b: u64): u64 {
  const mask: u64 = 0xffffffff;
  const cross = (a >> 32) * (b & mask) + (((a & mask) * (b & mask)) >> 32);
  return (a >> 32) * (b >> 32) + (cross >> 32) + (((a & mask) * (b >> 32) + (cross & mask)) >> 32);
}

/**
 * The bits of the double nearest to digits · 10^scale, or ODD if that is not decided here: if it is denormal or not
 * below 2^1023, or if the decimal may be halfway between two doubles. Lemire, "Number parsing at a gigabyte per
 * second", 2021, section 5.
 *
 * The digits, shifted to 64 bits, times the 128 bits of 5^scale make 192 bits. The power was rounded up by less than
 * one unit, so the true product is at most 2^64 less. The double is the first 53 bits, rounded by the next one. The
 * error matters only if it can reach down to a halfway point, that is if the 53 bits are followed by a one and then by
 * zeros in all of the upper 128 bits.
 */
export function nearest(digits: u64, scale: i32): u64 {
  if (digits == 0) return 0;
  if (scale < LEAST || scale > MOST) return ODD;
  if (fives == 0) setFives();
  const power = fives + (usize(scale - LEAST) << 4);
  const zeros = clz(digits);
  digits <<= zeros;
  let upper = upperHalf(digits, load<u64>(power));
  const carried = upperHalf(digits, load<u64>(power, 8));
  const middle = digits * load<u64>(power) + carried;
  upper += u64(middle < carried);
  const first = upper >> 63; // the product has 191 or 192 bits
  const half = upper >> (9 + first); // 54 bits
  if ((half & 1) != 0 && middle == 0 && half << (9 + first) == upper) return ODD;
  // floor(scale · log2(10)), right for the scales of the table
  const exponent = ((scale * 217706) >> 16) + 63 + i32(first) - i32(zeros) + 1022;
  // The leading bit adds one to the exponent, and so does rounding up to a power of two.
  return u32(exponent) >= 2045 ? ODD : (u64(exponent) << 52) + ((half + 1) >> 1);
}
