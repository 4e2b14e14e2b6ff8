import { refuse } from '../errors.ts';
import { between } from '../evaluate/pool.ts';
import { argmax } from '../math/arrays.ts';
import { softplus } from '../math/logs.ts';
import { type Cells, dense, sparse } from './cells.ts';
import { calibrate, curveShape, logOdds, onCurve, softmax } from './curves.ts';
import {
  choices,
  constant,
  type Fields,
  flag,
  flags,
  list,
  number,
  numbers,
  orNull,
  place,
  places,
  type RecordOf,
  record,
  type Shape,
  union,
  type ValueOf,
  vectorPlace,
} from './shape.ts';
import { type PlanTerm, terms } from './terms.ts';

const termShapes: Readonly<Record<string, Shape<PlanTerm>>> = Object.fromEntries(
  Object.entries(terms).map(([op, { shape: own }]) => [op, own]),
);

const termShape = union<PlanTerm>('op', termShapes, 'term');

/** The definition of a term in the schema. */
export const termDefinition: Shape<PlanTerm> = union<PlanTerm>('op', termShapes);

const sumShape = record({ op: constant('sum'), start: numbers, terms: list(termShape) }, 'start[c] + Σ terms.');

/** S[c] = start[c] + Σ terms: ln p(c) + ln p(x | c). Terms are added one after the other, cell by cell. */
export type SumScore = ValueOf<typeof sumShape>;

/** The sizes of the tables of a term come from its sum and its vector. */
const sizedSum: Shape<SumScore> = {
  ...sumShape,
  write: ({ op, start, terms: own }, sizes, owner) => ({
    op,
    start: numbers.write(start, sizes, owner),
    terms: own.map((term) => {
      const features = sizes.vectors[term.vector];
      return termShape.write(term, { ...sizes, classes: start.length, features }, own);
    }),
  }),
};

const group = record(
  { vectors: list(vectorPlace), text: flag },
  'Cells: the numbers of vectors, each of which may be missing; or one text, which is missing where all its numbers are 0.',
);

/** The cells of a row: numbers of vectors that may be missing, or one text, which counts as missing if it has no known term. */
export type CellGroup = ValueOf<typeof group>;

const shareEntries = { cells: list(group), ordinary: number };
const shareShape = record(shareEntries);

/**
 * The share r of its cells that a row has: how many are present, divided by `ordinary`, at most 1, and 0 where none is. Layers on top of
 * models are mixed by it: where r < 1, r times the result plus 1 − r times the input.
 */
export type Share = ValueOf<typeof shareShape>;

const score = <const Op extends string, E extends Fields>(op: Op, entries: E, description: string) =>
  record({ op: constant(op), ...entries }, description) as Shape<{ readonly op: Op } & RecordOf<E>>;

