/** Decodes base64 in one loop, which runs once and is never compiled. */
export function fromBase64(written: string): Uint8Array<ArrayBuffer> {
  const letters = atob(written);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = letters.charCodeAt(k);
  return bytes;
}
