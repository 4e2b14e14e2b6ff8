import { refuse } from '../errors.ts';
import { murmur3 } from '../math/murmur3.ts';
import { firstAbove } from '../math/search.ts';
import type { Analyzer } from '../text/terms.ts';
import { curves, divideByNorm } from '../text/tfidf.ts';
import { analysisShape, analyzerFor } from './analysis.ts';
import { type Cells, dense, type SparseCells, sparse } from './cells.ts';
import { readNumbers, readText, type TextInput } from './inputs.ts';
import type { Plan } from './plan.ts';
import {
  choices,
  columns,
  constant,
  type Fields,
  flag,
  inputPlace,
  list,
  number,
  numbers,
  orNull,
  place,
  places,
  type RecordOf,
  record,
  type Shape,
  text,
  type ValueOf,
  vectorPlace,
} from './shape.ts';

/** What a vector is made of for one row: the row itself, and the vectors before it. */
export interface VectorContext {
  readonly plan: Plan;
  readonly row: unknown;
  readonly done: readonly Cells[];
}

/** A vector: how it is written as JSON, and how its numbers are computed; `cells` are those of the vector `from`, where there is one. */
export interface VectorOperation<T> {
  readonly shape: Shape<T>;
  readonly run: (vector: T, cells: Cells, context: VectorContext) => Cells;
}

const operation = <T>(own: VectorOperation<T>): VectorOperation<T> => own;

/** The shape of a vector with these entries; `width` is how many numbers it has. */
const vector = <const Op extends string, E extends Fields>(op: Op, entries: E, description: string) =>
  record({ op: constant(op), ...entries, width: place }, description) as Shape<
    { readonly op: Op; readonly width: number } & RecordOf<E>
  >;

const termShape = vector(
  'terms',
  { input: inputPlace, analysis: analysisShape, terms: orNull(list(text)), signed: flag, binary: flag },
  'How often each term occurs, or with `binary` whether. Without `terms`, term t is at |h| mod width with h the signed ' +
    'MurmurHash3 (x86, 32 bits, seed 0) of its UTF-8 bytes; with `signed` it counts by the sign of h.',
);

/** How often each term occurs in a text, or with `binary` whether it does (1 or 0, without a sign). */
export type TermVector = ValueOf<typeof termShape>;

/** The place of a term, and by how much it counts. */
type Locate = (term: string) => readonly [place: number | undefined, step: number];

const byVocabulary = ({ terms }: TermVector): Locate => {
  const found = new Map(terms?.map((term, j) => [term, j]));
  return (term) => [found.get(term), 1];
};

const byHash = ({ width, signed }: TermVector): Locate => {
  const encoder = new TextEncoder();
  return (term) => {
    const hash = murmur3(encoder.encode(term));
    return [Math.abs(hash) % width, signed && hash < 0 ? -1 : 1];
  };
};

const locators = { terms: byVocabulary, hashed: byHash };

const prepared = new WeakMap<TermVector, readonly [analyze: Analyzer, locate: Locate]>();

function countTerms(own: TermVector, _: Cells, { plan, row }: VectorContext): SparseCells {
  let ready = prepared.get(own);
  if (!ready) prepared.set(own, (ready = [analyzerFor(own.analysis), locators[own.terms ? 'terms' : 'hashed'](own)]));
  const [analyze, locate] = ready;
  const found = new Map<number, number>();
  for (const term of analyze(readText(plan, plan.inputs[own.input] as TextInput, row))) {
    const [j, step] = locate(term);
    if (j !== undefined) found.set(j, own.binary ? 1 : (found.get(j) ?? 0) + step);
  }
  const indices = [...found.keys()].filter((j) => found.get(j) !== 0).sort((a, b) => a - b);
  return { width: own.width, indices, values: Float64Array.from(indices, (j) => found.get(j) as number) };
}

