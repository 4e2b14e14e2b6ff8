// Runs the console blocks of the tutorial, guides and concepts and writes their output: npm run sessions. Arguments select pages:
// npm run sessions -- spam
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { register } from 'tsx/esm/api';

register();
const { bundledCommand, replayPage, sessionPages, withSessionsOf } = await import('../test/replay-pages.ts');
const chosen = process.argv.slice(2);
const command = await bundledCommand();
for (const page of sessionPages()) {
  if (chosen.length > 0 && !chosen.some((word) => page.path.includes(word))) continue;
  const text = await replayPage(page, command);
  writeFileSync(new URL(`../${page.path}`, import.meta.url), text);
  const translation = page.path.replace('docs/', 'docs/zh/').replace('README.md', 'README.zh-CN.md');
  const chinese = new URL(`../${translation}`, import.meta.url);
  if (existsSync(chinese)) writeFileSync(chinese, withSessionsOf(readFileSync(chinese, 'utf8'), text));
  console.log(page.path);
}
