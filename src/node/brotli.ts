/**
 * Decompresses Brotli where there is no `node:zlib`, with the decoder that reads Parquet files, which is loaded on demand.
 * @param size How many bytes there are decompressed.
 */
export async function unpackBrotli(bytes: Uint8Array, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const { decompressBrotli } = await import('hyparquet-compressors');
  return decompressBrotli(bytes, size) as Uint8Array<ArrayBuffer>;
}