/** All vectors, in the order of the schema. */
export const vectors = {
  inputs: operation({
    shape: vector('inputs', { inputs: list(inputPlace) }, 'The numbers of inputs, one after the other.'),
    run: (own, _, { plan, row }) =>
      Float64Array.from(own.inputs.flatMap((k) => readNumbers(plan, plan.inputs[k], row))),
  }),
  terms: operation({ shape: termShape, run: countTerms }),
  weigh: operation({
    shape: vector(
      'weigh',
      {
        from: vectorPlace,
        tf: choices('raw', 'binary', 'sqrt', 'log1p', 'sublinear'),
        idf: orNull(numbers),
        norm: choices('l1', 'l2', null),
      },
      'tf(x) · idf where x ≠ 0 (x, 1, √x, ln(1 + x), 1 + ln x), divided by the norm of the vector where that is not 0.',
    ),
    run({ tf, idf, norm }, cells) {
      const { width, indices, values } = sparse(cells);
      const weights = values.map((count, k) => curves[tf](count) * (idf ? idf[indices[k]] : 1));
      divideByNorm(weights, 0, weights.length, norm);
      const kept = indices.filter((_, k) => weights[k] !== 0);
      return { width, indices: kept, values: weights.filter((weight) => weight !== 0) };
    },
  }),
  'root-share': operation({
    shape: vector('root-share', { from: vectorPlace }, '√(x / Σ x).'),
    run(_, given) {
      const cells = sparse(given);
      const total = cells.values.reduce((sum, value) => sum + value, 0);
      return { ...cells, values: cells.values.map((value) => Math.sqrt(value / total)) };
    },
  }),
  pick: operation({
    shape: vector('pick', { from: vectorPlace, columns }, 'x[columns[k]].'),
    run(own, cells) {
      const x = dense(cells);
      return Float64Array.from(own.columns, (j) => x[j]);
    },
  }),
  bin: operation({
    shape: vector(
      'bin',
      { from: vectorPlace, cuts: list(orNull(numbers)), missing: choices('missing', 'last') },
      'How many cuts are ≤ x; a missing x stays so or is the bin behind the last. Null: x itself.',
    ),
    run: ({ cuts, missing }, cells) =>
      dense(cells).map((x, j) => {
        const own = cuts[j];
        if (own === null) return x;
        if (Number.isNaN(x)) return missing === 'last' ? own.length + 1 : x;
        return firstAbove(own, x);
      }),
  }),
  equal: operation({
    shape: vector(
      'equal',
      { from: vectorPlace, values: numbers },
      '1 where x is the value, else 0; NaN in values: x itself.',
    ),
    run: ({ values }, cells) =>
      dense(cells).map((x, j) => (Number.isNaN(x) || Number.isNaN(values[j]) ? x : Number(x === values[j]))),
  }),
  scale: operation({
    shape: vector(
      'scale',
      { from: vectorPlace, mean: numbers, scale: numbers, fill: numbers },
      '(x − mean) / scale; fill where x is missing.',
    ),
    run: ({ mean, scale, fill }, cells) =>
      dense(cells).map((x, j) => (Number.isNaN(x) ? fill[j] : (x - mean[j]) / scale[j])),
  }),
  onehot: operation({
    shape: vector(
      'onehot',
      { from: vectorPlace, widths: places },
      'For each x as many numbers as its width: 1 at the place x, 0 elsewhere.',
    ),
    run({ widths, width }, cells) {
      const hot = new Float64Array(width);
      let start = 0;
      dense(cells).forEach((x, j) => {
        if (x >= 0 && x < widths[j]) hot[start + x] = 1;
        start += widths[j];
      });
      return hot;
    },
  }),
  above: operation({
    shape: vector(
      'above',
      { from: vectorPlace, threshold: number },
      '1 where x > threshold, else 0; missing stays so.',
    ),
    run: ({ threshold }, cells) => dense(cells).map((x) => (Number.isNaN(x) ? x : Number(x > threshold))),
  }),
  limit: operation({
    shape: vector(
      'limit',
      {
        from: vectorPlace,
        levels: places,
        unknown: choices('last', 'missing', 'refuse'),
        missing: choices('missing', 'refuse'),
      },
      'Numbers of levels; from levels[j] on they are unknown: levels[j], missing, or refused.',
    ),
    run: ({ levels, unknown, missing }, cells) =>
      dense(cells).map((x, j) => {
        if (Number.isNaN(x) && missing === 'missing') return x;
        if (!(Number.isInteger(x) && x >= 0)) {
          return refuse('E_VALUE_RANGE', `feature ${j}: ${x} is not a level`, { column: j });
        }
        if (x < levels[j] || unknown === 'last') return Math.min(x, levels[j]);
        if (unknown === 'missing') return Number.NaN;
        return refuse('E_CATEGORY_UNKNOWN', `feature ${j}: level ${x} was never learned`, { column: j });
      }),
  }),
  within: operation({
    shape: vector(
      'within',
      { from: vectorPlace, least: numbers, most: numbers },
      'x[j] from least[j] to most[j]; others are missing.',
    ),
    run: ({ least, most }, cells) => dense(cells).map((x, j) => (x >= least[j] && x <= most[j] ? x : Number.NaN)),
  }),
  cross: operation({
    shape: vector(
      'cross',
      { from: vectorPlace, first: columns, second: columns, sizes: numbers },
      'x[first[k]] · sizes[k] + min(x[second[k]], sizes[k] − 1): pairs of levels as one level.',
    ),
    run({ first, second, sizes }, cells) {
      const x = dense(cells);
      return sizes.map((size, k) => x[first[k]] * size + Math.min(x[second[k]], size - 1));
    },
  }),
  join: operation({
    shape: vector('join', { from: list(vectorPlace) }, 'Vectors one after the other.'),
    run({ from, width }, _, { done }) {
      const [indices, values]: [number[], number[]] = [[], []];
      let start = 0;
      for (const k of from) {
        const part = sparse(done[k]);
        part.indices.forEach((j, at) => {
          indices.push(start + j);
          values.push(part.values[at]);
        });
        start += part.width;
      }
      return { width, indices, values: Float64Array.from(values) };
    },
  }),
};

/** A vector of numbers, made of inputs or of a vector before it (`from` is its place among the vectors of the plan). */
export type PlanVector = ValueOf<(typeof vectors)[keyof typeof vectors]['shape']>;

/** The vector of an operation. */
export type VectorOf<Op extends PlanVector['op']> = Extract<PlanVector, { readonly op: Op }>;

/** The numbers of a vector for one row. */
export function runVector(own: PlanVector, context: VectorContext): Cells {
  const cells = 'from' in own ? context.done[own.from as number] : [];
  return vectors[own.op].run(own as never, cells as Cells, context);
}
