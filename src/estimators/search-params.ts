import { compareCodePoints } from '../data/order.ts';
import { refuse, show } from '../errors.ts';
import type { Random } from '../math/random.ts';
import { CountingClassifier } from './classifier.ts';
import { addsUp } from './fold-learning.ts';
import { Pipeline } from './pipeline.ts';
import type { Params } from './with-params.ts';

/** The values to try of each parameter: all combinations. A list of grids is tried one after the other. */
export type ParamGrid =
  | Readonly<Record<string, readonly unknown[]>>
  | readonly Readonly<Record<string, readonly unknown[]>>[];

/** What a value is drawn from: a list, evenly, or a function of chance. */
export type ParamDistribution = readonly unknown[] | ((random: Random) => unknown);

/** What the value of each parameter is drawn from. */
export type ParamDistributions = Readonly<Record<string, ParamDistribution>>;

const fault = (sentence: string): never => refuse('E_PARAM', sentence, { name: 'paramGrid' });

/** Entries sorted by name, each with at least one value. */
function entriesOf(grid: unknown): [name: string, values: ParamDistribution][] {
  if (typeof grid !== 'object' || grid === null) return fault(`parameters are listed by name, got ${show(grid)}`);
  const entries = Object.entries(grid as ParamDistributions).sort(([a], [b]) => compareCodePoints(a, b));
  for (const [name, values] of entries) {
    const drawn = typeof values === 'function';
    if (!drawn && !(Array.isArray(values) && values.length > 0)) fault(`parameter ${show(name)} has no list of values`);
  }
  return entries;
}

/** The combinations of a grid, as scikit-learn orders them: names sorted, the values of the last one change fastest. */
export function combinations(grid: ParamGrid): Params[] {
  const grids: readonly unknown[] = Array.isArray(grid) ? grid : [grid];
  if (grids.length === 0) fault('there is nothing to try');
  return grids.flatMap((one) => {
    const entries = entriesOf(one);
    const drawn = entries.find(([, values]) => typeof values === 'function');
    if (drawn) fault(`parameter ${show(drawn[0])} is drawn by chance; a grid needs a list`);
    return Array.from({ length: sizeOf(entries) }, (_, at) => combinationAt(entries, at));
  });
}

const sizeOf = (entries: readonly [string, ParamDistribution][]) =>
  entries.reduce((size, [, values]) => size * (values as readonly unknown[]).length, 1);

function combinationAt(entries: readonly [string, ParamDistribution][], at: number): Params {
  let rest = at;
  const picked = entries.toReversed().map(([name, values]) => {
    const list = values as readonly unknown[];
    const value = list[rest % list.length];
    rest = Math.floor(rest / list.length);
    return [name, value] as const;
  });
  return Object.fromEntries(picked.reverse());
}

/** Combinations drawn by chance; where all values are listed none is drawn twice, and never more than there are. */
export function drawCombinations(distributions: ParamDistributions, count: number, random: Random): Params[] {
  const entries = entriesOf(distributions);
  if (entries.some(([, values]) => typeof values === 'function')) {
    const draw = (values: ParamDistribution) =>
      typeof values === 'function' ? values(random) : values[random.integer(values.length)];
    return Array.from({ length: count }, () => Object.fromEntries(entries.map(([name, from]) => [name, draw(from)])));
  }
  const size = sizeOf(entries);
  const places = new Set<number>();
  while (places.size < Math.min(count, size)) places.add(random.integer(size));
  return Array.from(places, (at) => combinationAt(entries, at));
}

/** Parameters that only estimation reads: whatever they are, the same is counted. */
const ESTIMATION = new Set(
  'alpha classPrior delta fitPrior forceAlpha lambda mu norm priorAlpha priors regParam rule varSmoothing'.split(' '),
);

/** Whether all combinations learn the same counts, so that one count serves them all. */
export function sharesCounts(estimator: object, tried: readonly Params[]): boolean {
  const [end, last] = estimator instanceof Pipeline ? (estimator.getParams().steps.at(-1) ?? []) : ['', estimator];
  if (!(last instanceof CountingClassifier) || !addsUp(last)) return false;
  const prefix = end === '' ? '' : `${end}__`;
  const estimates = ([name, value]: [string, unknown]) =>
    name.startsWith(prefix) && ESTIMATION.has(name.slice(prefix.length)) && value !== 'auto';
  return tried.every((params) => Object.entries(params).every(estimates));
}

/** All combinations of a grid, as scikit-learn's class of this name orders them: `for (const params of new ParameterGrid({ … }))`. */
export class ParameterGrid implements Iterable<Params> {
  private readonly all: readonly Params[];

  constructor(grid: ParamGrid) {
    this.all = combinations(grid);
  }

  /** How many combinations there are. */
  get length(): number {
    return this.all.length;
  }

  [Symbol.iterator](): Iterator<Params> {
    return this.all[Symbol.iterator]();
  }
}
