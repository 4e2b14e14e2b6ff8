import { fromBase64 } from '../math/base64.ts';
import { tableBytes } from './table-bytes.ts';
import { decodeUtf8 } from './utf8.ts';

/** What kernels/table.ts exports. Numbers are places in its memory unless their name says otherwise. */
export interface TableExports {
  readonly memory: WebAssembly.Memory;
  take(size: number): number;
  askFields(delimiter: number, columns: number): void;
  goToRow(at: number, end: number): void;
  nextRow(last: boolean): number;
  rowStart(): number;
  fieldBounds(): number;
  fieldQuotes(): number;
  fieldsForeign(): number;
  askLevels(delimiter: number, columns: number, target: number): void;
  countLevels(last: boolean): number;
  rowsCounted(): number;
  lexiconOf(column: number): number;
  levelTable(column: number): number;
  classCells(): number;
  size(lexicon: number): number;
  wordStart(lexicon: number, id: number): number;
  wordLength(lexicon: number, id: number): number;
}

let compiled: WebAssembly.Module | undefined;

/** Kernels with a memory of their own, or null where WebAssembly or its vectors are missing or forbidden. */
export function newTableKernels(): TableExports | null {
  try {
    compiled ??= new WebAssembly.Module(fromBase64(tableBytes));
    return new WebAssembly.Instance(compiled).exports as unknown as TableExports;
  } catch {
    return null;
  }
}

/** How the rows of a table of text are counted. */
export interface LevelPlan {
  readonly delimiter: string;
  readonly columns: number;
  /** The number of the column of labels. */
  readonly target: number;
}

/** How often every text of every column stands in a row of every class. */
export interface LevelCounts {
  readonly rows: number;
  readonly labels: readonly string[];
  /** By column but that of the labels: its texts, and counts[v * labels.length + c]. */
  readonly columns: readonly { readonly levels: readonly string[]; readonly counts: Float64Array<ArrayBuffer> }[];
}

/** Counts the rows of a table of text, chunk by chunk, as bytes: no cell becomes a string but once for all rows that have it. */
export class LevelCounter {
  private readonly kernels: TableExports;
  private readonly plan: LevelPlan;
  private at = 0;
  private room = 0;

  private constructor(kernels: TableExports, plan: LevelPlan) {
    this.kernels = kernels;
    this.plan = plan;
    kernels.askLevels(plan.delimiter.charCodeAt(0), plan.columns, plan.target);
  }

  /** A counter; nothing where the kernels do not run. */
  static of(plan: LevelPlan): LevelCounter | undefined {
    const kernels = newTableKernels();
    return kernels ? new LevelCounter(kernels, plan) : undefined;
  }

  /** Room for the next chunk; what it held before is still there. */
  reserve(bytes: number): Uint8Array {
    const { kernels } = this;
    if (bytes > this.room) {
      const before = new Uint8Array(kernels.memory.buffer, this.at, this.room).slice();
      this.room = Math.max(bytes, 2 * this.room);
      this.at = kernels.take(this.room);
      new Uint8Array(kernels.memory.buffer, this.at, before.length).set(before);
    }
    return new Uint8Array(kernels.memory.buffer, this.at, bytes);
  }

  /**
   * Counts the whole rows among the first `length` bytes of the room, the first `skip` rows passed over, and answers how many bytes they
   * are; −1 where a row is one that only the reader of rows can refuse or read. With `last`, nothing comes behind them.
   */
  count(length: number, last: boolean, isUtf8: (bytes: Uint8Array) => boolean, skip = 0): number {
    const { kernels } = this;
    kernels.goToRow(this.at, this.at + length);
    for (let row = 0; row < skip; row++) if (kernels.nextRow(last) !== 1) return -1;
    if (kernels.countLevels(last) !== 0) return -1;
    const used = kernels.rowStart() - this.at;
    const foreign = kernels.fieldsForeign() !== 0;
    return foreign && !isUtf8(new Uint8Array(kernels.memory.buffer, this.at, used)) ? -1 : used;
  }

  /** What was counted. */
  counts(): LevelCounts {
    const { kernels, plan } = this;
    const labels = this.textsOf(plan.target);
    const line = kernels.classCells();
    const others = Array.from({ length: plan.columns }, (_, j) => j).filter((j) => j !== plan.target);
    const columns = others.map((j) => {
      const levels = this.textsOf(j);
      const table = new Uint32Array(kernels.memory.buffer, kernels.levelTable(j), levels.length * line);
      const counts = new Float64Array(levels.length * labels.length);
      for (let v = 0; v < levels.length; v++) {
        for (let c = 0; c < labels.length; c++) counts[v * labels.length + c] = table[v * line + c];
      }
      return { levels, counts };
    });
    return { rows: kernels.rowsCounted(), labels, columns };
  }

  private textsOf(column: number): string[] {
    const { kernels } = this;
    const lexicon = kernels.lexiconOf(column);
    return Array.from({ length: kernels.size(lexicon) }, (_, id) => {
      const at = kernels.wordStart(lexicon, id);
      return decodeUtf8(new Uint8Array(kernels.memory.buffer, at, kernels.wordLength(lexicon, id)).slice())!;
    });
  }
}

/** Counts of parts of a table, added up; labels and texts are in the order in which they come. */
export function addLevelCounts(parts: readonly LevelCounts[]): LevelCounts {
  const labels = union(parts.map((part) => part.labels));
  const place = new Map(labels.map((label, c) => [label, c]));
  const columns = parts[0].columns.map((_, j) => {
    const levels = union(parts.map((part) => part.columns[j].levels));
    const where = new Map(levels.map((level, v) => [level, v]));
    const counts = new Float64Array(levels.length * labels.length);
    for (const part of parts) {
      const own = part.columns[j];
      const classes = part.labels.map((label) => place.get(label)!);
      own.levels.forEach((level, v) => {
        const to = where.get(level)! * labels.length;
        for (let c = 0; c < classes.length; c++) counts[to + classes[c]] += own.counts[v * classes.length + c];
      });
    }
    return { levels, counts };
  });
  return { rows: parts.reduce((sum, { rows }) => sum + rows, 0), labels, columns };
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];
