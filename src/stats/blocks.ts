import type { ExactStats, ExactTwin, Moves, Statistic } from '../core/model.ts';
import { type Batch, partOfBatch, type Shape } from '../data/batch.ts';
import { weightOfClasses } from './multiset.ts';

/** The weight of each class, and blocks of columns with one statistic each. */
export interface Blocks extends Shape {
  readonly n: Float64Array;
  readonly parts: Readonly<Record<string, Shape>>;
}

// biome-ignore lint/suspicious/noExplicitAny: each block has a type of its own, which only its statistic looks at
type PlainStatistic = Omit<Statistic<any>, 'exact'>;

const weights = weightOfClasses as Statistic<Blocks>;

const mapParts = (parts: Shape['parts'], change: (part: Shape, name: string) => Shape) =>
  Object.fromEntries(Object.entries(parts ?? {}).map(([name, part]) => [name, change(part, name)]));

function combine(own: PlainStatistic, choose: (name: string) => PlainStatistic): PlainStatistic {
  const frame = ({ classes, features }: Shape) => ({ classes, features });
  const each = (stats: Blocks) => Object.keys(stats.parts).map((name) => [choose(name), name] as const);
  return {
    name: 'blocks',
    arrays: own.arrays,
    counts: own.counts,
    sparse: true,
    part: choose as never,
    empty: (shape) => ({
      ...own.empty(frame(shape)),
      parts: mapParts(shape.parts, (part, name) => choose(name).empty({ ...part, classes: shape.classes })),
    }),
    add(stats, batch: Batch) {
      own.add(stats, batch);
      for (const [statistic, name] of each(stats)) {
        const part = partOfBatch(batch, name);
        if (part) statistic.add(stats.parts[name], part);
      }
    },
    merge(to, from) {
      own.merge(to, from);
      for (const [statistic, name] of each(to)) statistic.merge(to.parts[name], from.parts[name]);
    },
    subtract(from, what) {
      for (const [statistic, name] of each(from)) {
        statistic.subtract(statistic.reshape(from.parts[name], from.parts[name], {}), what.parts[name]); // throws before any change
      }
      own.subtract(from, what);
      for (const [statistic, name] of each(from)) statistic.subtract(from.parts[name], what.parts[name]);
    },
    scale(stats, factor) {
      own.scale(stats, factor);
      for (const [statistic, name] of each(stats)) statistic.scale(stats.parts[name], factor);
    },
    reshape: (stats, shape, { classes, parts }: Moves) => ({
      ...own.reshape(stats, frame(shape), classes ? { classes } : {}),
      parts: mapParts(stats.parts, (part, name) =>
        choose(name).reshape(
          part,
          { ...(shape.parts?.[name] ?? part), classes: shape.classes },
          { ...parts?.[name], ...(classes && { classes }) },
        ),
      ),
    }),
  };
}

/**
 * Counts blocks of columns in one pass; the name of a block selects its statistic. The blocks have different columns of
 * the same rows.
 */
export function blocks(choose: (name: string) => Statistic<never>): Statistic<Blocks> {
  const part = choose as unknown as (name: string) => Statistic<Shape>;
  const exact = combine(weights.exact, (name) => part(name).exact) as unknown as ExactTwin<Blocks>;
  return {
    ...(combine(weights, part) as Statistic<Blocks>),
    exact: {
      ...exact,
      round: (stats) => ({
        ...weights.exact.round(stats),
        parts: mapParts(stats.parts, (own, name) => part(name).exact.round(own as ExactStats)),
      }),
    },
  };
}
