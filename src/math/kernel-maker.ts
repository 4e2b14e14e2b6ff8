/**
 * The alphabet of compiled kernels: printable ASCII without quotes, backslash and dollar. The first 88 letters encode
 * the bytes below 88; each of the last two adds 88 or 176 to the letter after it. Unlike base64, bytes stay aligned to
 * letters, so the text kernels take 8.7 kB instead of 11.3 kB when a bundle is compressed.
 */
const kernelLetters = Array.from({ length: 95 }, (_, k) => String.fromCharCode(32 + k))
  .filter((letter) => !'"\'\\`$'.includes(letter))
  .join('');

const ONE_LETTER = 88;

/** Decodes letters to bytes in one loop, which runs once and is never compiled. */
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
 * Creates the function that instantiates compiled kernels with their own memory; it returns undefined if WebAssembly is
 * missing, forbidden or out of memory. The kernels are compiled on first use.
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
