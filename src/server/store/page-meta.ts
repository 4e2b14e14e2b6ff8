import { PAGE } from './page-nodes.ts';

/** What the head of a tree says of it. */
export interface Tree {
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  readonly overflows: number;
  readonly entries: number;
  /** Undefined where there is nothing in it. */
  readonly root: number | undefined;
}

/** One of the two heads of an LMDB file: what is known after a commit. */
export interface Meta {
  /** Format and flags, which are the same in both. */
  readonly outline: string;
  readonly mapSize: number;
  readonly txn: number;
  readonly lastPage: number;
  readonly free: Tree;
  readonly main: Tree;
}

// Where the parts of a head are in its page: `MDB_meta` behind a page header of 24 bytes.
const MAGIC = 0xbeefc0de;
const FORMAT = 2;
const [MAGIC_AT, FORMAT_AT, MAP_AT, FREE_AT, MAIN_AT, LAST_AT, TXN_AT] = [24, 28, 40, 48, 96, 144, 152];
const NO_ROOT = 0xffffffffffffffffn;

/** The head in page 0 or 1; undefined where it is none. Commits write the two by turns. */
export function readMeta(bytes: Buffer, page: number): Meta | undefined {
  const txn = Number(bytes.readBigUInt64LE(TXN_AT));
  const known = bytes.readUInt32LE(MAGIC_AT) === MAGIC && bytes.readUInt32LE(FORMAT_AT) === FORMAT;
  if (!known || bytes.readUInt32LE(FREE_AT) !== PAGE || txn % 2 !== page) return undefined;
  if (bytes.readBigUInt64LE(0) !== BigInt(page)) return undefined;
  const parts = [bytes.subarray(MAGIC_AT, MAP_AT), flagsOf(bytes, FREE_AT), flagsOf(bytes, MAIN_AT)];
  return {
    outline: Buffer.concat(parts).toString('hex'),
    mapSize: Number(bytes.readBigUInt64LE(MAP_AT)),
    txn,
    lastPage: Number(bytes.readBigUInt64LE(LAST_AT)),
    free: readTree(bytes, FREE_AT),
    main: readTree(bytes, MAIN_AT),
  };
}

/** The first six bytes of `MDB_db`: the length of pages or keys, and flags. */
const flagsOf = (bytes: Buffer, at: number): Buffer => bytes.subarray(at, at + 6);

/** `MDB_db`: flags, depth, pages of each kind, entries, root. */
function readTree(bytes: Buffer, at: number): Tree {
  const number = (k: number) => Number(bytes.readBigUInt64LE(at + 8 * k));
  const root = bytes.readBigUInt64LE(at + 40);
  return {
    depth: bytes.readUInt16LE(at + 6),
    branches: number(1),
    leaves: number(2),
    overflows: number(3),
    entries: number(4),
    root: root === NO_ROOT ? undefined : Number(root),
  };
}
