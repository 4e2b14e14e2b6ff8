// Runs the lessons and writes what they print into their pages: npm run lessons
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;

for (const name of readdirSync(`${root}examples/lessons`).map((file) => file.slice(0, -3))) {
  const pages = ['docs/lessons', 'docs/zh/lessons'].map((folder) => `${root}${folder}/${name}.md`);
  if (!readFileSync(pages[0], 'utf8').includes('```text\n')) continue;
  const printed = execFileSync(process.execPath, ['--import', 'tsx', `${root}examples/lessons/${name}.ts`], {
    encoding: 'utf8',
  });
  const tidy = printed.replaceAll(/ +$/gm, '');
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');
    writeFileSync(
      page,
      text.replace(/```text\n.*?```/s, () => `\`\`\`text\n${tidy}\`\`\``),
    );
  }
}
