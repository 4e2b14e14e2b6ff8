import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const STUB = `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<title>Pólya</title>
<meta http-equiv="refresh" content="0; url=/zh/">
<p>这一页只有英文。<a href="/zh/">回到中文首页</a>
</html>
`;

/**
 * The switch of languages leads from every page to its Chinese twin. Where there is none, a page is put in its place that goes on to the
 * first page in Chinese; the theme does the same without a detour.
 */
export function pointToChinese(site: string): void {
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' });
  for (const page of pages) {
    const other = /^(zh|source|assets)[\\/]/.test(page) || page === '404.html' || !page.endsWith('.html');
    const twin = join(site, 'zh', page);
    if (other || existsSync(twin)) continue;
    mkdirSync(dirname(twin), { recursive: true });
    writeFileSync(twin, STUB);
  }
}
