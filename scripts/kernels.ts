import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';

/** Compiles kernels/ to WebAssembly and answers its bytes. */
export async function compileKernels(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-kernels-'));
  try {
    const out = join(folder, 'kernels.wasm');
    const source = new URL('../kernels/index.ts', import.meta.url).pathname;
    const flags = [
      '--runtime',
      'stub',
      '--enable',
      'simd',
      '--enable',
      'bulk-memory',
      '-O3',
      '--noAssert',
      '--use',
      'abort=',
    ];
    const { error, stderr } = await asc.main([source, '-o', out, ...flags]);
    if (error) throw new Error(`${error.message}\n${stderr}`);
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The module that carries them, so that no bundler and no browser needs a file beside the script. */
export const kernelModule = (bytes: Buffer): string =>
  [
    '/** The kernels of kernels/, compiled by `npm run kernels`; a test compiles them again and compares. */',
    'export const kernelBytes: string =',
    ...(bytes.toString('base64').match(/.{1,112}/g) ?? []).map(
      (line, i, all) => `  '${line}'${i < all.length - 1 ? ' +' : ';'}`,
    ),
    '',
  ].join('\n');

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const bytes = await compileKernels();
  writeFileSync(new URL('../src/text/kernel-bytes.ts', import.meta.url), kernelModule(bytes));
  console.info(`kernels: ${bytes.length} bytes`);
}
