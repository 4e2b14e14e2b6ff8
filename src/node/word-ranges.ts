import { closeSync, openSync, readSync } from 'node:fs';
import { readOptions } from '../core/options.ts';
import { PolyaError, refuse } from '../errors.ts';
import { kernelOptionsOf, stopWordsOf } from '../text/analyze.ts';
import { CorpusCounter, isRowless } from '../text/corpus.ts';
import type { NotedRows } from '../text/corpus-rows.ts';
import { type AnalyzerOptions, analyzerSpec } from '../text/options.ts';

/** What is counted in a file of JSON Lines, as plain data that a thread can be given. */
export interface WordPlan {
  readonly text: string;
  readonly label: string;
  /** Count a word once a document. */
  readonly presence: boolean;
  /** Options of the analyzer; those that are functions cannot be given. */
  readonly analyzer: Readonly<Record<string, unknown>>;
  /** The columns of every line, where rows are to be noted. */
  readonly rows?: { readonly columns: readonly string[] } | undefined;
}

/** Some whole lines of a file. */
export interface FileRange {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** As much as stays in the cache of a core beside the words. */
const CHUNK_BYTES = 1 << 17;
const NEWLINE = 10;

/** A counter for a plan and about so many bytes; nothing where its words are not found by the kernels. */
export function corpusCounterOf(plan: WordPlan, expected = 0): CorpusCounter | undefined {
  const { text, label, presence, analyzer, rows } = plan;
  const options = readOptions('analyzer', analyzerSpec, analyzer) as AnalyzerOptions;
  const [lowest, highest] = options.ngramRange;
  const kernel = kernelOptionsOf(options);
  if (kernel === undefined || lowest !== 1 || highest !== 1) return undefined;
  return new CorpusCounter({ ...kernel, text, label, presence, rows, expected, stopWords: stopWordsOf(options) });
}

/** Counts ranges of files, one after the other. */
export class RangeCounter {
  private own: CorpusCounter | undefined;

  /** For a plan and about so many bytes. */
  constructor(plan: WordPlan, expected = 0) {
    this.own = corpusCounterOf(plan, expected);
    if (!this.own) refuse('E_PARAM', 'these words are not found byte by byte', { name: 'analyzer' });
  }

  get counter(): CorpusCounter {
    return this.own!;
  }

  /** Ends counting: its memory is free, though others may still know of it. */
  end(): void {
    this.own = undefined;
  }

  takeRows(): NotedRows | undefined {
    return this.counter.takeRows();
  }

  /** Counts all lines of a range. */
  add(range: FileRange): void {
    this.read(range, (file) => this.addLines(file, range.from, range.to));
  }

  /** Counts those lines of a range that hold the rows with these numbers, ascending, and refuses a range that has fewer. */
  addRows(range: FileRange, rows: Uint32Array): void {
    if (rows.length > 0) this.read(range, (file) => this.addChosen(file, range.from, range.to, rows));
  }

  private read({ path }: FileRange, act: (file: number) => void): void {
    const file = openSync(path, 'r');
    try {
      act(file);
    } catch (cause) {
      if (cause instanceof PolyaError) throw cause;
      refuse('E_IO', 'a file could not be read to its end', {}, cause);
    } finally {
      closeSync(file);
    }
  }

  private addLines(file: number, from: number, to: number): void {
    let kept = 0;
    for (let at = from; at < to; ) {
      const wanted = Math.min(CHUNK_BYTES, to - at);
      const chunk = this.counter.reserve(kept + wanted);
      const read = readSync(file, chunk, kept, wanted, at);
      if (read === 0) refuse('E_IO', 'a file became shorter while it was read');
      at += read;
      const filled = kept + read;
      const newline = chunk.subarray(kept, filled).lastIndexOf(NEWLINE); // what was kept has none
      const whole = at === to ? filled : newline < 0 ? 0 : kept + newline + 1;
      kept = filled - whole;
      if (whole === 0) continue;
      this.counter.count(whole);
      this.counter.reserve(filled).copyWithin(0, whole, filled);
    }
  }

  /** Moves the lines that are wanted to the beginning, one behind the other, and counts them. */
  private addChosen(file: number, from: number, to: number, rows: Uint32Array): void {
    const lines = this.counter.reserve(to - from);
    for (let at = 0; at < lines.length; ) {
      const read = readSync(file, lines, at, lines.length - at, from + at);
      if (read === 0) refuse('E_IO', 'a file became shorter while it was read');
      at += read;
    }
    let [filled, next] = [0, 0];
    for (let at = 0, row = 0; at < lines.length && next < rows.length; ) {
      const newline = lines.indexOf(NEWLINE, at);
      const end = newline < 0 ? lines.length : newline + 1;
      const blank = lines[at] <= 0x20 && isRowless(lines.subarray(at, end));
      if (!blank && row++ === rows[next]) {
        lines.copyWithin(filled, at, end);
        filled += end - at;
        next++;
      }
      at = end;
    }
    if (next < rows.length) refuse('E_IO', 'a file changed while it was read');
    this.counter.count(filled);
  }
}
