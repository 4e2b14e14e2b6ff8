import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';
import { toLetters } from '../src/math/kernel-maker.ts';

/** The entries of kernels/: each is compiled separately, so that counting words does not include matrices. */
export const entries = {
  index: { file: '../src/text/kernel-bytes.ts', name: 'kernelBytes' },
  tables: { file: '../src/data/table-bytes.ts', name: 'tableBytes' },
  dense: { file: '../src/math/dense-bytes.ts', name: 'denseBytes' },
} as const;

/** Compiles an entry of kernels/ to WebAssembly and returns its bytes. */
export async function compileKernels(entry: keyof typeof entries = 'index'): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-kernels-'));
  try {
    const out = join(folder, 'kernels.wasm');
    const source = new URL(`../kernels/${entry}.ts`, import.meta.url).pathname;
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
      '--initialMemory',
      '2',
    ];
    const { error, stderr } = await asc.main([source, '-o', out, ...flags]);
    if (error) throw new Error(`${error.message}\n${stderr}`);
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The module with the bytes, so that bundlers and browsers need no separate file. It is not meant to be read, so it is
 * one line.
 */
export const kernelModule = (bytes: Buffer, entry: keyof typeof entries = 'index'): string =>
  [
    '/** The kernels of kernels/, compiled by `npm run kernels`; a test recompiles and compares them. */',
    `export const ${entries[entry].name}: string =`,
    `  '${toLetters(bytes)}';`,
    '',
  ].join('\n');

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const entry of Object.keys(entries) as (keyof typeof entries)[]) {
    const bytes = await compileKernels(entry);
    writeFileSync(new URL(entries[entry].file, import.meta.url), kernelModule(bytes, entry));
    console.info(`kernels/${entry}.ts: ${bytes.length} bytes`);
  }
}
