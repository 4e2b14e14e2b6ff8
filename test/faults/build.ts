import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** The writer as one file that Node runs as it is, in a place from which the packages of the project are found. */
export async function buildWriter(): Promise<string> {
  const folder = new URL('../../node_modules/.cache/polya/faults', import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `writer-${process.pid}.mjs`);
  const bundle = await rolldown({
    input: new URL('./writer.ts', import.meta.url).pathname,
    platform: 'node',
    external: [/^node:/],
    logLevel: 'silent',
  });
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  return file;
}
