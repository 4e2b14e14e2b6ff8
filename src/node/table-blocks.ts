import { BlockReader } from '../data/block-reader.ts';
import { BLOCK_BYTES, type Block, BlockCutter, type BlockLayout } from '../data/blocks.ts';
import type { BlockTable } from '../data/column-table.ts';
import { wholeOption } from '../data/faults.ts';
import type { LineCursor } from '../data/lines.ts';
import { newTableKernels, type TableKernels } from '../data/table-kernels.ts';
import { PolyaError } from '../errors.ts';
import { giveBuffer } from './buffers.ts';
import type { OpenTableOptions } from './table-options.ts';

/** The file details of errors. */
export type TextFile = BlockLayout['file'];

/** A table as blocks that any thread can read. */
export interface SplitTable {
  readonly layout: BlockLayout;
  readonly blocks: AsyncGenerator<Block, void, undefined>;
  /** Releases the memory of a block for reuse. */
  release(block: Pick<Block, 'bytes'>): void;
}

/**
 * The kernels that split a table into blocks. Undefined if the strict reader reads it in order: live input, because a
 * block waits for more bytes; input whose bad rows are skipped, because their number is limited for the whole table;
 * and without WebAssembly.
 */
export function cuttingKernels({ live, maxBadRows = 0 }: OpenTableOptions): TableKernels | undefined {
  return live || maxBadRows > 0 ? undefined : newTableKernels();
}

/** The table from the cursor on. Without a delimiter each line is a record; no record is longer than `longest`. */
export function splitTable(
  kernels: TableKernels,
  layout: BlockLayout,
  cursor: LineCursor,
  pieces: AsyncIterable<Uint8Array>,
  longest: number,
  options: OpenTableOptions,
): SplitTable {
  const blockBytes = wholeOption('blockBytes', options.blockBytes, BLOCK_BYTES, 1);
  const cutter = new BlockCutter(kernels, cursor, layout.delimiter, longest, blockBytes);
  const { window } = cursor;
  return {
    layout,
    blocks: cutAll(cutter, window.view(0, window.size), pieces),
    release: (block) => cutter.release(block),
  };
}

async function* cutAll(
  cutter: BlockCutter,
  first: Uint8Array,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Block, void, undefined> {
  yield* cutter.push(first);
  try {
    for await (const piece of pieces) {
      yield* cutter.push(piece); // makes a copy
      giveBuffer(piece);
    }
  } catch (error) {
    // Rows before the failure may have an error, which is then reported first.
    if (!(error instanceof PolyaError && error.code === 'E_CANCELLED')) yield* cutter.fail();
    throw error;
  }
  yield* cutter.end();
}

/** The tables of all blocks, read on this thread. */
export async function* tablesOf({ layout, blocks, release }: SplitTable): AsyncGenerator<BlockTable, void, undefined> {
  const reader = new BlockReader(layout);
  for await (const block of blocks) {
    yield* reader.read(block);
    release(block);
  }
}
