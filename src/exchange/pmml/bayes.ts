import type { Label } from '../../data/labels.ts';
import { turned } from '../lower/algebra.ts';
import type { LevelInput, Plan, PlanScore, PlanTerm, TermOf } from '../plan.ts';
import { type Field, type Fields, hasUnknown, levelTexts, UNKNOWN } from './fields.ts';
import { element } from './xml.ts';

/** A score as one sum: S[c] = start[c] + Σ terms. */
interface FlatScore {
  readonly start: Float64Array;
  readonly terms: readonly PlanTerm[];
}

/** The one sum behind a posterior; undefined where a score is more than a sum. */
export function flatten(score: PlanScore): FlatScore | undefined {
  if (score.op === 'posterior') return flatten(score.of);
  if (score.op === 'sum') return score;
  if (score.op === 'either') return flatten(score.first); // the same, far from the data with more digits
  if (score.op !== 'add') return undefined;
  const parts = score.parts.map(({ of, less }) => ({ sum: flatten(of), less }));
  const start = score.start.map((own, c) => {
    return parts.reduce((sum, part) => sum + (part.sum?.start[c] ?? 0) - (part.less?.[c] ?? 0), own);
  });
  const sums = parts.flatMap(({ sum }) => sum ?? []);
  return sums.length < parts.length ? undefined : { start, terms: sums.flatMap(({ terms }) => terms) };
}

/** A score that is linear in the columns as one table for each class; undefined where it is not, or a weight is not finite. */
export function linearTables(plan: Plan, { start, terms }: FlatScore, fields: Fields): string[] | undefined {
  const [term, ...others] = terms;
  const vector = term && plan.vectors[term.vector];
  if (others.length > 0 || term?.op !== 'linear' || vector?.op !== 'inputs') return undefined;
  if (![...start, ...term.weights].every(Number.isFinite)) return undefined;
  const own = fields.of(vector.inputs);
  return plan.classes.map((label, c) => {
    const predictors = own.map(({ name }, j) =>
      element('NumericPredictor', { name, coefficient: term.weights[j * start.length + c] }),
    );
    return element('RegressionTable', { intercept: start[c], targetCategory: String(label) }, predictors);
  });
}

/** The inputs of a naive Bayes model, and the prior that gives the probabilities of the library. */
export interface Bayes {
  readonly inputs: readonly string[];
  readonly logPrior: Float64Array;
}

interface Context {
  readonly plan: Plan;
  readonly fields: Fields;
  readonly classes: readonly Label[];
  /** Adjusted if a term and PMML define the start differently. */
  readonly logPrior: Float64Array;
}

/**
 * A score as the inputs of naive Bayes, one for each column; undefined if a term has no such form. PMML divides counts by their sum
 * without smoothing, so the smoothed probabilities of levels are written as counts. A probability of 0 is the threshold 0.
 */
export function bayesOf(plan: Plan, { start, terms }: FlatScore, fields: Fields): Bayes | undefined {
  const context: Context = { plan, fields, classes: plan.classes, logPrior: start.slice() };
  const inputs: string[] = [];
  for (const term of terms) {
    const own = inputsOf(term, context);
    if (!own) return undefined;
    inputs.push(...own);
  }
  return { inputs, logPrior: context.logPrior };
}

function inputsOf(term: PlanTerm, context: Context): string[] | undefined {
  const { plan, fields } = context;
  const vector = plan.vectors[term.vector];
  if (vector.op === 'inputs') {
    const own = fields.of(vector.inputs);
    if (own.some(({ input }) => input.kind === 'level' && input.codes)) return undefined;
    if (term.op === 'bells') return bells(term, own, context);
    if (term.op === 'table') return tables(term, own, context);
    if (term.op === 'poisson') return rates(term, own, context);
    return term.op === 'coins' ? coins(term, own, 0.5, context) : undefined;
  }
  const from = vector.op === 'above' ? plan.vectors[vector.from] : undefined;
  if (vector.op !== 'above' || from?.op !== 'inputs') return undefined;
  const own = fields.of(from.inputs);
  if (term.op === 'coins') return coins(term, own, vector.threshold, context);
  if (term.op !== 'linear') return undefined;
  const logOdds = turned(term.weights, own.length, context.classes.length);
  return coins({ logOdds }, own, vector.threshold, context);
}