/** How scores are written as JSON, given the shape of the scores inside them. */
const shapesOver = <S>(of: Shape<S>) => ({
  sum: sizedSum,
  add: score(
    'add',
    { start: numbers, parts: list(record({ of, less: orNull(numbers) })) },
    'start[c] + Σ (part[c] − less[c]).',
  ),
  either: score(
    'either',
    { first: of, second: of, needed: flags },
    '`first`, unless a class with needed[c] gets no finite number from it: then `second`. They differ by what all classes share.',
  ),
  place: score('place', { of, places, classes: place, fill: number }, 'Scores at their places among all classes.'),
  posterior: score(
    'posterior',
    { of, prior: orNull(numbers), impossible: choices('prior', 'refuse'), sum: choices('together', 'apart') },
    'S[c] − ln Σ exp S. Where all are −Infinity the prior stands for S, or the row is refused. `sum` says how exponentials are added.',
  ),
  soften: score(
    'soften',
    {
      of,
      least: number,
      tail: orNull(number),
      share: orNull(shareShape),
      unmet: flags,
      unmetScore: number,
    },
    'max(least, S), bent to −tail ln(1 − S / tail) where there is a tail, r times that and 1 − r times what was not bent where there is a ' +
      'share r < 1; classes that are unmet get unmetScore.',
  ),
  pool: score(
    'pool',
    {
      members: list(of),
      weights: numbers,
      bias: numbers,
      share: orNull(record({ ...shareEntries, weights: numbers, bias: numbers })),
    },
    'Σ weights[m] Sₘ[c] + bias[c], less ln Σ exp of it; with a share r < 1, weights and biases are r times these and 1 − r times those of ' +
      'the share.',
  ),
  blank: score(
    'blank',
    { of, cells: shareEntries.cells, prior: numbers },
    'S[c], and where no cell is present, prior[c].',
  ),
  platt: score(
    'platt',
    { of, a: numbers, b: numbers },
    '−ln(1 + exp(a o + b)), normalised, with the log-odds o[c] = S[c] − ln Σ{d ≠ c} exp S[d].',
  ),
  curve: score(
    'curve',
    { of, curve: curveShape, floor: number, share: orNull(shareShape) },
    'Log-probabilities S on a curve. A temperature: softmax(beta max(S, −1e4)). Others over the log-odds o[c] = S[c] − ln Σ{d ≠ c} exp ' +
      'S[d] within ±1e4: ln p of every class, or by one curve ln p of the second of two and ln(1 − p) of the first, normalised; heights ' +
      'of lines are kept within floor and 1 − floor. With a share r < 1, r times that plus 1 − r times S, normalised.',
  ),
  calibrated: score(
    'calibrated',
    { members: list(record({ of, over: choices('probabilities', 'scores'), curve: curveShape }), 1) },
    'ln of the mean of calibrated probabilities: a curve over exp S or S for each class, normalised, or one for the second of two. Of two ' +
      'scores S the difference counts: −d and d with d = S[1] − S[0].',
  ),
});

/** The score of an operation; scores contain scores, and interfaces break the cycle of types. */
type Own<Op extends keyof ReturnType<typeof shapesOver>> = ValueOf<ReturnType<typeof shapesOver<PlanScore>>[Op]>;

/** S[c] = start[c] + Σ (part[c] − less[c]): models of different columns, whose class priors count once. */
export interface AddScore extends Own<'add'> {}
/** `first`, unless it overflows; far from the data it keeps more digits than `second`. */
export interface EitherScore extends Own<'either'> {}
/** The scores of some classes at their places among all; the others get `fill`. */
export interface PlacedScore extends Own<'place'> {}
/** ln p(c | x). `sum` is the order in which exponentials are added: all together, or the greatest apart by ln(1 + rest). */
export interface Posterior extends Own<'posterior'> {}
/** Log-probabilities with a lower bound, which are bent below it where there is a tail. */
export interface Softened extends Own<'soften'> {}
/** ln p(c | x) of a weighted sum of scores; members of weight 0 are not here. */
export interface Pooled extends Own<'pool'> {}
/** A score for rows that have a cell, and the prior for others. */
export interface BlankScore extends Own<'blank'> {}
/** Log-odds on a sigmoid for each class. */
export interface Platt extends Own<'platt'> {}
/** Log-probabilities on a curve. */
export interface Curved extends Own<'curve'> {}
/** ln of the mean of calibrated probabilities. */
export interface Calibrated extends Own<'calibrated'> {}

/** A number for each class. */
export type PlanScore =
  | SumScore
  | AddScore
  | EitherScore
  | PlacedScore
  | Posterior
  | Softened
  | Pooled
  | BlankScore
  | Platt
  | Curved
  | Calibrated;

/** The JSON of scores, those inside included: by its name in the schema, and its definition. */
export function scoreShapes(): { readonly shape: Shape<PlanScore>; readonly definition: Shape<PlanScore> } {
  const byOp: Record<string, Shape<PlanScore>> = {};
  const shape = union<PlanScore>('op', byOp, 'score');
  Object.assign(byOp, shapesOver(shape));
  return { shape, definition: union<PlanScore>('op', byOp) };
}

/** What a score is computed with: the scores inside it, and the vectors of the row. */
interface ScoreContext {
  readonly vectors: readonly Cells[];
  /** The scores of the row inside this one. */
  run(score: PlanScore): Float64Array;
}

/** How many cells of a row are present. */
function presentIn(all: readonly CellGroup[], vectors: readonly Cells[]): number {
  let count = 0;
  for (const { vectors: own, text } of all) {
    if (text) count += Number(own.some((k) => sparse(vectors[k]).indices.length > 0));
    else for (const k of own) for (const value of dense(vectors[k])) if (!Number.isNaN(value)) count++;
  }
  return count;
}

