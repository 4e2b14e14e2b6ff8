import { decodeUtf8 } from '../data/utf8.ts';
import { fromBase64 } from '../math/base64.ts';
import { kernelBytes } from './kernel-bytes.ts';
import type { KernelExports } from './kernel-exports.ts';
import { giveMemory, takeMemory } from './kernel-memory.ts';
import { mayBeginPacked } from './segment.ts';
import type { SortedTerms } from './sorted-terms.ts';
import type { KernelOptions, TokenKernel } from './tokens.ts';

let compiled: WebAssembly.Module | null | undefined;

/** The compiled kernels, or null where WebAssembly or its vectors are missing or forbidden. */
function kernelCode(): WebAssembly.Module | null {
  if (compiled !== undefined) return compiled;
  try {
    compiled = new WebAssembly.Module(fromBase64(kernelBytes));
  } catch {
    compiled = null;
  }
  return compiled;
}

/** Whether the kernels run here. */
export const hasKernels = (): boolean => kernelCode() !== null;

/** A memory of its own with the kernels in it, and with room for so many bytes. */
export function newKernels(room = 0): KernelExports {
  const env = { memory: takeMemory(room) };
  return new WebAssembly.Instance(kernelCode()!, { env }).exports as unknown as KernelExports;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** The kernel in WebAssembly: the same words and numbers as `ByteKernel`, sixty-four bytes at a time. */
export class WasmKernel implements TokenKernel {
  readonly kernels: KernelExports;
  readonly lexicon: number;
  private readonly options: KernelOptions;
  private bytes: Uint8Array;
  private input: Region = { at: 0, size: 0 };
  private wordRegion: Region = { at: 0, size: 0 };

  /** With room for so many bytes from the beginning. */
  constructor(options: KernelOptions, room = 0) {
    this.options = options;
    this.kernels = newKernels(room);
    this.lexicon = this.kernels.createLexicon();
    this.bytes = new Uint8Array(this.kernels.memory.buffer);
    this.kernels.lowercase(options.lowercase);
  }

  /** Gives its memory to whoever needs one next: nothing may be asked of it any more. */
  release(): void {
    giveMemory(this.kernels.memory);
  }

  get size(): number {
    return this.kernels.size(this.lexicon);
  }

  scan(bytes: Uint8Array, length: number, add: boolean, damaged: (from: number, to: number) => never): Int32Array {
    const { kernels } = this;
    this.input = roomier(kernels, this.input, length);
    kernels.begin(length);
    this.memory().set(length < bytes.length ? bytes.subarray(0, length) : bytes, this.input.at);
    this.read(this.input.at, length, add, damaged);
    return new Int32Array(kernels.memory.buffer, kernels.found(), kernels.foundCount());
  }

  /** Reads the words of a text, of which unknown ones may get a number, and answers how many bytes it has. */
  scanText(text: string, add = false): number {
    const { kernels } = this;
    this.input = roomier(kernels, this.input, text.length * 3);
    const { at, size } = this.input;
    const { written } = encoder.encodeInto(text, this.memory().subarray(at, at + size));
    kernels.begin(written);
    this.read(at, written, add, neverDamaged);
    return written;
  }

  idOf(word: string, add: boolean): number {
    return this.idIn(this.lexicon, word, add);
  }

  /** The number of a string in any lexicon of the memory. */
  idIn(lexicon: number, word: string, add: boolean): number {
    this.wordRegion = roomier(this.kernels, this.wordRegion, word.length * 3);
    const { at, size } = this.wordRegion;
    const { written } = encoder.encodeInto(word, this.memory().subarray(at, at + size));
    return this.kernels.intern(lexicon, at, written, add);
  }

  idsOf(words: Pick<SortedTerms, 'bytes' | 'ends'>): Uint32Array {
    return this.numbersAt(this.placeIds(words), words.ends.length).slice();
  }

  /** The same, as a place in the memory. */
  placeIds({ bytes, ends }: Pick<SortedTerms, 'bytes' | 'ends'>): number {
    const [from, at] = [this.place(bytes), this.place(ends)];
    this.kernels.internAll(this.lexicon, from, at, ends.length);
    return at;
  }

  /** Notes a text for the row in hand, as it is written in JSON. */
  noteText(bytes: Uint8Array): void {
    this.wordRegion = roomier(this.kernels, this.wordRegion, bytes.length);
    this.memory().set(bytes, this.wordRegion.at);
    this.kernels.noteText(this.wordRegion.at, bytes.length);
  }

  word(id: number): string {
    const start = this.kernels.wordStart(this.lexicon, id);
    return decoder.decode(this.memory().subarray(start, start + this.kernels.wordLength(this.lexicon, id)));
  }

  /** Reads the words of a document that lies at a place of the memory, after `begin`. */
  read(at: number, length: number, add: boolean, damaged: (from: number, to: number) => never): void {
    const { kernels, lexicon } = this;
    for (let place = 0; (place = kernels.scan(lexicon, at, place, length, add)) < length; ) {
      place = this.readForeign(at, place, length, add, damaged);
    }
  }

  /**
   * Reads the piece around a byte that is not ASCII, from space to space, because what is a small letter may depend on its
   * neighbours; answers where it ends. Where whole documents are wanted, that is for the sake of scripts without spaces.
   */
  readForeign(
    at: number,
    place: number,
    length: number,
    add: boolean,
    damaged: (from: number, to: number) => never,
  ): number {
    const { kernels } = this;
    const [start, end] = this.piece(at, place, length);
    const whole =
      this.options.wholeDocuments &&
      this.memory()
        .subarray(at + start, at + end)
        .some(mayBeginPacked);
    const [from, to] = whole ? [0, length] : [start, end];
    const words = this.options.foreign(decodeUtf8(this.memory().slice(at + from, at + to)) ?? damaged(from, to));
    kernels.rewind(from);
    for (const word of words) kernels.push(this.idOf(word, add), from);
    return to;
  }

  private piece(at: number, place: number, length: number): [from: number, to: number] {
    const memory = this.memory();
    let [from, to] = [place, place];
    while (from > 0 && memory[at + from - 1] > 0x20) from--;
    while (to < length && memory[at + to] > 0x20) to++;
    return [from, to];
  }

  /** The words with some numbers, which lie in the memory, one after another. */
  written(ids: number, count: number): { bytes: Uint8Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> } {
    const at = this.kernels.writeWords(this.lexicon, ids, count);
    const ends = this.numbersAt(at, count).slice();
    const start = at + count * 4;
    return { bytes: this.memory().slice(start, start + (count > 0 ? ends[count - 1] : 0)), ends };
  }

  /** Puts bytes or numbers into the memory, for good. */
  place(data: Uint8Array | Uint32Array): number {
    const at = this.kernels.take(data.byteLength);
    this.memory().set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    return at;
  }

  /** A place for so many numbers, all zero. */
  zeros(count: number): number {
    const at = this.kernels.take(count * 4);
    this.numbersAt(at, count).fill(0);
    return at;
  }

  /** The numbers that stand at a place of the memory, until it grows. */
  numbersAt(at: number, count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.kernels.memory.buffer, at, count);
  }

  /** The memory as it is now: growing takes the old view away. */
  memory(): Uint8Array {
    const { buffer } = this.kernels.memory;
    if (this.bytes.buffer !== buffer) this.bytes = new Uint8Array(buffer);
    return this.bytes;
  }
}

/** A kernel in WebAssembly, or nothing where there is none or no memory for another one. */
export function wasmKernelOf(options: KernelOptions): WasmKernel | undefined {
  try {
    return hasKernels() ? new WasmKernel(options) : undefined;
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** What was encoded here is UTF-8. */
const neverDamaged = (): never => {
  throw new RangeError('a text of bytes that are not UTF-8');
};

/** A part of the memory. */
export interface Region {
  readonly at: number;
  readonly size: number;
}

/** The region, or one with at least the wanted size. */
export function roomier(kernels: KernelExports, region: Region, wanted: number): Region {
  if (wanted <= region.size) return region;
  const size = Math.max(wanted, region.size * 2, 1024);
  return { at: kernels.take(size), size };
}
