import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { cellOf, type DataRow, wordOf } from '../../auto/cells.ts';
import { formatCsv } from '../../data/csv-format.ts';
import { barChart } from '../charts.ts';
import type { Predict } from '../commands/predict.ts';
import { score, signed } from '../numbers.ts';
import { safe } from '../terminal.ts';
import { texts } from '../texts/index.ts';
import { type Answer, type Reasons, type Rules, reasonName } from './answer.ts';
import type { Judge } from './model-input.ts';
import { requireFree } from './model-output.ts';

/** Columns that are handed on. */
export type Kept = readonly string[] | 'all';

/** Writes answers in the form that was asked for, a batch at a time. */
export class AnswerWriter {
  private readonly context: Predict;
  private readonly judge: Judge;
  private readonly rules: Rules;
  private readonly kept: Kept;
  private readonly form: 'text' | 'jsonl' | 'csv' | 'tsv' | 'json';
  private readonly byLine: boolean;
  private file: { stream: WriteStream; temporary: string; path: string; forget: () => void } | undefined;
  private columns: readonly string[] | undefined;

  constructor(context: Predict, judge: Judge, rules: Rules, kept: Kept) {
    const { options, io } = context;
    this.context = context;
    this.judge = judge;
    this.rules = rules;
    this.kept = kept;
    this.form = options.json ? 'json' : options.output;
    this.byLine = options.out === undefined && (io.stdout.tty || options.lineBuffered);
  }

  async begin(): Promise<void> {
    const { options, io } = this.context;
    if (options.out === undefined || options.out === '-') return;
    requireFree(this.context, options.out, options.force);
    const path = resolve(io.cwd, options.out);
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
    const stream = createWriteStream(temporary);
    await once(stream, 'open');
    const { rmSync } = await import('node:fs');
    this.file = { stream, temporary, path, forget: io.onInterrupt(() => rmSync(temporary, { force: true })) };
  }

  async write(answers: readonly Answer[], rows: readonly DataRow[]): Promise<void> {
    const lines = answers.map((own, i) => this.line(own, rows[i]));
    if (this.columns === undefined && lines.length > 0 && (this.form === 'csv' || this.form === 'tsv')) {
      this.columns = this.header(rows[0]);
      lines.unshift(this.cells(this.columns));
    }
    if (this.byLine) for (const line of lines) await this.put(line);
    else if (lines.length > 0) await this.put(lines.join(''));
  }

  async end(): Promise<void> {
    if (!this.file) return;
    const { stream, temporary, path, forget } = this.file;
    await new Promise<void>((done, failed) => stream.end((error?: Error | null) => (error ? failed(error) : done())));
    await rename(temporary, path);
    forget();
  }

  private async put(text: string): Promise<void> {
    if (!this.file) await this.context.print.raw(text);
    else if (!this.file.stream.write(text)) await once(this.file.stream, 'drain');
  }

  private line(own: Answer, row: DataRow): string {
    if (this.form === 'json') return `${JSON.stringify({ schema: 'polya/predict@1', ...this.keptOf(row), ...own })}\n`;
    if (this.form === 'jsonl') return `${JSON.stringify({ ...this.keptOf(row), ...own })}\n`;
    if (this.form !== 'text') return this.cells([...Object.values(this.keptOf(row)).map(wordOf), ...this.values(own)]);
    return own.explanation ? this.explained(own, own.explanation) : `${this.plain(own)}\n`;
  }

  private names(row: DataRow): readonly string[] {
    const names = this.kept === 'all' ? Object.keys(row) : this.kept;
    return this.form === 'csv' || this.form === 'tsv' ? names : names.filter((name) => !reserved.has(name));
  }

  private keptOf(row: DataRow): Record<string, unknown> {
    const cells: Record<string, unknown> = Object.create(null);
    for (const name of this.names(row)) cells[name] = cellOf(row, name) ?? null;
    return cells;
  }

  private header(row: DataRow): string[] {
    const { top, proba, reject } = this.rules;
    const ranks = Array.from({ length: Math.min(top ?? 0, this.judge.classes.length) }, (_, k) => [
      `label_${k + 1}`,
      `probability_${k + 1}`,
    ]);
    const classes = proba ? this.judge.classes.map((label) => `p_${label}`) : [];
    return [
      ...this.names(row),
      'label',
      'probability',
      ...(reject === undefined ? [] : ['rejected']),
      ...ranks.flat(),
      ...classes,
    ];
  }

  private values({ label, probability, rejected, top = [], probabilities = {} }: Answer): string[] {
    const ranks = top.flatMap((own) => [own.label, String(own.probability)]);
    const all = Object.values(probabilities).map(String);
    return [label, String(probability), ...(rejected === undefined ? [] : [String(rejected)]), ...ranks, ...all];
  }

  private cells(values: readonly string[]): string {
    if (this.form === 'tsv') return formatCsv([values], '\t');
    return formatCsv([values.map(harmless)]);
  }

  /** `label  probability` with tabs, fit for `cut`; labels cannot harm the terminal. */
  private plain({ label, probability, rejected, top, probabilities }: Answer): string {
    const pairs =
      top ??
      (probabilities ? Object.entries(probabilities).map(([name, p]) => ({ label: name, probability: p })) : undefined);
    const cells = pairs ?? [{ label, probability }];
    const shown = cells.flatMap((own) => [safe(own.label), score(own.probability, 4)]);
    const start = probabilities && !top ? [safe(label), ...shown] : shown;
    return [...start, ...(rejected ? ['rejected'] : [])].join('\t');
  }

  private explained(own: Answer, { against, logOdds, prior, terms }: Reasons): string {
    const { screen } = this.context.print;
    const facts = texts.predict.logOdds(signed(logOdds, 1), safe(against, 30), signed(prior, 1));
    const rows = terms.map((term) => ({
      name: safe(reasonName(term, this.judge.texts), 30),
      value: term.weight,
      shown: signed(term.weight, 2),
    }));
    return `${screen.paint.bold(this.plain(own).replaceAll('\t', '  '))}   ${facts}\n${barChart(rows, screen.columns)
      .map((line) => `${line}\n`)
      .join('')}`;
  }
}

const reserved: ReadonlySet<string> = new Set([
  'schema',
  'label',
  'probability',
  'rejected',
  'top',
  'probabilities',
  'explanation',
]);

/** A cell that a spreadsheet would take for a formula gets a quote before it; numbers stay what they are. */
export function harmless(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) && !Number.isFinite(Number(cell)) ? `'${cell}` : cell;
}
