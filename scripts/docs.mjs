// Builds the documentation site: installs its tools from docs/package-lock.json if they are missing, writes the API
// reference, and builds docs/.vitepress/dist (build) or serves it during development (dev). The built site must have no
// dead links.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const run = (command, args, cwd = '.') => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
};

const mark = 'docs/node_modules/.polya-lock';
const lock = createHash('sha256').update(readFileSync('docs/package-lock.json')).digest('hex');
if (!existsSync(mark) || readFileSync(mark, 'utf8') !== lock) {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], 'docs');
  writeFileSync(mark, lock);
}
if (!existsSync('dist/studio')) {
  for (const part of ['lib', 'studio']) run('npm', ['run', '--silent', `build:${part}`]); // a part of the site
}
run('npx', ['typedoc']);
for (const file of readdirSync('docs/api', { recursive: true }).filter((name) => name.endsWith('.md'))) {
  // typedoc numbers headings of one name in another way than the site: its links lead to the first of them
  const page = readFileSync(`docs/api/${file}`, 'utf8').replaceAll(/(\]\([\w./-]*#[a-z]+)-\d+\)/g, '$1)');
  writeFileSync(`docs/api/${file}`, page);
}
writeFileSync('docs/api/index.md', entriesPage());
const task = process.argv[2] ?? 'build';
run('npx', ['vitepress', task], 'docs');
if (task === 'build') run('node', ['scripts/site-links.mjs']);

/** The first page of the reference: every entry point of the package, with the sentence that its source says about it. */
function entriesPage() {
  const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
  const rows = entries.map((entry) => {
    const own = entry.replace('.', name);
    const page = readFileSync(`docs/api/${own}.md`, 'utf8');
    const [, sentence = ''] = /^# [^\n]+\n\n(?:The entry point `[^`]+`: )?([^#]+?)\n\n/m.exec(page) ?? [];
    return `| [\`${own}\`](${own}.md) | ${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replaceAll('\n', ' ')} |`;
  });
  const title = '# API reference\n\nWhat each entry point of the package exports, written from the source.\n\n';
  return `${title}| import from | what it has |\n|---|---|\n${rows.join('\n')}\n`;
}
