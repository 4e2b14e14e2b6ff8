/** Regions of memory are taken one after the other and never given back; what grows is copied to a place twice as large. */

let top: usize = 1024;

/** A new region, with 64 bytes behind it that can be read and written. */
export function take(size: usize): usize {
  const at = (top + 63) & ~63;
  top = at + size + 64;
  const wanted = i32((top + 0xffff) >>> 16) - memory.size();
  if (wanted > 0 && memory.grow(max(wanted, memory.size() >> 2)) < 0 && memory.grow(wanted) < 0) unreachable();
  return at;
}

/** A new region that begins with what an old one holds and is zero behind it. */
export function enlarge(from: usize, used: usize, size: usize): usize {
  const to = take(size);
  memory.copy(to, from, used);
  memory.fill(to + used, 0, size - used);
  return to;
}

// Blocks of 2^k bytes that are no longer used hang on each other, the first of each size from here on.
const FREE: usize = 64;

/** A block of 2^k bytes, perhaps one that was used before: it holds anything. */
export function takeBlock(k: u32): usize {
  const head = FREE + (usize(k) << 2);
  const at = usize(load<u32>(head));
  if (at == 0) return take(usize(1) << k);
  store<u32>(head, load<u32>(at));
  return at;
}

/** Gives back a block of 2^k bytes. */
export function giveBlock(at: usize, k: u32): void {
  const head = FREE + (usize(k) << 2);
  store<u32>(at, load<u32>(head));
  store<u32>(head, u32(at));
}

/** Whether as many bytes are the same in two places. */
export function equal(a: usize, b: usize, length: usize): bool {
  for (let k: usize = 0; k < length; k++) if (load<u8>(a + k) != load<u8>(b + k)) return false;
  return true;
}
