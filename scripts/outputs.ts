// Runs the programs of the pages and writes what they print below them: npm run outputs. Arguments select pages:
// npm run outputs -- guides/spam
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPages, root, withOutputs } from '../test/pages.ts';
import { fillProgramFolder } from '../test/program-folder.ts';
import { printedBy } from '../test/run-program.ts';

const chosen = process.argv.slice(2);
const cache = join(root, '.cache', 'outputs');
rmSync(cache, { recursive: true, force: true });
mkdirSync(cache, { recursive: true });
const folder = fillProgramFolder(join(cache, 'files'));

for (const { path, text, blocks } of allPages()) {
  if (/\/lessons\//.test(path) || (chosen.length > 0 && !chosen.some((word) => path.includes(word)))) continue;
  const printed: (string | undefined)[] = [];
  for (const [k, { code, excuse, runBy }] of blocks.filter(({ language }) => language === 'ts').entries()) {
    const file = join(cache, `${path.replaceAll(/\W/g, '-')}-${k}.ts`);
    writeFileSync(file, code);
    const own = excuse === undefined && runBy === undefined;
    printed.push(own ? await printedBy(file, folder).catch((error) => failed(path, k, error)) : undefined);
  }
  const written = withOutputs(text, (k) => printed[k]);
  if (written === text) continue;
  writeFileSync(join(root, path), written);
  console.info(path);
}
rmSync(cache, { recursive: true });

/** Reports a program that fails; its page keeps the output that it has. */
function failed(path: string, k: number, error: unknown): undefined {
  console.error(`${path}, program ${k + 1}: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
