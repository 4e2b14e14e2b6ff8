/**
 * Memories of the kernels. A page that is touched for the first time costs more than counting what it will hold, and every time a
 * memory grows the runtime looks for garbage: so a memory begins as large as it will be, and one that is no longer used goes to the
 * next one who asks, unless it was collected in the meantime.
 */

const PAGE = 2 ** 16;
/** What the kernels believe to be zero when they begin. */
const HEAD = 1024;

let spare: WeakRef<WebAssembly.Memory> | undefined;

/** A memory with room for so many bytes, which it holds from the beginning or comes to hold. */
export function takeMemory(room: number): WebAssembly.Memory {
  const pages = Math.max(1, Math.ceil(room / PAGE));
  const used = room > 0 ? spare?.deref() : undefined;
  if (!used) return new WebAssembly.Memory({ initial: pages });
  spare = undefined;
  const missing = pages - used.buffer.byteLength / PAGE;
  if (missing > 0) used.grow(missing);
  new Uint8Array(used.buffer, 0, HEAD).fill(0);
  return used;
}

/** Takes back a memory that nobody uses any more. */
export function giveMemory(memory: WebAssembly.Memory): void {
  spare = new WeakRef(memory);
}
