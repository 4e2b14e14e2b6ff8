import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the repository is. */
export const root = new URL('..', import.meta.url).pathname;

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly code: string;
  /** Why it is not run: what stands in `<!-- not run: … -->` on the line before. */
  readonly excuse: string | undefined;
  /** The test that runs it, where that is not the one of its folder: `<!-- run by test/… -->` on the line before. */
  readonly runBy: string | undefined;
}

/** A page of the documentation. */
export interface Page {
  /** Its path in the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

const BLOCK = /(?:^<!-- (?:not run: (.+?)|run by (\S+)) -->\n)?^```(\w*)\n(.*?)^```$/gms;

/** The fenced blocks of a text. */
export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(BLOCK)].map(([, excuse, runBy, language, code]) => ({ language, code, excuse, runBy }));

/** What is made by programs, and what is not ours. */
const elsewhere = new Set(['node_modules', '.vitepress', 'api']);

function pathsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return elsewhere.has(entry.name) ? [] : pathsIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Every page: those at the top of the repository, and those in docs. */
export function allPages(): Page[] {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...top, ...pathsIn('docs')].sort().map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, blocks: blocksOf(text) };
  });
}

/** A text without its fenced blocks, code in a line, comments, targets of links and titles of books. */
export const proseOf = (text: string): string =>
  text
    .replaceAll(BLOCK, '')
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\*[^*]+\*/g, 'title');

/** The names that headings of a page can be linked by, as repositories and as the site make them. */
export function anchorsOf(text: string): Set<string> {
  const headings = [...text.replaceAll(BLOCK, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading);
  const plain = headings.map((heading) =>
    heading
      .replaceAll(/`|\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase(),
  );
  return new Set(
    plain.flatMap((heading) => [
      heading.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-'),
      heading.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, ''),
    ]),
  );
}
