// Runs the programs of the pages and of examples/tasks and writes what they print below them: npm run outputs. Arguments select pages:
// npm run outputs -- guides/spam
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { allPages, root, withOutputs } from '../test/pages.ts';
import { fillProgramFolder } from '../test/program-folder.ts';
import { printedBy } from '../test/run-program.ts';
import { taskPrograms, withTaskOutput } from '../test/task-programs.ts';

const chosen = process.argv.slice(2);
const cache = join(root, '.cache', 'outputs');
rmSync(cache, { recursive: true, force: true });
mkdirSync(cache, { recursive: true });
const folder = fillProgramFolder(join(cache, 'files'));

const isChosen = (path: string) => chosen.length === 0 || chosen.some((word) => path.includes(word));

for (const { path, text, blocks } of allPages()) {
  if (/\/lessons\//.test(path) || !isChosen(path)) continue;
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
for (const { file, text } of taskPrograms().filter((own) => isChosen(relative(root, own.file)))) {
  const printed = await printedBy(file, folder).catch((error) => failed(relative(root, file), 0, error));
  if (printed !== undefined) writeFileSync(file, withTaskOutput(text, printed));
}
rmSync(cache, { recursive: true });

/** Reports a program that fails; its page keeps the output that it has. */
function failed(path: string, k: number, error: unknown): undefined {
  console.error(`${path}, program ${k + 1}: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
