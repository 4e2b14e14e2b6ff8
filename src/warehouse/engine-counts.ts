import { type ClassWeight, requireWeightedClasses } from '../core/class-weight.ts';
import type { Statistic } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { type CountingClassifier, withEntries } from '../estimators/classifier.ts';
import { Counts, type Learned, largestCount, type StatisticKind } from '../estimators/learned.ts';
import { fromPlanes } from '../stats/exact.ts';
import { shapeOf } from '../stats/layout.ts';
import type { Sums } from '../stats/sums.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk over all families
export type AnyClassifier = CountingClassifier<any, any, any, any>;

/** The counts of an engine, before they are given to an estimator. */
export type EngineCounts = Pick<Learned<Shape>, 'names' | 'classes' | 'schema'> & {
  /** A statistic, or counts that are kept narrower, with the largest one. */
  readonly stats: Shape | NarrowCounts;
};

/** Counts as the library's own counter keeps them. */
export type NarrowCounts = Pick<Learned<Sums>, 'counts' | 'ceiling'>;

/** Throws if an estimator needs the rows themselves, before anything is counted. */
export function requireCountable(estimator: AnyClassifier): void {
  const { reproducible } = estimator.getParams() as { reproducible?: boolean };
  const { name, counts, arrays } = estimator.model.statistic as Statistic<Shape>;
  const cannot = (what: string, why: string) =>
    refuse('E_ENGINE_CAPABILITY', `an engine cannot count for ${what}: ${why}`, { estimator: estimator.kind });
  if (reproducible && (counts.length < Object.keys(arrays).length || !['sums', 'histogram'].includes(name))) {
    cannot('reproducible: true', 'engines round sums of fractions in an arbitrary order');
  }
}

/**
 * Gives the counts to an estimator, as after `fit`: it can learn further, merge and unlearn. A copy is checked first, so that an error
 * leaves the estimator unchanged: for sums its options, otherwise its parameters, which take as much memory as the counts. `alpha` is the
 * pseudo-count that was chosen by a sample, if that was asked for.
 */
export function setCounts<E extends AnyClassifier>(estimator: E, { stats, ...known }: EngineCounts, alpha?: number): E {
  const schema = alpha === undefined ? known.schema : withEntries(known.schema, { alpha });
  const make = (statisticKind: StatisticKind<Shape>): Learned<Shape> => {
    const isExact = 'round' in statisticKind;
    if ('counts' in stats && !isExact)
      return { ...known, ...stats, counts: stats.counts as Counts<Shape>, schema, closed: false };
    const plain = statsOf(stats);
    const kept = isExact ? exactly(statisticKind, plain) : plain;
    return { ...known, schema, closed: false, counts: Counts.of(kept), ceiling: largestCount(statisticKind, kept) };
  };
  const copy = estimator.clone().adopt(make);
  if (estimator.model.statistic.name === 'sums') {
    copy.optionsFor((copy.peek() as Learned<Shape>).counts.shape, schema);
    requireWeightedClasses(estimator.getParams().classWeight as ClassWeight | null, known.classes);
  } else copy.inside();
  return estimator.adopt(make);
}

/** The statistic itself. */
export const statsOf = (stats: Shape | NarrowCounts): Shape =>
  'counts' in stats ? (stats.counts.read() as Sums) : stats;

/** Integer sums as exact ones. */
function exactly({ arrays }: StatisticKind<Shape>, stats: Shape) {
  const plain = stats as unknown as Record<string, Float64Array>;
  const cells = Object.keys(arrays).map((name) => [name, fromPlanes([plain[name]])] as const);
  return { ...shapeOf(stats), cells: Object.fromEntries(cells) };
}
