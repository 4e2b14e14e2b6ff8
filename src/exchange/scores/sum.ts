import { constant, list, numbers, record, type Shape, union, type ValueOf } from '../shape.ts';
import { type PlanTerm, terms } from '../terms/index.ts';
import type { ScoreContext, ScoreOperation } from './score.ts';

const byOp: Readonly<Record<string, Shape<PlanTerm>>> = Object.fromEntries(
  Object.entries(terms).map(([op, { shape: own }]) => [op, own]),
);

const termShape = union<PlanTerm>('op', byOp, 'term');

/** The definition of a term in the schema. */
export const termDefinition: Shape<PlanTerm> = union<PlanTerm>('op', byOp);

const plain = record({ op: constant('sum'), start: numbers, terms: list(termShape) }, 'start[c] + Σ terms.');

/** S[c] = start[c] + Σ terms: ln p(c) + ln p(x | c). Terms are added one after the other, cell by cell. */
export type SumScore = ValueOf<typeof plain>;

/** The sizes of the tables of a term come from its sum and its vector. */
const sized: Shape<SumScore> = {
  schema: plain.schema,
  write: ({ op, start, terms: own }, sizes, owner) => ({
    op,
    start: numbers.write(start, sizes, owner),
    terms: own.map((term) => {
      const features = sizes.widths[term.vector];
      return termShape.write(term, { ...sizes, classes: start.length, features }, own);
    }),
  }),
  read(json, sizes) {
    const { op, start, terms: own } = plain.read(json, sizes);
    return { op, start, terms: own.map((term) => withPeaks(term, start)) };
  },
};

/** What complete rows have more than the start of the marginals, which JSON leaves out. */
function withPeaks(term: PlanTerm, start: Float64Array): PlanTerm {
  if (!('marginals' in term) || !term.marginals) return term;
  const { marginals } = term;
  const logPeak = start.map((value, c) => value - marginals.start[c] || 0);
  return { ...term, marginals: { ...marginals, logPeak } };
}

const shape = () => sized;

function run({ start, terms: own }: SumScore, { vectors }: ScoreContext): Float64Array {
  const sum = start.slice();
  for (const term of own) terms[term.op].run(term as never, vectors[term.vector], sum);
  return sum;
}

export const sumScore: ScoreOperation<SumScore> = { shape, run };
