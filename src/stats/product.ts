import type { ExactStats, ExactTwin, Moves, Statistic } from '../core/model.ts';
import { requireKind, requireLike } from '../data/arguments.ts';
import { type Batch, partOfBatch, type Shape } from '../data/batch.ts';
import { shapeOf } from './layout.ts';

/** Several statistics side by side, by name. */
export interface Product extends Shape {
  readonly parts: Readonly<Record<string, Shape>>;
}

// biome-ignore lint/suspicious/noExplicitAny: each part has a type of its own, which only the part itself looks at
type Part = Omit<Statistic<any>, 'exact'>;

/** The part of a shape that belongs to one statistic: its own columns, or all of them. */
function partOf(whole: Shape, name: string): Shape {
  return { ...(whole.parts?.[name] ?? whole), classes: whole.classes };
}

function combine(parts: Readonly<Record<string, Part>>): Omit<Statistic<Product>, 'exact'> {
  const each = Object.entries(requireKind(parts, 'statistics by name', 'object'));
  for (const [, statistic] of each) {
    requireLike(statistic, 'a statistic such as sums', { empty: 'function', add: 'function', arrays: 'object' });
  }
  const make = (shape: Shape, part: (name: string, statistic: Part) => Shape): Product => ({
    ...shapeOf({ classes: shape.classes, features: shape.features }),
    parts: Object.fromEntries(each.map(([name, statistic]) => [name, part(name, statistic)])),
  });
  return {
    name: `product of ${each.map(([, statistic]) => statistic.name).join(' and ')}`,
    arrays: Object.fromEntries(
      each.flatMap(([name, statistic]) =>
        Object.entries(statistic.arrays).map(([array, axes]) => [`${name}.${array}`, axes]),
      ),
    ),
    counts: each.flatMap(([name, statistic]) => statistic.counts.map((array) => `${name}.${array}`)),
    sparse: each.every(([, statistic]) => statistic.sparse),
    empty: (shape) => make(shape, (name, statistic) => statistic.empty(partOf(shape, name))),
    add(stats, batch: Batch) {
      for (const [name, statistic] of each) statistic.add(stats.parts[name], partOfBatch(batch, name) ?? batch);
    },
    merge(to, from) {
      for (const [name, statistic] of each) statistic.merge(to.parts[name], from.parts[name]);
    },
    subtract(from, what) {
      const trial = each.map(([name, statistic]) => [statistic, copy(statistic, from.parts[name]), name] as const);
      for (const [statistic, part, name] of trial) statistic.subtract(part, what.parts[name]);
      for (const [name, statistic] of each) statistic.subtract(from.parts[name], what.parts[name]);
    },
    scale(stats, factor) {
      for (const [name, statistic] of each) statistic.scale(stats.parts[name], factor);
    },
    reshape: (stats, shape, moves) =>
      make(shape, (name, statistic) =>
        statistic.reshape(stats.parts[name], partOf(shape, name), partMoves(moves, name)),
      ),
  };
}

function partMoves(moves: Moves, name: string): Moves {
  const { parts, ...whole } = moves;
  return parts?.[name] ? { ...(whole.classes && { classes: whole.classes }), ...parts[name] } : whole;
}

/** A copy by merging into the empty statistic. */
function copy(statistic: Part, stats: Shape): Shape {
  return statistic.reshape(stats, stats, {});
}

/** Counts several statistics in one pass; a part may have columns of its own in the batch. */
export function product(parts: Readonly<Record<string, Statistic<never>>>): Statistic<Product> {
  const statistics = parts as unknown as Readonly<Record<string, Statistic<Shape>>>;
  const whole = combine(statistics);
  const twins = Object.fromEntries(Object.entries(statistics).map(([name, part]) => [name, part.exact]));
  const exact: ExactTwin<Product> = {
    ...(combine(twins) as unknown as Omit<Statistic<ExactStats>, 'exact'>),
    round: (stats) => ({
      ...shapeOf({ classes: stats.classes, features: stats.features }),
      parts: Object.fromEntries(
        Object.entries(twins).map(([name, twin]) => [name, twin.round(stats.parts?.[name] as ExactStats)]),
      ),
    }),
  };
  return { ...whole, exact };
}
