/**
 * Memory in blocks of 2^k bytes. A block that is given back is reused for the next one of its size. Every block is followed by 64 bytes
 * that may be read and overwritten.
 */

let top: usize = 1024;

const SMALLEST: u32 = 6;

// Free blocks of 2^k bytes form a list; its head is here.
const FREE: usize = 64;

/** A block of 2^k bytes with any content. */
export function takeBlock(k: u32): usize {
  const head = FREE + (usize(k) << 2);
  const free = usize(load<u32>(head));
  if (free != 0) {
    store<u32>(head, load<u32>(free));
    return free;
  }
  const at = (top + 63) & ~63;
  top = at + (usize(1) << k) + 64;
  const wanted = i32((top + 0xffff) >>> 16) - memory.size();
  if (wanted > 0 && memory.grow(max(wanted, memory.size() >> 2)) < 0 && memory.grow(wanted) < 0) unreachable();
  return at;
}

/** Gives back a block of 2^k bytes. */
export function giveBlock(at: usize, k: u32): void {
  const head = FREE + (usize(k) << 2);
  store<u32>(at, load<u32>(head));
  store<u32>(head, u32(at));
}

/** The least k for which 2^k bytes hold `size` bytes. */
export function sizeClass(size: usize): u32 {
  return size <= usize(1) << SMALLEST ? SMALLEST : 32 - clz<u32>(u32(size - 1));
}

/** A region of `size` bytes with any content. */
export function take(size: usize): usize {
  return takeBlock(sizeClass(size));
}

/** Gives back a region of `size` bytes. */
export function give(at: usize, size: usize): void {
  if (at != 0) giveBlock(at, sizeClass(size));
}

/** A region of `size` bytes, all zero. */
export function takeZeros(size: usize): usize {
  const at = take(size);
  memory.fill(at, 0, size);
  return at;
}

/** Moves a region of `before` bytes to one of `size` bytes; what is new is zero. */
export function resize(at: usize, before: usize, size: usize): usize {
  const to = take(size);
  memory.copy(to, at, before);
  memory.fill(to + before, 0, size - before);
  give(at, before);
  return to;
}

/** Whether two places hold the same bytes. */
export function equal(a: usize, b: usize, length: usize): bool {
  for (let k: usize = 0; k < length; k++) if (load<u8>(a + k) != load<u8>(b + k)) return false;
  return true;
}
