import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '../../errors.ts';
import { JOURNAL_FILE } from './journal.ts';
import { type Meta, readMeta, type Tree } from './page-meta.ts';
import { isBranch, isLeaf, isOverflow, type Node, nodesOf, PAGE, type Page, readPage } from './page-nodes.ts';

const corrupt = (page: number, what: string): never =>
  refuse('E_STORE_CORRUPT', `the journal is damaged at byte ${page * PAGE}: ${what}; restore the store from a backup`, {
    offset: page * PAGE,
  });

/** No journal is longer. */
const MOST = 2 ** 46;

/**
 * Refuses a journal whose pages contradict each other, before LMDB maps the file: it believes what it reads, and a flipped bit in
 * a pointer would end the process, or show an older state without a word. Values have checksums of their own.
 */
export async function requireSoundPages(folder: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(join(folder, JOURNAL_FILE), 'r');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw cause;
  }
  try {
    const { size } = await handle.stat();
    if (size > 0) await new PageWalk(handle, size).check();
  } finally {
    await handle.close();
  }
}

/** A walk over all pages that the newest commit can reach. */
class PageWalk {
  private readonly handle: FileHandle;
  private readonly size: number;
  /** Pages that are in use or free; none is both. */
  private readonly seen = new Set<number>();
  private limit = 0;

  constructor(handle: FileHandle, size: number) {
    this.handle = handle;
    this.size = size;
  }

  async check(): Promise<void> {
    const metas = [await this.meta(0), await this.meta(1)];
    const [older, newer] = metas[0].txn < metas[1].txn ? metas : [metas[1], metas[0]];
    if (newer.txn - older.txn !== 1) corrupt(0, 'the numbers of the last two commits do not follow each other');
    if (older.outline !== newer.outline) corrupt(0, 'its two heads are of different kinds');
    if (metas.some(({ mapSize }) => mapSize % PAGE !== 0 || mapSize < PAGE || mapSize > MOST))
      corrupt(0, 'its size is wrong');
    for (const { txn, main } of metas) await this.checkRoot(main, txn);
    this.limit = newer.lastPage;
    this.seen.add(0).add(1);
    await this.checkTree(newer.main, newer);
    const free = await this.checkTree(newer.free, newer, true);
    for (const page of free) this.visit(page, 'a page that is free is in use');
    for (let page = Math.floor(this.size / PAGE); page <= newer.lastPage; page++) {
      if (!this.seen.has(page)) corrupt(page, 'a page behind the end is not free'); // what was never written may be absent
    }
  }

  private async meta(page: number): Promise<Meta> {
    return readMeta(await this.read(page), page) ?? corrupt(page, 'its head is not that of a journal');
  }

  /** The root of the values is written by every commit, and carries its number. */
  private async checkRoot({ root }: Tree, txn: number): Promise<void> {
    if (root === undefined) return;
    if ((await this.page(root)).txn !== txn) corrupt(root, 'a commit does not fit its root');
  }

  /** Walks a tree and compares it with what its head says; answers the pages that its values list, where it is the list of free ones. */
  private async checkTree(tree: Tree, { txn }: Meta, listsPages = false): Promise<number[]> {
    const found = { branches: 0, leaves: 0, overflows: 0, entries: 0 };
    const listed: number[] = [];
    let last: Buffer | undefined;
    const walk = async (number: number, depth: number): Promise<void> => {
      const page = await this.page(number);
      this.visit(number, 'a page is in use twice');
      if (page.txn > txn) corrupt(number, 'a page is newer than the last commit');
      const leaf = depth === tree.depth;
      if (leaf ? !isLeaf(page) : !isBranch(page)) corrupt(number, 'a page is of the wrong kind');
      const nodes = nodesOf(page) ?? corrupt(number, 'its entries are not inside it');
      found[leaf ? 'leaves' : 'branches']++;
      for (const [k, node] of nodes.entries()) {
        if (!leaf) {
          if (k > 0) last = this.following(last, node.key, number, true);
          await walk(node.child, depth + 1);
        } else {
          last = this.following(last, node.key, number, false);
          found.entries++;
          const value = await this.value(node, number, found);
          if (listsPages)
            listed.push(...(pagesIn(value, this.limit) ?? corrupt(number, 'its list of free pages is wrong')));
        }
      }
    };
    if (tree.root !== undefined) await walk(tree.root, 1);
    for (const key of Object.keys(found) as (keyof typeof found)[]) {
      if (found[key] !== tree[key]) corrupt(0, `there are ${found[key]} ${key}, and the head says ${tree[key]}`);
    }
    return listed;
  }

  /** Keys rise from entry to entry; the first key below a branch may be the one that leads there. */
  private following(last: Buffer | undefined, key: Buffer, page: number, mayEqual: boolean): Buffer {
    const order = last ? compareKeys(last, key) : -1;
    if (order > 0 || (order === 0 && !mayEqual && !this.ledByBranch)) corrupt(page, 'its keys are not in order');
    this.ledByBranch = mayEqual;
    return key;
  }

  private ledByBranch = false;

  /** The value of an entry, which may have pages of its own. */
  private async value(node: Node, page: number, found: { overflows: number }): Promise<Buffer> {
    if (!node.isBig) return node.value;
    const first = await this.page(node.bigPage);
    const count = Math.ceil((node.size + 24) / PAGE);
    if (!isOverflow(first) || first.pages !== count) corrupt(node.bigPage, 'a long value has a wrong length');
    for (let k = 0; k < count; k++) this.visit(node.bigPage + k, 'a page is in use twice');
    found.overflows += count;
    const bytes = Buffer.alloc(node.size);
    const { bytesRead } = await this.handle.read(bytes, 0, node.size, node.bigPage * PAGE + 24);
    return bytesRead === node.size ? bytes : corrupt(page, 'a long value is cut off');
  }

  private visit(page: number, what: string): void {
    if (page < 2 || page > this.limit || this.seen.has(page)) corrupt(page, what);
    this.seen.add(page);
  }

  private async page(number: number): Promise<Page> {
    const page = readPage(await this.read(number));
    return page.number === number ? page : corrupt(number, 'a page says that it is another one');
  }

  private async read(page: number): Promise<Buffer> {
    if (!(page >= 0 && (page + 1) * PAGE <= this.size)) corrupt(Math.floor(this.size / PAGE), 'the file is too short');
    const bytes = Buffer.alloc(PAGE);
    await this.handle.read(bytes, 0, PAGE, page * PAGE);
    return bytes;
  }
}

/**
 * A list of free pages: how many entries, and the entries. One is the number of a page, or 0, or how many pages begin at the next
 * one, as a negative number.
 */
function pagesIn(value: Buffer, limit: number): number[] | undefined {
  const count = value.length < 8 ? 0 : Number(value.readBigUInt64LE(0));
  if (count * 8 + 8 > value.length) return undefined;
  const pages: number[] = [];
  let run = 1;
  for (let k = 1; k <= count; k++) {
    const entry = Number(value.readBigInt64LE(8 * k));
    if (entry < 0) run = -entry;
    if (run > limit) return undefined;
    if (entry <= 0) continue;
    for (let page = entry; page < entry + run; page++) pages.push(page);
    run = 1;
  }
  return pages;
}

/** Keys are whole numbers in the byte order of the machine. */
function compareKeys(a: Buffer, b: Buffer): number {
  const number = (key: Buffer) =>
    key.length === 8 ? Number(key.readBigUInt64LE(0)) : key.readUIntLE(0, Math.min(6, key.length));
  return number(a) - number(b);
}
