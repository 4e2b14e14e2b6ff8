import { decodeUtf8 } from '../data/utf8.ts';
import { refuse } from '../errors.ts';
import type { WasmKernel } from './wasm-kernel.ts';

/** What was noted of some lines besides the counts of their words. Plain arrays: they cross threads by transfer. */
export interface NotedRows {
  readonly rows: number;
  /**
   * By row: four words of a hash of its text, zero where it is blank, and a number for every column; that of the text tells
   * where its entries in `words` end.
   */
  readonly records: Uint32Array<ArrayBuffer>;
  /** The words of all rows, by their numbers, and how often each occurs; a word that is very frequent has several entries. */
  readonly words: Uint32Array<ArrayBuffer>;
  readonly times: Uint8Array<ArrayBuffer>;
}

/** Before the numbers of the cells stands the hash. */
export const HASH_WORDS = 4;

const encoder = new TextEncoder();

/** Notes rows while their words are counted: which texts are alike, and what the other cells are. */
export class RowNotes {
  private readonly kernel: WasmKernel;
  private readonly columns: readonly string[];
  private readonly text: string;

  /** Every line has these columns in this order. */
  constructor(kernel: WasmKernel, columns: readonly string[], text: string) {
    this.kernel = kernel;
    this.columns = columns;
    this.text = text;
    const names = columns.map((name) => encoder.encode(JSON.stringify(name).slice(1, -1)));
    const table = kernel.place(Uint32Array.from(names.flatMap((name) => [kernel.place(name), name.length])));
    kernel.kernels.askRows(columns.length, table, columns.indexOf(text));
  }

  /** Notes a line that was read as a value, after its words were counted. */
  note(value: object): void {
    const entries = Object.entries(value);
    const { kernels } = this.kernel;
    if (entries.length !== this.columns.length || entries.some(([name], k) => name !== this.columns[k])) {
      refuse('E_FORMAT', 'a line has other columns than the first one');
    }
    for (const [k, [name, cell]] of entries.entries()) {
      if (typeof cell === 'object' && cell !== null) refuse('E_TYPE', 'a cell is a list or an object');
      if (name === this.text) this.noteText(cell);
      else kernels.noteNumber(k, this.kernel.idIn(kernels.cellsOf(k), JSON.stringify(cell), true));
    }
    kernels.endRow();
  }

  /** What was noted since the last time. */
  take(): NotedRows {
    const { kernels } = this.kernel;
    const rows = kernels.rowsNoted();
    const { buffer } = kernels.memory;
    const records = new Uint32Array(buffer, kernels.rowsAt(), rows * (HASH_WORDS + this.columns.length)).slice();
    const words = new Uint32Array(buffer, kernels.keptWords(), kernels.keptSize()).slice();
    const times = new Uint8Array(buffer, kernels.keptCounts(), kernels.keptSize()).slice();
    kernels.clearRows();
    kernels.clearKept();
    return { rows, records, words, times };
  }

  /** By column the different cells, as JSON, in the order of their numbers. */
  cells(): string[][] {
    return this.columns.map((_, k) => this.texts(this.kernel.kernels.cellsOf(k)));
  }

  private texts(lexicon: number): string[] {
    const { kernels } = this.kernel;
    const memory = this.kernel.memory();
    return Array.from({ length: kernels.size(lexicon) }, (_, id) => {
      const start = kernels.wordStart(lexicon, id);
      const bytes = memory.slice(start, start + kernels.wordLength(lexicon, id));
      return decodeUtf8(bytes) ?? refuse('E_ENCODING', 'a cell holds bytes that are not UTF-8');
    });
  }

  private noteText(cell: unknown): void {
    const text = typeof cell === 'string' ? cell.trim() : '';
    const bytes = encoder.encode(JSON.stringify(text).slice(1, -1));
    this.kernel.noteText(bytes);
  }
}
