import { murmur3 } from '../../math/murmur3.ts';
import type { Analyzer } from '../../text/terms.ts';
import type { SparseCells } from '../cells.ts';
import { readText, type TextInput } from '../inputs/text.ts';
import { flag, list, orNull, place, text, type ValueOf } from '../shape.ts';
import { analysisShape, analyzerFor } from './analysis.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector(
  'terms',
  { input: place, analysis: analysisShape, terms: orNull(list(text)), signed: flag, binary: flag },
  'How often each term occurs, or with `binary` whether. Without `terms`, term t is at |h| mod width with h the signed ' +
    'MurmurHash3 (x86, 32 bits, seed 0) of its UTF-8 bytes; with `signed` it counts by the sign of h.',
);

/** How often each term occurs in a text, or with `binary` whether it does (1 or 0, without a sign). */
export type TermVector = ValueOf<typeof shape>;

/** The place of a term, and by how much it counts. */
type Locate = (term: string) => readonly [place: number | undefined, step: number];

const byVocabulary = ({ terms }: TermVector): Locate => {
  const places = new Map(terms?.map((term, j) => [term, j]));
  return (term) => [places.get(term), 1];
};

const byHash = ({ width, signed }: TermVector): Locate => {
  const encoder = new TextEncoder();
  return (term) => {
    const hash = murmur3(encoder.encode(term));
    return [Math.abs(hash) % width, signed && hash < 0 ? -1 : 1];
  };
};

const locators = { terms: byVocabulary, hashed: byHash };

const prepared = new WeakMap<TermVector, { readonly analyze: Analyzer; readonly locate: Locate }>();

function prepare(own: TermVector): { readonly analyze: Analyzer; readonly locate: Locate } {
  let ready = prepared.get(own);
  if (!ready) {
    const locate = locators[own.terms ? 'terms' : 'hashed'](own);
    prepared.set(own, (ready = { analyze: analyzerFor(own.analysis), locate }));
  }
  return ready;
}

function run(own: TermVector, { plan, row }: VectorContext): SparseCells {
  const { analyze, locate } = prepare(own);
  const found = new Map<number, number>();
  for (const term of analyze(readText(plan, plan.inputs[own.input] as TextInput, row))) {
    const [j, step] = locate(term);
    if (j !== undefined) found.set(j, own.binary ? 1 : (found.get(j) ?? 0) + step);
  }
  const indices = [...found.keys()].filter((j) => found.get(j) !== 0).sort((a, b) => a - b);
  return { width: own.width, indices, values: Float64Array.from(indices, (j) => found.get(j) as number) };
}

export const termVector: VectorOperation<TermVector> = { shape, run };
