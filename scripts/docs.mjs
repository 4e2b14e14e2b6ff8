// The documentation as a site: installs its tools from docs/package-lock.json unless they are there, writes the API reference, and
// builds docs/.vitepress/dist (build) or serves it while you write (dev). What was built has to have no dead link.
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
writeFileSync('docs/api/index.md', doorsPage());
const task = process.argv[2] ?? 'build';
run('npx', ['vitepress', task], 'docs');
if (task === 'build') run('node', ['scripts/site-links.mjs']);

/** The first page of the reference: every door of the package, with the sentence that its source says about it. */
function doorsPage() {
  const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const doors = Object.keys(exports).filter((door) => !door.endsWith('.json'));
  const rows = doors.map((door) => {
    const own = door.replace('.', name);
    const page = readFileSync(`docs/api/${own}/index.md`, 'utf8');
    const [, sentence = ''] = /^# [^\n]+\n\n(?:The door `[^`]+`: )?([^#]+?)\n\n/m.exec(page) ?? [];
    return `| [\`${own}\`](${own}/index.md) | ${sentence.replaceAll('\n', ' ')} |`;
  });
  const title = '# API reference\n\nWhat each door of the package exports, written from the source.\n\n';
  return `${title}| import from | what is there |\n|---|---|\n${rows.join('\n')}\n`;
}
