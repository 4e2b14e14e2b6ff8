// Builds the documentation site: installs its tools from docs/package-lock.json if they are missing, writes the API
// reference, and builds docs/.vitepress/dist (build) or serves it during development (dev). The built site must have no
// dead links.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

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
run('npx', ['typedoc']);
writeFileSync('docs/api/index.md', entryPointsPage());
const task = process.argv[2] ?? 'build';
run('npx', ['vitepress', task], 'docs');
if (task === 'build') run('node', ['scripts/site-links.mjs']);

/** The first page of the reference: every entry point of the package, with the first sentence of its source. */
function entryPointsPage() {
  const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entryPoints = Object.keys(exports).filter((entryPoint) => !entryPoint.endsWith('.json'));
  const rows = entryPoints.map((entryPoint) => {
    const own = entryPoint.replace('.', name);
    const page = readFileSync(`docs/api/${own}/index.md`, 'utf8');
    const [, sentence = ''] = /^# [^\n]+\n\n(?:The entry point `[^`]+`: )?([^#]+?)\n\n/m.exec(page) ?? [];
    return `| [\`${own}\`](${own}/index.md) | ${sentence.replaceAll('\n', ' ')} |`;
  });
  const title = '# API reference\n\nThe exports of each entry point, generated from the source.\n\n';
  return `${title}| import from | contents |\n|---|---|\n${rows.join('\n')}\n`;
}
