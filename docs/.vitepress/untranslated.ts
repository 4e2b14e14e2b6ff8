import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The page that stands in for a Chinese one that has not been written. */
const stub = (page: string): string => `<!doctype html>
<html lang="zh-CN">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pólya</title>
<p>这一页只有英文版：<a href="/${page}">阅读英文版</a>，或<a href="/zh/">回到中文首页</a>。
</html>
`;

/**
 * The language switch leads from every page to its Chinese counterpart. Where there is none, this writes a page that says so;
 * within the site, the theme shows the same message.
 */
export function pointToChinese(site: string): void {
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' });
  for (const page of pages) {
    const other = /^(zh|source|assets|try)[\\/]/.test(page) || page === '404.html' || !page.endsWith('.html');
    const counterpart = join(site, 'zh', page);
    if (other || existsSync(counterpart)) continue;
    mkdirSync(dirname(counterpart), { recursive: true });
    writeFileSync(counterpart, stub(page.replaceAll('\\', '/')));
  }
}
