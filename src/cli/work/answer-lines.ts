import { createColors } from 'picocolors';
import { wordOf } from '../../data/cells.ts';
import type { BlockTable } from '../../data/column-table.ts';
import { formatCsv, harmless } from '../../data/csv-format.ts';
import { decodeUtf8 } from '../../data/utf8.ts';
import { score, signed } from '../numbers.ts';
import { barChart, plainPaint, safe } from '../terminal.ts';
import { type Answer, type Answers, type Reasons, type Rules, reasonName } from './answer.ts';
import type { Scorer } from './model-input.ts';

/** How answers are written. */
export interface AnswerForm {
  readonly form: 'text' | 'jsonl' | 'csv' | 'tsv' | 'json';
  /** The columns of the data that are copied to the output; `all` for all of each row. */
  readonly kept: readonly string[] | 'all';
  /** Whether a terminal shows colours, and how wide it is. */
  readonly color: boolean;
  readonly columns: number;
}

/** Writes answers as lines. */
export class AnswerLines {
  private readonly scorer: Scorer;
  private readonly rules: Rules;
  private readonly form: AnswerForm;
  /** The labels as they begin a line. */
  private readonly labels: readonly Uint8Array[];
  private buffer = new Uint8Array();

  constructor(scorer: Scorer, rules: Rules, form: AnswerForm) {
    this.scorer = scorer;
    this.rules = rules;
    this.form = form;
    this.labels = scorer.classes.map((label) => encoder.encode(`${safe(label)}\t`));
  }

  /** The line with the names of the columns, in a table. */
  header(): string {
    const { form, kept } = this.form;
    const { top, proba, reject, explain } = this.rules;
    const { classes, separator } = this.scorer;
    if (separator !== undefined) return form === 'csv' || form === 'tsv' ? 'labels\n' : '';
    if (form === 'text' && proba && top === undefined && explain === undefined)
      return `${['label', ...classes.map((label) => safe(label))].join('\t')}\n`;
    if (form !== 'csv' && form !== 'tsv') return '';
    const ranks = Array.from({ length: Math.min(top ?? 0, classes.length) }, (_, k) => [
      `label_${k + 1}`,
      `probability_${k + 1}`,
    ]);
    const all = proba ? classes.map((label) => `p_${label}`) : [];
    const own = ['label', 'probability', ...(reject === undefined ? [] : ['rejected']), ...ranks.flat(), ...all];
    return this.cells([...apartFrom(new Set(own), kept === 'all' ? [] : kept), ...own]);
  }

  /** The lines of all rows of a table. */
  of(answers: Answers, table: BlockTable): string {
    const { form } = this.form;
    const { separator } = this.scorer;
    if (separator !== undefined) return this.labellings(answers, separator);
    if (form !== 'text') return this.rows(answers, table).join('');
    const { top, proba, explain } = this.rules;
    if (top === undefined && !proba && explain === undefined) return this.short(answers);
    const all = Array.from({ length: answers.length }, (_, i) => answers.at(i));
    return all.map((own) => (own.explanation ? this.explained(own, own.explanation) : `${this.plain(own)}\n`)).join('');
  }

  /** All labels of each row. */
  private labellings(answers: Answers, separator: string): string {
    const { form } = this.form;
    const line = (row: number): string => {
      const own = answers.labelling(row);
      if (form === 'json') return JSON.stringify({ schema: 'polya/predict-labels@1', ...own });
      if (form === 'jsonl') return JSON.stringify(own);
      const joined = own.labels.join(separator);
      return form === 'text' ? safe(joined) : `"${joined.replaceAll('"', '""')}"`;
    };
    return Array.from({ length: answers.length }, (_, i) => `${line(i)}\n`).join('');
  }

  /** Labels and their probabilities alone. */
  private short(answers: Answers): string {
    const longest = Math.max(0, ...this.labels.map(({ length }) => length)) + MOST_DIGITS + REJECTED.length;
    if (this.buffer.length < longest * answers.length) this.buffer = new Uint8Array(longest * answers.length);
    const { buffer, labels } = this;
    let at = 0;
    for (let i = 0; i < answers.length; i++) {
      at = put(buffer, at, labels[answers.place(i)]);
      at = putRounded(buffer, at, answers.probability(i));
      at = put(buffer, at, answers.isRejected(i) ? REJECTED : LINE_END);
    }
    return decodeUtf8(buffer.subarray(0, at)) as string;
  }

