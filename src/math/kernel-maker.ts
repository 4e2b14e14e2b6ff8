import { fromBase64 } from './base64.ts';

/**
 * Makes the function that gives compiled kernels with a memory of their own, or undefined where WebAssembly is missing, forbidden or out of
 * memory. They are compiled when first asked for.
 */
export function kernelMaker<Exports>(bytes: string): () => Exports | undefined {
  let compiled: WebAssembly.Module | null | undefined;
  return () => {
    if (compiled === null) return undefined;
    try {
      compiled ??= new WebAssembly.Module(fromBase64(bytes));
      return new WebAssembly.Instance(compiled).exports as Exports;
    } catch (cause) {
      if (!(cause instanceof RangeError)) compiled = null;
      return undefined;
    }
  };
}
