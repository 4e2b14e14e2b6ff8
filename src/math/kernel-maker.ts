/**
 * The letters of compiled kernels: printable ASCII without quotes, backslash and dollar. The first 88 stand for the bytes below 88; each
 * of the last two adds 88 or 176 to the letter after it. Bytes stay aligned to letters, which base64 does not do, so the kernels of text
 * take 8.7 kB instead of 11.3 kB when a bundle is compressed.
 */
const kernelLetters = Array.from({ length: 95 }, (_, k) => String.fromCharCode(32 + k))
  .filter((letter) => !'"\'\\`$'.includes(letter))
  .join('');

const ONE_LETTER = 88;

/** The bytes that letters stand for: in one loop, which is run once and never compiled. */
function fromLetters(written: string): Uint8Array<ArrayBuffer> {
  const values = new Uint8Array(128);
  for (let k = 0; k < kernelLetters.length; k++) values[kernelLetters.charCodeAt(k)] = k;
  const bytes = new Uint8Array(written.length);
  let [length, more] = [0, 0];
  for (let k = 0; k < written.length; k++) {
    const value = values[written.charCodeAt(k)];
    if (value < ONE_LETTER) {
      bytes[length++] = value + more;
      more = 0;
    } else more = ONE_LETTER * (value - ONE_LETTER + 1);
  }
  return bytes.slice(0, length);
}

/** The inverse of `fromLetters`, for the script that compiles the kernels. */
export function toLetters(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => {
    const step = Math.floor(byte / ONE_LETTER);
    return (step > 0 ? kernelLetters[ONE_LETTER + step - 1] : '') + kernelLetters[byte % ONE_LETTER];
  });
  return letters.join('');
}

/**
 * Makes the function that gives compiled kernels with a memory of their own, or undefined where WebAssembly is missing, forbidden or out of
 * memory. They are compiled when first asked for.
 */
export function kernelMaker<Exports>(letters: string): () => Exports | undefined {
  let compiled: WebAssembly.Module | null | undefined;
  return () => {
    if (compiled === null) return undefined;
    try {
      compiled ??= new WebAssembly.Module(fromLetters(letters));
      return new WebAssembly.Instance(compiled).exports as Exports;
    } catch (cause) {
      if (!(cause instanceof RangeError)) compiled = null;
      return undefined;
    }
  };
}