/** The share of its cells that a row has; 1 where there is no share. */
function shareOf(share: Share | null, vectors: readonly Cells[]): number {
  if (!share) return 1;
  const count = presentIn(share.cells, vectors);
  return count === 0 ? 0 : Math.min(1, count / share.ordinary);
}

/** S − ln Σ exp S with all exponentials in one sum. */
function together(own: Float64Array): Float64Array {
  const top = own[argmax(own)];
  if (!Number.isFinite(top)) return softmax(own);
  let sum = 0;
  for (const value of own) sum += Math.exp(value - top);
  const logSum = Math.log(sum);
  return own.map((value) => value - top - logSum);
}

type Run<Op> = (own: Extract<PlanScore, { readonly op: Op }>, context: ScoreContext) => Float64Array;

/** How scores are computed. */
const scores: { readonly [Op in PlanScore['op']]: Run<Op> } = {
  sum({ start, terms: own }, { vectors }) {
    const all = start.slice();
    for (const term of own) terms[term.op].run(term as never, vectors[term.vector], all);
    return all;
  },
  add: ({ start, parts }, context) =>
    parts.reduce((sum, { of, less }) => {
      const part = context.run(of);
      return sum.map((value, c) => value + (less ? part[c] - less[c] : part[c]));
    }, start),
  either({ first, second, needed }, context) {
    const own = context.run(first);
    return own.every((value, c) => Number.isFinite(value) || !needed[c]) ? own : context.run(second);
  },
  place({ of, places: own, classes, fill }, context) {
    const all = new Float64Array(classes).fill(fill);
    context.run(of).forEach((value, c) => {
      all[own[c]] = value;
    });
    return all;
  },
  posterior({ of, prior, impossible, sum }, context) {
    const own = context.run(of);
    const normalised = sum === 'together' ? together : softmax;
    if (own.some((value) => value > -Infinity)) return normalised(own);
    if (impossible === 'refuse') return refuse('E_ZERO_EVIDENCE', 'the row is impossible under every class');
    return normalised(prior ?? own);
  },
  soften({ of, least, tail, share, unmet, unmetScore }, context) {
    const r = shareOf(share, context.vectors);
    return context.run(of).map((value, c) => {
      if (unmet[c]) return unmetScore;
      const bounded = Math.max(least, value);
      return tail === null ? bounded : between(r, -tail * Math.log1p(-bounded / tail), bounded);
    });
  },
  pool({ members, weights, bias, share }, context) {
    const r = shareOf(share, context.vectors);
    const sum = bias.map((value, c) => between(r, value, share?.bias[c] ?? 0));
    members.forEach((member, m) => {
      const weight = between(r, weights[m], share?.weights[m] ?? 0);
      const own = context.run(member);
      for (let c = 0; c < sum.length; c++) sum[c] += weight * own[c];
    });
    return softmax(sum);
  },
  blank: ({ of, cells, prior }, context) => (presentIn(cells, context.vectors) === 0 ? prior : context.run(of)),
  platt: ({ of, a, b }, context) =>
    softmax(logOdds(softmax(context.run(of))).map((value, c) => -softplus(a[c] * value + b[c]))),
  curve({ of, curve, floor, share }, context) {
    const log = context.run(of);
    const fitted = onCurve(curve, floor, log);
    const r = shareOf(share, context.vectors);
    if (r >= 1) return fitted;
    return softmax(r === 0 ? log : fitted.map((value, c) => between(r, value, log[c])));
  },
  calibrated({ members }, context) {
    const all = members.map(({ of, over, curve }) => calibrate(curve, over, context.run(of)));
    const mean = (c: number) => all.reduce((sum, answer) => sum + answer[c], 0) / all.length;
    return all[0].map((_, c) => Math.log(Math.min(1, mean(c))));
  },
};

/** The scores of one row. */
export function runScore(own: PlanScore, vectors: readonly Cells[]): Float64Array {
  return scores[own.op](own as never, { vectors, run: (inner) => runScore(inner, vectors) });
}
