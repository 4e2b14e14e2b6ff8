import { numberLiteral, quoteIdentifier } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import type { TermVector, VectorOf } from '../plan.ts';
import { countsCtes } from './counts.ts';
import type { Cell, QueryBuilder } from './query-builder.ts';
import { holdsUnspaced, requirePlainText, wordPattern, wordRule } from './tokens.ts';
import type { WeightRow } from './weights.ts';
import { cannotSay } from './words.ts';

/** A change of the counts of terms before a classifier weighs them. */
export type TextStep = VectorOf<'weigh' | 'root-share' | 'pick' | 'above'>;

/** Counts of terms and the changes of them, in order. */
export interface TextChain {
  readonly counts: TermVector;
  readonly steps: readonly TextStep[];
}

/** A term within a chain: its place in the current vector, and its factor. */
interface Term {
  readonly term: string;
  readonly place: number;
  readonly idf: number | null;
}

/**
 * Texts as sums by class: each text is split into terms inside the engine, the terms are joined with their weights, and these
 * are added up. Every linear term of a plan over a text is one part of the table of weights.
 */
export class TextParts {
  /** The rows of the table of weights. */
  readonly rows: WeightRow[] = [];
  /** Common table expressions, in order. */
  readonly ctes: string[] = [];
  /** What is joined to the rows: the sums of each part, and of how many classes they are. */
  readonly sums: { readonly name: string; readonly classes: number }[] = [];
  private readonly builder: QueryBuilder;
  private readonly keys: readonly string[];
  private readonly table: string;
  private readonly unspaced: 'refuse' | 'null';
  private readonly counted = new Map<TermVector, string>();
  private readonly parts = new Map<TermVector, number>();

  constructor(builder: QueryBuilder, keys: readonly string[], table: string, unspaced: 'refuse' | 'null') {
    this.builder = builder;
    this.unspaced = unspaced;
    this.keys = keys;
    this.table = table;
  }

  /** Σ weights of the terms of a text, for each class; weights are feature-major. `text` is the column of the text. */
  add({ counts, steps }: TextChain, weights: Float64Array, classes: number, text: Cell): Cell[] {
    const part = this.sums.length;
    const { name, q } = this;
    this.parts.set(counts, part);
    const from = this.counts(counts, text);
    const terms = followTerms(counts, steps);
    for (const { term, place, idf } of terms) {
      const own = place < 0 ? null : weights.subarray(place * classes, (place + 1) * classes);
      this.rows.push({ part, term, idf, weights: own });
    }
    const carried = Array.from({ length: classes }, (_, c) => q(`w${c}`)).join(', ');
    const keys = this.keys.join(', ');
    const factor = terms.some(({ idf }) => idf !== null) ? q('idf') : undefined;
    const joined = this.keys.map((key) => `n.${key}`).join(', ');
    const columns = [joined, `n.${q('v0')}`, ...(factor ? [`w.${factor}`] : []), prefixed('w', carried)].join(', ');
    this.ctes.push(
      `${name('part', part)} AS (\n  SELECT ${columns}\n  FROM ${from} AS n JOIN ${this.table} AS w ON w.${q('term')} = n.${q('term')}\n  WHERE w.${q('part')} = ${part}\n)`,
    );
    const { last, v } = this.weigh(steps, part, carried, factor);
    const sums = Array.from({ length: classes }, (_, c) => `sum(${v} * ${q(`w${c}`)}) AS ${q(`s${part}_${c}`)}`);
    const zero = numberLiteral(this.builder.dialect, 0);
    this.ctes.push(
      `${name('sums', part)} AS (\n  SELECT ${keys}, ${sums.join(', ')}\n  FROM ${last}\n  WHERE ${v} <> ${zero}\n  GROUP BY ${keys}\n)`,
    );
    this.sums.push({ name: name('sums', part), classes });
    return Array.from({ length: classes }, (_, c) => ({
      text: `COALESCE(${q(`s${part}_${c}`)}, ${zero})`,
      stage: 0,
      nullable: false,
    }));
  }

  /** 1 for a text with a term that the model knows, else 0: some sum of its terms is joined to the row. */
  present(counts: TermVector): Cell {
    const part =
      this.parts.get(counts) ?? cannotSay('a text whose terms are not added up', 'whether it has any is unknown');
    const [zero, one] = [0, 1].map((value) => numberLiteral(this.builder.dialect, value));
    return {
      text: `CASE WHEN ${this.q(`s${part}_0`)} IS NULL THEN ${zero} ELSE ${one} END`,
      stage: 0,
      nullable: false,
    };
  }

