import type { State } from '../core/artifact.ts';
import type { Shape } from '../data/batch.ts';
import { type Label, moves, sortClasses } from '../data/labels.ts';
import type { Multiset } from '../stats/multiset.ts';
import { roundRun } from '../stats/runs.ts';
import { CountingClassifier } from './classifier.ts';
import { Counts, type StatisticKind } from './learned.ts';
import { classWeights } from './learning.ts';
import { restore } from './restore.ts';

// biome-ignore lint/suspicious/noExplicitAny: a walk over all families
export type AnyClassifier = CountingClassifier<any, any, any, any>;

/** An estimator that knows the same and shares nothing. */
export function copyOf<E extends { clone(): object; toState(): State }>(estimator: E): E {
  const learned = estimator instanceof CountingClassifier ? estimator.peek() : undefined;
  if (!learned || learned.slim) return restore(estimator.clone() as E, estimator.toState());
  const copy = (statisticKind: StatisticKind<Shape>) => ({
    ...learned,
    counts: Counts.of<Shape>(statisticKind.reshape(learned.counts.read(), learned.counts.shape, {})),
  });
  return (estimator.clone() as AnyClassifier).adopt(copy) as object as E;
}

/** A classifier with the same parameters that shares the counts, for operations that copy them. */
export const sharing = <E extends AnyClassifier>(estimator: E): E => estimator.clone().share(estimator);

/** A copy in which each class has another label; a class that gets none is dropped with its counts. */
export function withClasses<E extends AnyClassifier>(estimator: E, labelOf: (label: Label) => Label | undefined): E {
  return sharing(estimator).adopt((statisticKind, learned) => {
    if (!learned) return undefined;
    const labels = learned.classes.map(labelOf);
    const classes = sortClasses(labels.filter((label) => label !== undefined));
    if (classes.length === 0) return undefined;
    const place = { classes: moves(labels as Label[], classes) };
    const shape = { ...learned.counts.shape, classes: classes.length };
    return { ...learned, classes, counts: Counts.of(statisticKind.reshape(learned.counts.read(), shape, place)) };
  });
}

/**
 * A copy with all counts multiplied by `factor`. Counts are rounded to multiples of `unit`: sums of whole weights and such counts are
 * exact, so unlearning later rows restores them exactly. Empty classes are dropped.
 */
export function scaled<E extends AnyClassifier>(estimator: E, factor: number, unit: number): E {
  return copyOf(estimator).adopt((statisticKind, learned) => {
    if (!learned) return undefined;
    const stats = learned.counts.read();
    statisticKind.scale(stats, factor);
    if (!('cells' in stats)) {
      for (const name of statisticKind.counts) {
        const counts: unknown = stats[name];
        if (!(counts instanceof Float64Array)) continue;
        for (let k = 0; k < counts.length; k++) counts[k] = Math.round(counts[k] / unit) * unit;
      }
      const { runs } = stats as Partial<Multiset>;
      runs?.forEach((run, k) => void (runs[k] = roundRun(run, unit)));
    }
    const weights = classWeights(stats);
    const classes = learned.classes.filter((_, c) => weights[c] > 0);
    if (classes.length === 0) return undefined;
    const place = { classes: moves(learned.classes, classes) };
    const shape = { ...learned.counts.shape, classes: classes.length };
    return { ...learned, classes, counts: Counts.of(statisticKind.reshape(stats, shape, place)) };
  });
}
