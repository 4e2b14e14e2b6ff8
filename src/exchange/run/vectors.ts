import { refuse } from '../../errors.ts';
import { analyzerOf } from '../../text/analyze.ts';
import { hashTerm } from '../../text/hash.ts';
import { DEFAULT_PATTERN } from '../../text/pattern.ts';
import { divideByNorm } from '../../text/tfidf.ts';
import type { Plan, TextInput } from '../plan.ts';
import type { LimitVector, PlanAnalysis, PlanVector, TermVector, WeighVector } from '../plan-vectors.ts';
import { readNumbers, readText } from './inputs.ts';

const encoder = new TextEncoder();

/** A vector of which only the cells other than zero are there, in the order of the columns. */
export interface Cells {
  readonly width: number;
  readonly indices: readonly number[];
  readonly values: Float64Array;
}

/** The cells that are not zero. */
function sparse(values: ArrayLike<number>): Cells {
  const indices = Array.from({ length: values.length }, (_, j) => j).filter((j) => values[j] !== 0);
  return { width: values.length, indices, values: Float64Array.from(indices, (j) => values[j]) };
}

/** All cells. */
export function dense({ width, indices, values }: Cells): Float64Array {
  const all = new Float64Array(width);
  indices.forEach((j, k) => {
    all[j] = values[k];
  });
  return all;
}

/** The vectors of a plan for one row. */
export function runVectors(plan: Plan, row: unknown): Cells[] {
  const done: Cells[] = [];
  for (const vector of plan.vectors) done.push(runVector(plan, vector, row, done));
  return done;
}

function runVector(plan: Plan, vector: PlanVector, row: unknown, done: readonly Cells[]): Cells {
  if (vector.op === 'inputs') {
    return sparse(vector.inputs.flatMap((k) => Array.from(readNumbers(plan, plan.inputs[k], row))));
  }
  if (vector.op === 'terms') return countTerms(vector, readText(plan, plan.inputs[vector.input] as TextInput, row));
  if (vector.op === 'join') return sparse(vector.from.flatMap((k) => Array.from(dense(done[k]))));
  if (vector.op === 'weigh') return weigh(vector, done[vector.from]);
  const cells = done[vector.from];
  if (vector.op === 'root-share') {
    const total = cells.values.reduce((sum, value) => sum + value, 0);
    return { ...cells, values: cells.values.map((value) => Math.sqrt(value / total)) };
  }
  return sparse(changed(vector, dense(cells)));
}

type Cellwise = Exclude<PlanVector, { op: 'inputs' | 'terms' | 'join' | 'weigh' | 'root-share' }>;

function changed(vector: Cellwise, x: Float64Array): ArrayLike<number> {
  switch (vector.op) {
    case 'pick':
      return Array.from(vector.columns, (j) => x[j]);
    case 'bin':
      return x.map((value, j) => binOf(vector.cuts[j], value, vector.missing === 'last'));
    case 'equal':
      return x.map((value, j) =>
        Number.isNaN(value) || Number.isNaN(vector.values[j]) ? value : Number(value === vector.values[j]),
      );
    case 'scale':
      return x.map((value, j) => (Number.isNaN(value) ? vector.fill[j] : (value - vector.mean[j]) / vector.scale[j]));
    case 'above':
      return x.map((value) => (Number.isNaN(value) ? value : Number(value > vector.threshold)));
    case 'limit':
      return x.map((value, j) => limited(vector, value, j));
    default:
      return Array.from(x, (value, j) =>
        Array.from({ length: vector.widths[j] }, (_, v) => (value === v ? 1 : 0)),
      ).flat();
  }
}

function binOf(cuts: Float64Array | null, value: number, last: boolean): number {
  if (cuts === null) return value;
  if (Number.isNaN(value)) return last ? cuts.length + 1 : value;
  return cuts.reduce((bin, cut) => bin + Number(cut <= value), 0);
}

function limited({ levels, unknown, missing }: LimitVector, value: number, j: number): number {
  if (Number.isNaN(value) && missing === 'missing') return value;
  if (!(Number.isInteger(value) && value >= 0)) {
    return refuse('E_VALUE_RANGE', `feature ${j}: ${value} is no level`, { column: j });
  }
  if (value < levels[j] || unknown === 'last') return Math.min(value, levels[j]);
  if (unknown === 'missing') return Number.NaN;
  return refuse('E_CATEGORY_UNKNOWN', `feature ${j}: level ${value} was never learned`, { column: j });
}

/** The analysis as the options of a vectorizer. */
function analyzer({ unit, words, stopWords, ngrams, ...cleaning }: PlanAnalysis) {
  return analyzerOf({
    analyzer: unit,
    tokenizer: words.kind === 'segments' ? 'auto' : 'sklearn',
    tokenPattern: words.kind === 'pattern' ? new RegExp(words.source, words.flags) : DEFAULT_PATTERN,
    preprocessor: null,
    stemmer: null,
    stopWords,
    ngramRange: ngrams,
    ...cleaning,
  });
}

const prepared = new WeakMap<
  TermVector,
  { analyze: (text: string) => readonly string[]; columns: Map<string, number> }
>();

function countTerms(vector: TermVector, text: string): Cells {
  const { terms, binary, signed, width } = vector;
  let ready = prepared.get(vector);
  if (!ready) {
    ready = { analyze: analyzer(vector.analysis), columns: new Map(terms?.map((term, j) => [term, j])) };
    prepared.set(vector, ready);
  }
  const counts = new Map<number, number>();
  for (const term of ready.analyze(text)) {
    const { column, sign } = terms
      ? { column: ready.columns.get(term), sign: 1 }
      : hashTerm(encoder.encode(term), width);
    if (column !== undefined) counts.set(column, binary ? 1 : (counts.get(column) ?? 0) + (signed ? sign : 1));
  }
  const indices = [...counts.keys()].filter((j) => counts.get(j) !== 0).sort((a, b) => a - b);
  return { width, indices, values: Float64Array.from(indices, (j) => counts.get(j) as number) };
}

const curves = {
  raw: (count: number) => count,
  binary: () => 1,
  sqrt: Math.sqrt,
  log1p: Math.log1p,
  sublinear: (count: number) => 1 + Math.log(count),
} as const;

function weigh({ tf, idf, norm }: WeighVector, { width, indices, values }: Cells): Cells {
  const weights = values.map((count, k) => curves[tf](count) * (idf ? idf[indices[k]] : 1));
  divideByNorm(weights, 0, weights.length, norm);
  return {
    width,
    indices: indices.filter((_, k) => weights[k] !== 0),
    values: weights.filter((weight) => weight !== 0),
  };
}
