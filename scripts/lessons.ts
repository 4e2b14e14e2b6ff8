// Writes the programs of the lessons, their output and their figures into the pages, in both languages: npm run lessons
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { lessonFigures } from './figures/index.ts';

const root = new URL('..', import.meta.url).pathname;
const NEEDS_ARCHIVE = '11-newsgroups'; // its page shows the output for the real archive

const printedBy = (file: string): string =>
  execFileSync(process.execPath, ['--import', 'tsx', file], { encoding: 'utf8' }).replaceAll(/ +$/gm, '');

for (const name of readdirSync(`${root}examples/lessons`).map((file) => file.slice(0, -3))) {
  const file = `${root}examples/lessons/${name}.ts`;
  const program = readFileSync(file, 'utf8');
  const printed = name === NEEDS_ARCHIVE ? undefined : printedBy(file);
  for (const page of ['docs/lessons', 'docs/zh/lessons'].map((folder) => `${root}${folder}/${name}.md`)) {
    const text = readFileSync(page, 'utf8').replace(/```ts\n.*?```/s, () => `\`\`\`ts\n${program}\`\`\``);
    const shown = (old: string) => (printed === undefined ? old : `\`\`\`text\n${printed}\`\`\``);
    writeFileSync(page, text.replace(/```text\n.*?```/s, shown));
  }
}

for (const [name, content] of lessonFigures()) writeFileSync(`${root}docs/images/lessons/${name}`, content);
