import { resolve } from 'node:path';
import { cellOf, type DataRow, wordOf } from '../../auto/cells.ts';
import { formatCsv } from '../../data/csv-format.ts';
import { barChart } from '../charts.ts';
import type { Predict } from '../commands/predict.ts';
import { type GrowingFile, growFile } from '../growing-file.ts';
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
  private file: GrowingFile | undefined;
  private columns: readonly string[] | undefined;
  private all: readonly string[] | undefined;

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
    this.file = await growFile(resolve(io.cwd, options.out), (cleanup) => io.onInterrupt(cleanup));
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
    await this.file?.end();
  }

  /** Leaves nothing behind of answers that were not finished. */
  async discard(): Promise<void> {
    await this.file?.discard();
  }

  private async put(text: string): Promise<void> {
    await (this.file ? this.file.write(text) : this.context.print.raw(text));
  }

  private line(own: Answer, row: DataRow): string {
    if (this.form === 'json') return `${JSON.stringify({ schema: 'polya/predict@1', ...this.keptOf(row), ...own })}\n`;
    if (this.form === 'jsonl') return `${JSON.stringify({ ...this.keptOf(row), ...own })}\n`;
    if (this.form !== 'text')
      return this.cells([...this.names(row).map((name) => wordOf(cellOf(row, name) ?? '')), ...this.values(own)]);
    return own.explanation ? this.explained(own, own.explanation) : `${this.plain(own)}\n`;
  }

  /** The columns that are handed on; in a table, those of the first row throughout. */
  private names(row: DataRow): readonly string[] {
    if (this.kept !== 'all') return this.kept;
    if (this.form !== 'csv' && this.form !== 'tsv') return Object.keys(row);
    this.all ??= Object.keys(row);
    return this.all;
  }

  private keptOf(row: DataRow): Record<string, unknown> {
    const names = this.names(row);
    const cells: Record<string, unknown> = Object.create(null);
    for (const [k, shown] of apartFrom(reserved, names).entries()) cells[shown] = cellOf(row, names[k]) ?? null;
    return cells;
  }

  private header(row: DataRow): string[] {
    const { top, proba, reject } = this.rules;
    const ranks = Array.from({ length: Math.min(top ?? 0, this.judge.classes.length) }, (_, k) => [
      `label_${k + 1}`,
      `probability_${k + 1}`,
    ]);
    const classes = proba ? this.judge.classes.map((label) => `p_${label}`) : [];
    const own = ['label', 'probability', ...(reject === undefined ? [] : ['rejected']), ...ranks.flat(), ...classes];
    return [...apartFrom(new Set(own), this.names(row)), ...own];
  }

  private values({ label, probability, rejected, top = [], probabilities }: Answer): string[] {
    const ranks = top.flatMap((own) => [own.label, String(own.probability)]);
    // By the list of classes: an object puts names such as 9 and 10 in an order of its own.
    const all = probabilities ? this.judge.classes.map((name) => String(probabilities[name])) : [];
    return [label, String(probability), ...(rejected === undefined ? [] : [String(rejected)]), ...ranks, ...all];
  }

  private cells(values: readonly string[]): string {
    if (this.form === 'tsv') return formatCsv([values], '\t');
    return formatCsv([values.map(harmless)]);
  }

  /** `label  probability` with tabs, fit for `cut`; labels cannot harm the terminal. */
  private plain({ label, probability, rejected, top, probabilities }: Answer): string {
    const pairs =
      top ?? (probabilities && this.judge.classes.map((name) => ({ label: name, probability: probabilities[name] })));
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

/** Names of columns that differ from those of answers and from each other: a label of the data is `label_given`. */
function apartFrom(answers: ReadonlySet<string>, names: readonly string[]): readonly string[] {
  if (!names.some((name) => answers.has(name))) return names;
  const taken = new Set([...answers, ...names]);
  return names.map((name) => {
    if (!answers.has(name)) return name;
    let given = `${name}_given`;
    while (taken.has(given)) given += '_given';
    taken.add(given);
    return given;
  });
}

/** A cell that a spreadsheet would take for a formula gets a quote before it; numbers stay what they are. */
export function harmless(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) && !Number.isFinite(Number(cell)) ? `'${cell}` : cell;
}
