import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type MarkdownIt from 'markdown-it';

const docs = new URL('..', import.meta.url).pathname;
const root = join(docs, '..');
const linked = new Set<string>();

/**
 * Pages link to sources and to pages of the repository that lie outside of the site. The site brings them along as plain text, so
 * that it needs no network: a link to ../src/errors.ts leads to /source/src/errors.ts.txt, one to a folder to a list of its files.
 */
export function linkSources(markdown: MarkdownIt): void {
  markdown.core.ruler.push('sources', (state) => {
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'link_open') continue;
      const path = sourceOf(String(token.attrGet('href')), dirname(join(docs, state.env.relativePath ?? '')));
      if (path !== undefined) {
        linked.add(path);
        const folder = statSync(join(root, path)).isDirectory();
        token.attrSet('href', `/source/${path}${folder ? '/index.html' : '.txt'}`);
        token.attrSet('target', '_self'); // a file, and no page of the site
      }
    }
  });
}

/** The path in the repository of a link that leaves the site, or undefined. */
function sourceOf(href: string, from: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return undefined;
  const [file] = href.split('#');
  const path = relative(root, join(from, file));
  const inside = path.startsWith('docs/') && (path.endsWith('.md') || !existsSync(join(root, path)));
  return path.startsWith('..') || path === '' || inside ? undefined : existsSync(join(root, path)) ? path : undefined;
}

/** Copies what was linked into the finished site. */
export function copySources(site: string): void {
  for (const path of linked) copy(path, join(site, 'source'));
}

function copy(path: string, to: string): void {
  const from = join(root, path);
  mkdirSync(dirname(join(to, path)), { recursive: true });
  if (statSync(from).isDirectory()) copyFolder(path, to);
  else cpSync(from, join(to, `${path}.txt`));
}

function copyFolder(path: string, to: string): void {
  const from = join(root, path);
  mkdirSync(join(to, path), { recursive: true });
  const names = readdirSync(from, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  for (const { name } of names) copy(join(path, name), to);
  const list = names.map((entry) => {
    const href = entry.isDirectory() ? `${entry.name}/index.html` : `${entry.name}.txt`;
    return `<li><a href="${encodeURI(href)}">${entry.name}</a></li>`;
  });
  const title = `<title>${path}</title><h1>${path}</h1>`;
  writeFileSync(join(to, path, 'index.html'), `<!doctype html><meta charset="utf-8">${title}<ul>${list.join('')}</ul>`);
}
