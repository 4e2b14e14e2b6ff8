/** Sixty-four bytes at a time: which of them are letters of a word, which are one certain byte, which are out of the ordinary. */

let caseBit: i8 = 0x20;

/** Whether words are folded to small letters. */
export function lowercase(yes: bool): void {
  caseBit = yes ? 0x20 : 0;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function within(v: v128, first: i8, many: i8): v128 {
  return i8x16.lt_u(i8x16.sub(v, i8x16.splat(first)), i8x16.splat(many));
}

// @ts-ignore
@inline
function isLetter(v: v128): i32 {
  const letters = within(v128.or(v, i8x16.splat(0x20)), 0x61, 26);
  return i8x16.bitmask(v128.or(v128.or(letters, within(v, 0x30, 10)), i8x16.eq(v, i8x16.splat(0x5f))));
}

// @ts-ignore
@inline
function fold(v: v128): v128 {
  return v128.or(v, v128.and(within(v, 0x41, 26), i8x16.splat(caseBit)));
}

// @ts-ignore
@inline
function isByte(v: v128, byte: i8): i32 {
  return i8x16.bitmask(i8x16.eq(v, i8x16.splat(byte)));
}

// @ts-ignore
@inline
function isStrange(v: v128): i32 {
  return i8x16.bitmask(v128.or(v, i8x16.lt_u(v, i8x16.splat(0x20))));
}

// @ts-ignore
@inline
function join(a: i32, b: i32, c: i32, d: i32): u64 {
  return u64(u32(a)) | (u64(u32(b)) << 16) | (u64(u32(c)) << 32) | (u64(u32(d)) << 48);
}

/** Folds the block at `p` to `q`; a bit is set for each ASCII letter, digit or underscore. */
// @ts-ignore
@inline
export function letters(p: usize, q: usize): u64 {
  const a = v128.load(p);
  const b = v128.load(p, 16);
  const c = v128.load(p, 32);
  const d = v128.load(p, 48);
  v128.store(q, fold(a));
  v128.store(q, fold(b), 16);
  v128.store(q, fold(c), 32);
  v128.store(q, fold(d), 48);
  return join(isLetter(a), isLetter(b), isLetter(c), isLetter(d));
}

/** A bit for each byte that is not ASCII. */
// @ts-ignore
@inline
export function foreign(p: usize): u64 {
  return join(
    i8x16.bitmask(v128.load(p)),
    i8x16.bitmask(v128.load(p, 16)),
    i8x16.bitmask(v128.load(p, 32)),
    i8x16.bitmask(v128.load(p, 48)),
  );
}

/** A bit for each byte that is not ASCII, or is one that no text of JSON may hold. */
// @ts-ignore
@inline
export function strange(p: usize): u64 {
  return join(isStrange(v128.load(p)), isStrange(v128.load(p, 16)), isStrange(v128.load(p, 32)), isStrange(v128.load(p, 48)));
}

/** A bit for each byte that is this one. */
// @ts-ignore
@inline
export function bytesLike(p: usize, byte: i8): u64 {
  return join(isByte(v128.load(p), byte), isByte(v128.load(p, 16), byte), isByte(v128.load(p, 32), byte), isByte(v128.load(p, 48), byte));
}
