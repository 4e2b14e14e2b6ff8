// Follows every link of the built site: pages, files and anchors must exist. node scripts/site-links.mjs [--outside]
// With --outside it also requests every external address, and lists those that fail.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const pagesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pagesIn(path);
    return entry.name.endsWith('.html') ? [path] : [];
  });

const plain = (text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
const valuesOf = (html, pattern) => [...html.matchAll(pattern)].map(([, value]) => plain(value));

/** The dead links of a site, and the external addresses with the first page that has them. */
export function linksOf(site) {
  const anchors = new Map();
  const read = (path) => {
    if (!anchors.has(path)) anchors.set(path, new Set(valuesOf(readFileSync(path, 'utf8'), /\sid="([^"]*)"/g)));
    return anchors.get(path);
  };
  const [dead, outside] = [[], new Map()];
  for (const page of pagesIn(site)) {
    const html = readFileSync(page, 'utf8').replaceAll(/<script\b.*?<\/script>/gs, '');
    for (const link of new Set(valuesOf(html, /\s(?:href|src)="([^"]*)"/g))) {
      if (/^(data|mailto|javascript):/.test(link)) continue;
      if (/^[a-z]+:/.test(link)) {
        if (!outside.has(link)) outside.set(link, relative(site, page));
        continue;
      }
      const [address, anchor = ''] = link.split('#');
      const path = decodeURIComponent(address.split('?')[0]);
      const place = path === '' ? page : path.startsWith('/') ? join(site, path) : join(dirname(page), path);
      const target = path.endsWith('/') ? join(place, 'index.html') : place;
      const there = existsSync(target) && statSync(target).isFile();
      const reached =
        anchor === '' || !target.endsWith('.html') || (there && read(target).has(decodeURIComponent(anchor)));
      if (!there || !reached) dead.push(`${relative(site, page)} → ${link}`);
    }
  }
  return { dead, outside };
}

async function answerOf(address) {
  try {
    const { status } = await fetch(address, { redirect: 'follow', signal: AbortSignal.timeout(20_000) });
    return status;
  } catch (error) {
    return error.cause?.code ?? error.name;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const site = fileURLToPath(new URL('../docs/.vitepress/dist', import.meta.url));
  const { dead, outside } = linksOf(site);
  for (const link of dead) console.error(`leads nowhere: ${link}`);
  console.log(`${pagesIn(site).length} pages, ${dead.length} dead links, ${outside.size} addresses outside`);
  if (process.argv.includes('--outside')) {
    for (const [address, page] of outside) console.log(`${await answerOf(address)}  ${address}  (${page})`);
  }
  if (dead.length > 0) process.exitCode = 1;
}
