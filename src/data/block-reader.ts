import { BlockKernels } from './block-kernels.ts';
import { KernelTable } from './block-table.ts';
import type { Block, BlockLayout } from './blocks.ts';
import type { DataRow } from './cells.ts';
import { type BlockTable, RecordTable } from './column-table.ts';
import { limitsOf } from './csv-options.ts';
import { CsvReader } from './csv-reader.ts';
import { LABEL_PREFIX } from './fasttext.ts';
import { inFile } from './file-errors.ts';
import { CR, LF } from './line-ends.ts';
import { type LineParser, longestLine, parseBlockRows } from './line-rows.ts';
import { pickCells, rowParsers } from './row-parsers.ts';
import { recordsOf } from './table.ts';
import { newTableKernels } from './table-kernels.ts';

/**
 * Reads blocks as tables. The kernels split well-formed blocks. A block that they do not accept is read again by the
 * strict reader, which creates records or reports the error with its position.
 */
export class BlockReader {
  private readonly layout: BlockLayout;
  private readonly source: BlockKernels | undefined;
  private readonly parse: LineParser<DataRow> | undefined;
  private readonly longest: number;
  private readonly places: ReadonlyMap<string, number> | undefined;
  private readonly prefix: number = 0;

  constructor(layout: BlockLayout) {
    this.layout = layout;
    const kernels = newTableKernels();
    this.source = kernels && new BlockKernels(kernels);
    const { format, columns, wanted } = layout;
    const all = new Map(columns.map((name, j) => [name, j]));
    if (format !== 'jsonl') this.places = wanted ? new Map(wanted.map((name) => [name, all.get(name) as number])) : all;
    else if (wanted) this.places = new Map(wanted.map((name, j) => [name, j]));
    if (format === 'csv' || format === 'tsv') {
      const { maxCellBytes, maxRowBytes } = limitsOf(csvLimits(layout));
      this.longest = Math.min(maxCellBytes, maxRowBytes);
    } else {
      this.longest = longestLine(lineLimits(layout));
      this.parse = rowParsers[format]();
    }
    if (format === 'fasttext' && this.source && kernels) {
      this.prefix = kernels.take(LABEL_PREFIX.length);
      this.source.memory().set(new TextEncoder().encode(LABEL_PREFIX), this.prefix);
    }
  }

  /** The rows of a block as one table; none if it has only blank lines. */
  *read(block: Block): Generator<BlockTable, void, undefined> {
    let table: BlockTable;
    try {
      table = this.readFast(block) ?? this.readStrict(block);
    } catch (error) {
      const { name, isPath, transcoded } = this.layout.file;
      throw inFile(error, name, isPath, transcoded);
    }
    if (table.length > 0) yield table;
  }

  /** The table of the kernels, or undefined if they do not accept the block. */
  private readFast(block: Block): BlockTable | undefined {
    const { source, layout } = this;
    if (source === undefined || !source.load(block.bytes) || !this.split(source)) return undefined;
    const parsed = this.parseLeft(source, block);
    if (parsed === undefined) return undefined;
    const { columns, wanted = columns, format } = layout;
    const width = format === 'jsonl' ? 0 : columns.length;
    return new KernelTable({ source, width, names: wanted, places: this.places, block, parsed });
  }

  private split({ kernels }: BlockKernels): boolean {
    const { layout, longest, prefix } = this;
    if (layout.format === 'jsonl') return kernels.splitJson(longest) !== 0;
    if (layout.format === 'text') return kernels.splitLines(longest) !== 0;
    if (layout.format === 'fasttext') return kernels.splitLabelled(prefix, LABEL_PREFIX.length, longest) !== 0;
    return kernels.splitCells((layout.delimiter as string).charCodeAt(0), layout.columns.length, longest) !== 0;
  }

  /** Parses the rows that the kernels leave to the host; undefined if one of them is invalid. */
  private parseLeft(source: BlockKernels, { bytes }: Block): Map<number, DataRow> | undefined {
    const parsed = new Map<number, DataRow>();
    for (const { row, start } of source.rowsLeft()) {
      let end = start;
      while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
      const fault = this.parse?.(bytes.subarray(start, end), (record) => parsed.set(row, record));
      if (fault !== undefined || !parsed.has(row)) return undefined;
    }
    return parsed;
  }

  private readStrict(block: Block): BlockTable {
    const { layout } = this;
    const { columns, delimiter, wanted } = layout;
    if (this.parse !== undefined) {
      const { rows, lines } = parseBlockRows(block, lineLimits(layout), this.parse);
      return new RecordTable(
        rows.map((row) => pickCells(row, wanted)),
        lines,
      );
    }
    const options = { header: columns, delimiter: delimiter as string, ...csvLimits(layout) };
    const reader = new CsvReader(options, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    reader.startAt(block);
    reader.push(block.bytes).next();
    const table = reader.end().next().value;
    return table ? new RecordTable(recordsOf(table, wanted), table.lines) : new RecordTable([]);
  }
}

const csvLimits = ({ maxRowBytes }: BlockLayout) =>
  maxRowBytes === undefined ? {} : { maxRowBytes, maxCellBytes: maxRowBytes };

const lineLimits = ({ maxRowBytes }: BlockLayout) => (maxRowBytes === undefined ? {} : { maxLineBytes: maxRowBytes });
