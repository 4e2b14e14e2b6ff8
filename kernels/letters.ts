/** Classifies and folds sixty-four bytes at a time. */

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function within(v: v128, first: i8, many: i8): v128 {
  return i8x16.lt_u(i8x16.sub(v, i8x16.splat(first)), i8x16.splat(many));
}

// @ts-ignore
@inline
function isWord(v: v128): i32 {
  const letters = within(v128.or(v, i8x16.splat(0x20)), 0x61, 26);
  return i8x16.bitmask(v128.or(v128.or(letters, within(v, 0x30, 10)), i8x16.eq(v, i8x16.splat(0x5f))));
}

// @ts-ignore
@inline
function isSpace(v: v128): i32 {
  return i8x16.bitmask(v128.or(within(v, 0x09, 5), within(v, 0x1c, 5)));
}

// @ts-ignore
@inline
function fold(v: v128, caseBit: v128): v128 {
  return v128.or(v, v128.and(within(v, 0x41, 26), caseBit));
}

// @ts-ignore
@inline
function join(a: i32, b: i32, c: i32, d: i32): u64 {
  return u64(u32(a)) | (u64(u32(b)) << 16) | (u64(u32(c)) << 32) | (u64(u32(d)) << 48);
}

/** Copies the block at `p` to `q` with `caseBit` (0x20 or 0) set in capitals; returns a bit for each ASCII letter, digit or underscore. */
// @ts-ignore
@inline
export function foldBlock(p: usize, q: usize, caseBit: v128): u64 {
  const a = v128.load(p);
  const b = v128.load(p, 16);
  const c = v128.load(p, 32);
  const d = v128.load(p, 48);
  v128.store(q, fold(a, caseBit));
  v128.store(q, fold(b, caseBit), 16);
  v128.store(q, fold(c, caseBit), 32);
  v128.store(q, fold(d, caseBit), 48);
  return join(isWord(a), isWord(b), isWord(c), isWord(d));
}

/** A bit for each byte that is ASCII white space by Python's definition. */
// @ts-ignore
@inline
export function spaces(p: usize): u64 {
  return join(isSpace(v128.load(p)), isSpace(v128.load(p, 16)), isSpace(v128.load(p, 32)), isSpace(v128.load(p, 48)));
}

/** A bit for each byte beyond ASCII. */
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
