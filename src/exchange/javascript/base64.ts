/** Bytes as base64, in parts that fit on the stack. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  const part = 3 * 2 ** 12; // whole groups of three, so that only the last part is padded
  for (let from = 0; from < bytes.length; from += part) {
    text += btoa(String.fromCharCode.apply(null, bytes.subarray(from, from + part) as unknown as number[]));
  }
  return text;
}
