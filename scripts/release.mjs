// Prepares a release: npm run release -- 0.2.0. It sets the version, dates the changes, tests everything, commits and tags.
// Pushing the tag publishes the package with provenance (.github/workflows/release.yml).
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [version = ''] = process.argv.slice(2);

function run(command, ...args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) stop(`${command} ${args.join(' ')} failed`);
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

function edit(file, change) {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (!after.includes(version)) stop(`${file} has no place for ${version}`);
  writeFileSync(file, after);
}

if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) stop('usage: npm run release -- 0.2.0');
if (spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).stdout !== '') stop('commit your changes first');
if (readFileSync('package.json', 'utf8').includes('github.com/OWNER/'))
  stop('set repository, homepage and bugs in package.json');

run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
edit('src/core/version.ts', (text) => text.replace(/'.+'/, `'${version}'`));
edit('CITATION.cff', (text) => text.replace(/^version: .*$/m, `version: ${version}`));
edit('CHANGELOG.md', (text) =>
  text.replace(/^## Unreleased$/m, `## ${version} (${new Date().toISOString().slice(0, 10)})`),
);
run('npm', 'test');
run('git', 'commit', '--all', '--message', `release: ${version}`);
run('git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
console.log(`Push it to publish: git push --follow-tags`);