  private rows(answers: Answers, table: BlockTable): string[] {
    const { form, kept } = this.form;
    const numbers = Array.from({ length: answers.length }, (_, i) => i);
    const names = kept === 'all' ? table.names : kept;
    const columns = names.map((name) => table.column(name).cells());
    if (form === 'csv' || form === 'tsv') {
      return numbers.map((i) =>
        this.cells([...columns.map((cells) => wordOf(cells[i] ?? '')), ...this.values(answers.at(i))]),
      );
    }
    const shown = apartFrom(reserved, names);
    const start = form === 'json' ? { schema: 'polya/predict@1' } : {};
    return numbers.map((i) => {
      const cells: Record<string, unknown> = Object.assign(Object.create(null), start);
      for (const [k, name] of shown.entries()) {
        const cell = columns[k][i];
        if (cell !== undefined || kept !== 'all') cells[name] = cell ?? null;
      }
      return `${JSON.stringify(Object.assign(cells, answers.at(i)))}\n`;
    });
  }

  private values({ label, probability, rejected, top = [], probabilities }: Answer): string[] {
    const ranks = top.flatMap((own) => [own.label, String(own.probability)]);
    // By the list of classes: an object puts names such as 9 and 10 in an order of its own.
    const all = probabilities ? this.scorer.classes.map((name) => String(probabilities[name])) : [];
    return [label, String(probability), ...(rejected === undefined ? [] : [String(rejected)]), ...ranks, ...all];
  }

  private cells(values: readonly string[]): string {
    if (this.form.form === 'tsv') return formatCsv([values], '\t');
    return formatCsv([values.map(harmless)]);
  }

  /** `label  probability` with tabs, fit for `cut`; labels cannot harm the terminal. */
  private plain({ label, probability, rejected, top, probabilities }: Answer): string {
    const end = rejected ? '\trejected' : '';
    if (!top && (!probabilities || this.rules.explain !== undefined))
      return `${safe(label)}\t${score(probability, 4)}${end}`; // before its reasons
    if (top) return `${top.map((own) => `${safe(own.label)}\t${score(own.probability, 4)}`).join('\t')}${end}`;
    const all = this.scorer.classes.map((name) => score(probabilities![name], 4));
    return `${[safe(label), ...all].join('\t')}${end}`; // below a header with the classes
  }

  private explained(own: Answer, why: Reasons): string {
    const { color, columns } = this.form;
    const { bold } = color ? createColors(true) : plainPaint;
    return reasonLines(this.plain(own).replaceAll('\t', '  '), why, this.scorer.texts, { bold, columns, digits: 1 });
  }
}

interface AnswerStyle {
  readonly bold: (text: string) => string;
  readonly columns: number;
  /** Of the log-odds. */
  readonly digits?: number;
}

/** An answer with its reasons as bars. */
export function reasonLines(
  answer: string,
  { against, logOdds, prior, terms }: Reasons,
  texts: readonly string[],
  { bold, columns, digits = 2 }: AnswerStyle,
): string {
  const rows = terms.map((term) => ({
    name: safe(reasonName(term, texts), 40),
    value: term.weight,
    shown: signed(term.weight),
  }));
  const facts = `log-odds ${signed(logOdds, digits)} against ${safe(against, 30)}   prior ${signed(prior, digits)}`;
  const bars =
    rows.length > 0 ? barChart(rows, columns) : ['  no feature distinguishes the classes; the prior decides'];
  return [`${bold(answer)}   ${facts}`, ...bars].map((line) => `${line}\n`).join('');
}

const encoder = new TextEncoder();
const LINE_END: Uint8Array = encoder.encode('\n');
const REJECTED: Uint8Array = encoder.encode('\trejected\n');
/** The most bytes that a probability takes. */
const MOST_DIGITS = 8;

function put(out: Uint8Array, at: number, bytes: Uint8Array): number {
  for (let k = 0; k < bytes.length; k++) out[at + k] = bytes[k];
  return at + bytes.length;
}

/** Writes a probability with four digits. */
function putRounded(out: Uint8Array, at: number, probability: number): number {
  const key = probability * 1e4;
  const place = (key + 0.5) | 0;
  // the digits of a tie depend on the exact number
  if (!(Math.abs(key - place) <= 0.49)) return put(out, at, encoder.encode(score(probability, 4)));
  out[at] = 0x30 + ((place / 10000) | 0);
  out[at + 1] = 0x2e;
  out[at + 2] = 0x30 + (((place / 1000) | 0) % 10);
  out[at + 3] = 0x30 + (((place / 100) | 0) % 10);
  out[at + 4] = 0x30 + (((place / 10) | 0) % 10);
  out[at + 5] = 0x30 + (place % 10);
  return at + 6;
}

const reserved: ReadonlySet<string> = new Set([
  ...['schema', 'label', 'probability', 'rejected', 'top', 'probabilities', 'explanation'],
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