/** One input for each column, with the distribution of each class. */
function stats(
  own: readonly Field[],
  { classes }: Context,
  distribution: (cell: number, c: number, j: number) => string,
): string[] {
  return own.map(({ name }, j) => {
    const each = classes.map((label, c) =>
      element('TargetValueStat', { value: String(label) }, [distribution(c * own.length + j, c, j)]),
    );
    return element('BayesInput', { fieldName: name }, [element('TargetValueStats', {}, each)]);
  });
}

function bells({ mean, variance, df }: TermOf<'bells'>, own: readonly Field[], context: Context): string[] | undefined {
  if (df.some((value) => value < Infinity)) return undefined; // distributions of PMML are Gaussian
  return stats(own, context, (cell) => element('GaussianDistribution', { mean: mean[cell], variance: variance[cell] }));
}

/** Poisson rates; the start of the score contains the score of a row of zeros, and so does every term of PMML. */
function rates({ cells, exposures }: TermOf<'poisson'>, own: readonly Field[], context: Context): string[] | undefined {
  if (exposures) return undefined;
  const { classes, logPrior } = context;
  return stats(own, context, (_, c, j) => {
    const rate = Math.exp(cells[j * classes.length + c]);
    logPrior[c] += rate;
    return element('PoissonDistribution', { mean: rate });
  });
}

const pair = (value: string, classes: readonly Label[], count: (c: number) => number) =>
  element('PairCounts', { value }, [counts(classes, count)]);

/** A number for each class. */
export function counts(classes: readonly Label[], count: (c: number) => number): string {
  return element(
    'TargetValueCounts',
    {},
    classes.map((label, c) => element('TargetValueCount', { value: String(label), count: count(c) })),
  );
}

/**
 * Levels. If unknown levels have an entry, all are divided by 1 + its probability, which the prior compensates: no cell of such a column
 * is missing.
 */
function tables({ faces }: TermOf<'table'>, own: readonly Field[], { classes, logPrior }: Context): string[] {
  return own.map(({ name, input }, j) => {
    const face = (v: number) => (c: number) => Math.exp(faces[j][v * classes.length + c]);
    const unknown = faces[j].length / classes.length - 1;
    const known = levelTexts(input as LevelInput);
    const texts = hasUnknown(input as LevelInput) ? [...known, UNKNOWN] : known;
    const places = texts.map((_, v) => (v < known.length ? v : unknown));
    const pairs = texts.map((text, k) => pair(text, classes, face(places[k])));
    // the sum of the written probabilities: below 1 if a column reserves levels that never occurred
    for (let c = 0; c < classes.length; c++) {
      logPrior[c] += Math.log(places.reduce((sum, v) => sum + face(v)(c), 0));
    }
    return element('BayesInput', { fieldName: name }, pairs);
  });
}

/** Bernoulli columns, split at a threshold. The probabilities of zeros, which the start of the score contains, are removed from the prior. */
function coins(
  { logOdds }: Pick<TermOf<'coins'>, 'logOdds'>,
  own: readonly Field[],
  threshold: number,
  { classes, logPrior }: Context,
): string[] {
  return own.map(({ name }, j) => {
    const heads = (c: number) => 1 / (1 + Math.exp(-logOdds[c * own.length + j]));
    const tails = (c: number) => 1 / (1 + Math.exp(logOdds[c * own.length + j]));
    for (let c = 0; c < classes.length; c++) if (tails(c) > 0) logPrior[c] -= Math.log(tails(c));
    const bins = [
      element('DiscretizeBin', { binValue: '0' }, [
        element('Interval', { closure: 'openClosed', rightMargin: threshold }),
      ]),
      element('DiscretizeBin', { binValue: '1' }, [
        element('Interval', { closure: 'openOpen', leftMargin: threshold }),
      ]),
    ];
    const cut = element('Discretize', { field: name, dataType: 'string' }, bins);
    const derived = element(
      'DerivedField',
      { name: `${name} > ${threshold}`, optype: 'categorical', dataType: 'string' },
      [cut],
    );
    return element('BayesInput', { fieldName: name }, [derived, pair('0', classes, tails), pair('1', classes, heads)]);
  });
}
