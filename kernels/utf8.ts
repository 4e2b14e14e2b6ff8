/** Checks text sixty-four bytes at a time. */

const TOO_SHORT: u8 = 1 << 0;
const TOO_LONG: u8 = 1 << 1;
const OVERLONG_3: u8 = 1 << 2;
const TOO_LARGE: u8 = 1 << 3;
const SURROGATE: u8 = 1 << 4;
const OVERLONG_2: u8 = 1 << 5;
const TOO_LARGE_1000: u8 = 1 << 6;
const OVERLONG_4: u8 = 1 << 6;
const TWO_CONTS: u8 = 1 << 7;
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTS;
const LARGE: u8 = CARRY | TOO_LARGE | TOO_LARGE_1000;
const THREE: u8 = TOO_SHORT | OVERLONG_3 | SURROGATE;
const FOUR: u8 = TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4;
const SECOND: u8 = TOO_LONG | OVERLONG_2 | TWO_CONTS;

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function highOfFirst(): v128 {
  return i8x16(
    TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
    TWO_CONTS, TWO_CONTS, TWO_CONTS, TWO_CONTS, TOO_SHORT | OVERLONG_2, TOO_SHORT, THREE, FOUR,
  );
}

// @ts-ignore
@inline
function lowOfFirst(): v128 {
  return i8x16(
    CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4, CARRY | OVERLONG_2, CARRY, CARRY, CARRY | TOO_LARGE, LARGE, LARGE, LARGE,
    LARGE, LARGE, LARGE, LARGE, LARGE, LARGE | SURROGATE, LARGE, LARGE,
  );
}

// @ts-ignore
@inline
function highOfSecond(): v128 {
  return i8x16(
    TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
    SECOND | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4, SECOND | OVERLONG_3 | TOO_LARGE, SECOND | SURROGATE | TOO_LARGE,
    SECOND | SURROGATE | TOO_LARGE, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
  );
}

/**
 * Non-zero if `input`, which follows `before`, is not UTF-8. Keiser and Lemire (2021), Validating UTF-8 in less than
 * one instruction per byte.
 */
// @ts-ignore
@inline
function faults(before: v128, input: v128): v128 {
  const first = i8x16.shuffle(before, input, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
  const second = i8x16.shuffle(before, input, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
  const third = i8x16.shuffle(before, input, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28);
  const pairs = v128.and(
    v128.and(
      i8x16.swizzle(highOfFirst(), i8x16.shr_u(first, 4)),
      i8x16.swizzle(lowOfFirst(), v128.and(first, i8x16.splat(0x0f))),
    ),
    i8x16.swizzle(highOfSecond(), i8x16.shr_u(input, 4)),
  );
  const continues = v128.or(i8x16.sub_sat_u(second, i8x16.splat(0x60)), i8x16.sub_sat_u(third, i8x16.splat(0x70)));
  return v128.xor(v128.and(continues, i8x16.splat(-128)), pairs);
}

/** Whether the bytes are UTF-8 without NUL. They must be followed by 64 ASCII bytes that are not NUL. */
export function isText(at: usize, size: u32): bool {
  let wrong = i8x16.splat(0);
  let before = i8x16.splat(0);
  for (const end = at + size; at < end; at += 64) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const least = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
    wrong = v128.or(wrong, i8x16.eq(least, i8x16.splat(0)));
    if (v128.any_true(v128.and(v128.or(v128.or(a, b), v128.or(c, d)), i8x16.splat(-128)))) {
      const both = v128.or(faults(before, a), faults(a, b));
      wrong = v128.or(wrong, v128.or(both, v128.or(faults(b, c), faults(c, d))));
    } else {
      wrong = v128.or(wrong, faults(before, a));
    }
    before = d;
  }
  // The following bytes are ASCII and not read, because only 64 bytes after the text are guaranteed.
  return !v128.any_true(v128.or(wrong, faults(before, i8x16.splat(0x0a))));
}

// @ts-ignore
@inline
function isBlank(byte: u8): bool {
  return byte == 0x20 || byte - 9 < 5;
}

/** Whether a character of three bytes is white space. */
function isWideBlank(at: usize): bool {
  const point = (u32(load<u8>(at)) << 16) | (u32(load<u8>(at, 1)) << 8) | u32(load<u8>(at, 2));
  if (point >= 0xe28080 && point <= 0xe2808a) return true;
  if (point == 0xe19a80 || point == 0xe280a8 || point == 0xe280a9 || point == 0xe280af) return true;
  return point == 0xe2819f || point == 0xe38080 || point == 0xefbbbf;
}

/** The first byte that is not white space (as `String.prototype.trim` defines it), or `end`. */
export function trimStart(at: usize, end: usize): usize {
  while (at < end) {
    const byte = load<u8>(at);
    if (isBlank(byte)) at++;
    else if (byte == 0xc2 && load<u8>(at, 1) == 0xa0) at += 2;
    else if (byte >= 0xe1 && isWideBlank(at)) at += 3;
    else break;
  }
  return at;
}

/** The end of the bytes without trailing white space, or `at`. */
export function trimEnd(at: usize, end: usize): usize {
  while (at < end) {
    const byte = load<u8>(end - 1);
    if (isBlank(byte)) end--;
    else if (byte == 0xa0 && end - at >= 2 && load<u8>(end - 2) == 0xc2) end -= 2;
    else if (byte >= 0x80 && end - at >= 3 && isWideBlank(end - 3)) end -= 3;
    else break;
  }
  return end;
}