  /** The common table expression in which the terms of each text are counted. */
  private counts(counts: TermVector, text: Cell): string {
    const before = this.counted.get(counts);
    if (before) return before;
    const { dialect } = this.builder;
    const { analysis } = counts;
    const rule = analysis.unit === 'word' ? wordRule(analysis, this.unspaced) : undefined;
    requirePlainText(analysis);
    if (rule === 'spaced') {
      const packed = holdsUnspaced(dialect, `COALESCE(${wordsOf(dialect).text(text.text)}, '')`);
      this.builder.require({ ...text, simple: false, text: `NOT ${packed}` });
    }
    const { texts, last } = countsCtes(
      dialect,
      counts,
      rule && wordPattern(dialect, rule),
      text.text,
      this.keys,
      this.counted.size,
    );
    this.ctes.push(...texts);
    this.counted.set(counts, last);
    return last;
  }

  /** Values of terms step by step, each under a name of its own; returns the last expression and its value. */
  private weigh(
    steps: readonly TextStep[],
    part: number,
    carried: string,
    factor: string | undefined,
  ): { last: string; v: string } {
    let last = this.name('part', part);
    let count = 0;
    const keys = this.keys.join(', ');
    const rest = [...(factor ? [factor] : []), carried].join(', ');
    const next = (value: string) => {
      const name = this.name(`step${++count}`, part);
      this.ctes.push(`${name} AS (\n  SELECT ${keys}, ${value} AS ${this.q(`v${count}`)}, ${rest}\n  FROM ${last}\n)`);
      last = name;
    };
    for (const step of steps) {
      for (const value of valuesOf(this.builder, step, factor, `OVER (PARTITION BY ${keys})`))
        next(value(this.q(`v${count}`)));
    }
    return { last, v: this.q(`v${count}`) };
  }

  private readonly q = (name: string): string => quoteIdentifier(this.builder.dialect, name);
  private readonly name = (what: string, part: number): string => this.q(`polya_${what}_${part}`);
}

const prefixed = (table: string, columns: string) =>
  columns
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ');

/** The new value of a term in a step, as SQL of the old one; two steps where the second needs a sum of the first. */
function valuesOf(
  builder: QueryBuilder,
  step: TextStep,
  factor: string | undefined,
  over: string,
): ((v: string) => string)[] {
  const [zero, one] = [0, 1].map((value) => numberLiteral(builder.dialect, value));
  if (step.op === 'pick') return [];
  if (step.op === 'above')
    return [(v) => builder.cell`CASE WHEN ${v} > ${step.threshold} THEN ${one} ELSE ${zero} END`.text];
  if (step.op === 'root-share') return [(v) => `sqrt(${v} / sum(${v}) ${over})`];
  const { tf, idf, norm } = step;
  const curved = (v: string) => curveText(tf, one, v) + (idf ? ` * ${factor}` : '');
  const plain = tf === 'raw' && !idf ? [] : [curved];
  if (norm === null) return plain;
  const total = (v: string) => (norm === 'l1' ? `sum(abs(${v})) ${over}` : `sqrt(sum(${v} * ${v}) ${over})`);
  return [...plain, (v) => `${v} / NULLIF(${total(v)}, ${zero})`];
}

/** The terms that have a row in the table of weights, with their place in the last vector, −1 where a step drops them. */
function followTerms({ terms }: TermVector, steps: readonly TextStep[]): Term[] {
  if (!terms) return cannotSay('terms by their hash', 'only one engine has MurmurHash3; use a vocabulary');
  let rows: Term[] = terms.map((term, place) => ({ term, place, idf: null }));
  const sums = steps.map((step) => step.op === 'root-share' || (step.op === 'weigh' && step.norm !== null));
  steps.forEach((step, k) => {
    if (step.op === 'weigh' && step.idf) {
      const { idf } = step;
      if (rows.some((row) => row.idf !== null)) cannotSay('two tf-idf steps', 'a term has one factor');
      rows = rows.map((row) => ({ ...row, idf: row.place < 0 ? 1 : idf[row.place] }));
    }
    if (step.op !== 'pick') return;
    const places = new Map(Array.from(step.columns, (column, place) => [column, place]));
    const picked = rows.map((row) => ({ ...row, place: places.get(row.place) ?? -1 }));
    const summed = sums.slice(0, k).includes(true);
    if (summed && sums.slice(k).includes(true))
      cannotSay('a selection between two norms', 'both would have to be kept');
    // What was divided by a sum of all terms needs them in that sum, and in no other.
    rows = summed ? picked : picked.filter(({ place }) => place >= 0);
  });
  return rows;
}

/** tf by its curve, as SQL of a count that is not zero. */
function curveText(tf: VectorOf<'weigh'>['tf'], one: string, x: string): string {
  if (tf === 'binary') return one;
  if (tf === 'sqrt') return `sqrt(${x})`;
  if (tf === 'log1p') return `ln(${one} + ${x})`;
  return tf === 'sublinear' ? `(${one} + ln(${x}))` : x;
}
