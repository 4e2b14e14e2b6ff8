/**
 * Memory in regions. Small ones have 2^k bytes, and a freed one is reused for the next of its size. Large ones have the
 * requested size; adjacent free ones are merged, so that arrays that grow by copying leave no gaps. Every region is
 * followed by 64 bytes that may be read and overwritten.
 */

let top: usize = 1024;

const SMALLEST: u32 = 6;
const LARGEST_SMALL: usize = 1 << 16;

// Free small regions of 2^k bytes form a list; its head is here.
const FREE: usize = 64;

// Free large regions form a list by address: the next one and the length, u32 each. Its head is here.
const FREE_LARGE: usize = 192;

/** Takes fresh memory. */
function takeFresh(at: usize, length: usize): usize {
  top = at + length;
  const wanted = i32((top + 0xffff) >>> 16) - memory.size();
  if (wanted > 0 && memory.grow(max(wanted, memory.size() >> 2)) < 0 && memory.grow(wanted) < 0) unreachable();
  return at;
}

/** The least k for which 2^k bytes hold `size` bytes. */
function sizeClass(size: usize): u32 {
  return size <= usize(1) << SMALLEST ? SMALLEST : 32 - clz<u32>(u32(size - 1));
}

/** The size of a large region in bytes. */
function lengthOf(size: usize): usize {
  return (size + 127) & ~63;
}

/** An uninitialized region of `size` bytes. */
export function take(size: usize): usize {
  if (size > LARGEST_SMALL) return takeLarge(lengthOf(size));
  const k = sizeClass(size);
  const head = FREE + (usize(k) << 2);
  const free = usize(load<u32>(head));
  if (free == 0) return takeFresh((top + 63) & ~63, (usize(1) << k) + 64);
  store<u32>(head, load<u32>(free));
  return free;
}

function takeLarge(length: usize): usize {
  let before = FREE_LARGE;
  for (let free = usize(load<u32>(before)); free != 0; free = usize(load<u32>(before))) {
    const found = usize(load<u32>(free, 4));
    const isLast = free + found == top;
    if (found < length && !isLast) {
      before = free;
      continue;
    }
    let rest = usize(load<u32>(free)); // the rest of the list
    if (found > length) {
      const left = free + length;
      store<u32>(left, u32(rest));
      store<u32>(left, u32(found - length), 4);
      rest = left;
    }
    store<u32>(before, u32(rest));
    return found < length ? takeFresh(free, length) : free;
  }
  return takeFresh((top + 63) & ~63, length);
}

/** Frees a region of `size` bytes. */
export function give(at: usize, size: usize): void {
  if (at == 0) return;
  if (size > LARGEST_SMALL) return giveLarge(at, lengthOf(size));
  const head = FREE + (usize(sizeClass(size)) << 2);
  store<u32>(at, load<u32>(head));
  store<u32>(head, u32(at));
}

function giveLarge(at: usize, length: usize): void {
  let before = FREE_LARGE;
  let next = usize(load<u32>(before));
  while (next != 0 && next < at) {
    before = next;
    next = usize(load<u32>(before));
  }
  if (at + length == next) {
    length += usize(load<u32>(next, 4));
    next = usize(load<u32>(next));
  }
  if (before != FREE_LARGE && before + usize(load<u32>(before, 4)) == at) {
    length += usize(load<u32>(before, 4));
    at = before;
  } else {
    store<u32>(before, u32(at));
  }
  store<u32>(at, u32(next));
  store<u32>(at, u32(length), 4);
}

/** The new capacity of an array that needs more than it has: half as much again. */
export function roomFor(wanted: u32, room: u32): u32 {
  return max(max(wanted, room + (room >> 1)), u32(1024));
}

/** A region of `size` bytes, all zero. */
export function takeZeros(size: usize): usize {
  const at = take(size);
  memory.fill(at, 0, size);
  return at;
}

/** Moves a region of `before` bytes to one of `size` bytes; new bytes are zero. */
export function resize(at: usize, before: usize, size: usize): usize {
  const to = take(size);
  memory.copy(to, at, before);
  memory.fill(to + before, 0, size - before);
  give(at, before);
  return to;
}

/** Whether two addresses have the same bytes. */
export function equal(a: usize, b: usize, length: usize): bool {
  for (let k: usize = 0; k < length; k++) if (load<u8>(a + k) != load<u8>(b + k)) return false;
  return true;
}
