/** The length of a page. */
export const PAGE = 4096;

const HEADER = 24;
const BRANCH = 1;
const LEAF = 2;
const OVERFLOW = 4;
const BIG = 1;
const BIG_POINTER = 24; // page, commit, number of pages

/** A page of LMDB: its number, the commit that wrote it, its kind, and where its entries are. */
export interface Page {
  readonly bytes: Buffer;
  readonly number: number;
  readonly txn: number;
  readonly flags: number;
  readonly lower: number;
  readonly upper: number;
  /** Of the first page of a long value: how many it has. */
  readonly pages: number;
}

/** An entry: of a branch it leads to a page, of a leaf it has a value, here or on pages of its own. */
export interface Node {
  readonly key: Buffer;
  readonly child: number;
  readonly size: number;
  readonly isBig: boolean;
  readonly bigPage: number;
  readonly value: Buffer;
}

/** The header of a page: `MDB_page_header`. */
export function readPage(bytes: Buffer): Page {
  return {
    bytes,
    number: Number(bytes.readBigUInt64LE(0)),
    txn: Number(bytes.readBigUInt64LE(8)),
    flags: bytes.readUInt16LE(18),
    lower: bytes.readUInt16LE(20),
    upper: bytes.readUInt16LE(22),
    pages: bytes.readUInt32LE(20),
  };
}

export const isBranch = ({ flags }: Page): boolean => flags === BRANCH;
export const isLeaf = ({ flags }: Page): boolean => flags === LEAF;
export const isOverflow = ({ flags }: Page): boolean => flags === OVERFLOW;

/** The entries of a page; undefined where one is not inside it. */
export function nodesOf(page: Page): Node[] | undefined {
  const { bytes, lower, upper } = page;
  const count = lower >> 1;
  if (lower % 2 !== 0 || HEADER + lower > HEADER + upper || HEADER + upper > PAGE || count === 0) return undefined;
  const nodes: Node[] = [];
  for (let k = 0; k < count; k++) {
    const at = HEADER + bytes.readUInt16LE(HEADER + 2 * k);
    const node = at >= HEADER + upper && at + 8 <= PAGE ? readNode(page, at) : undefined;
    if (!node) return undefined;
    nodes.push(node);
  }
  return nodes;
}

/** `MDB_node`: size or page in two halves, flags, length of the key, the key, the value. */
function readNode(page: Page, at: number): Node | undefined {
  const { bytes } = page;
  const flags = bytes.readUInt16LE(at + 4);
  const keyEnd = at + 8 + bytes.readUInt16LE(at + 6);
  const low = bytes.readUInt32LE(at);
  const isBig = isLeaf(page) && flags === BIG;
  const end = keyEnd + (isLeaf(page) ? (isBig ? BIG_POINTER : low) : 0);
  if (end > PAGE || (isLeaf(page) && flags > BIG)) return undefined;
  return {
    key: bytes.subarray(at + 8, keyEnd),
    child: low + flags * 2 ** 32,
    size: low,
    isBig,
    bigPage: isBig ? Number(bytes.readBigUInt64LE(keyEnd)) : 0,
    value: bytes.subarray(keyEnd, end),
  };
}
