import { addLevels, type Network } from '../../models/kdb-row.ts';
import { dense } from '../cells.ts';
import { counts, list, number, place, places, record, table, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

const depth = record({
  concentration: number, // m
  /** Every context: the place of the context above it · levels of parent d + its level. Without parents there is one, 0. */
  contexts: counts,
  /** N of every context and class, at context · C + c; 0 where the class was not counted in it. */
  weights: table(2, ({ classes }, own: { contexts: Float64Array }) => [own.contexts.length, classes]),
  /** Every value that was counted: the place of its context · levels of the feature + its level. */
  values: counts,
  /** p of every value and class, at value · C + c. */
  shares: table(2, ({ classes }, own: { values: Float64Array }) => [own.values.length, classes]),
});

/** What was counted in the contexts of the first d parents. */
export type ContextDepth = ValueOf<typeof depth>;

const feature = record({ feature: place, parents: places, depths: list(depth, 1) });

/** A feature, and its tables for none, one, … of its parents. */
export type ContextFeature = ValueOf<typeof feature>;

const shape = term(
  'contexts',
  {
    levels: places,
    features: list(feature), // the features in use, parents first
    mostCombinations: place,
  },
  'Σ ln p over the features that are present, parents first. p is 1 / levels[feature] at first. At depth d the context is the place of ' +
    '(context above · levels of parent d + level of parent d) in contexts, 0 at depth 0; one that is not there, an unknown level and a ' +
    'missing parent end the walk. p becomes shares[e][c], e the place of (context · levels of the feature + its level) in values; where ' +
    'there is none, concentration · p / (weights[context][c] + concentration) for classes with a weight. Missing features that present ' +
    'ones depend on are summed over, as many from the first as have at most mostCombinations combinations of levels.',
);

/** Levels in the context of others, for a k-dependence classifier. */
export type ContextTerm = ValueOf<typeof shape>;

const indexed = new WeakMap<Float64Array, Map<number, number>>();

/** The place of a key in a list, −1 where it is not there; lists are indexed at the first search. */
function placeOf(keys: Float64Array, key: number): number {
  let index = indexed.get(keys);
  if (!index) indexed.set(keys, (index = new Map(Array.from(keys, (own, k) => [own, k]))));
  return index.get(key) ?? -1;
}

/** ln p(value of a feature | its parents as in the row, c) for every class. */
function logShares(
  { feature, parents, depths }: ContextFeature,
  levels: Int32Array,
  value: number,
  row: Float64Array,
  classes: number,
): Float64Array {
  const own = levels[feature];
  let shares = new Float64Array(classes).fill(1 / own);
  let context = 0;
  for (const [d, { contexts, concentration: m, weights, values, shares: counted }] of depths.entries()) {
    if (d > 0) {
      const [level, radix] = [row[parents[d - 1]], levels[parents[d - 1]]];
      context = level < radix ? placeOf(contexts, context * radix + level) : -1;
      if (context < 0) break;
    }
    const at = value < own ? placeOf(values, context * own + value) : -1;
    const weight = (c: number) => weights[context * classes + c];
    shares =
      at < 0
        ? shares.map((share, c) => (weight(c) > 0 ? (m * share) / (weight(c) + m) : share))
        : counted.slice(at * classes, (at + 1) * classes);
  }
  return shares.map(Math.log);
}

const run: Add<ContextTerm> = ({ features, levels, mostCombinations }, cells, score) => {
  const byFeature = new Map(features.map((own) => [own.feature, own]));
  const network: Network = {
    order: [...byFeature.keys()],
    levels,
    mostCombinations,
    parents: (j) => byFeature.get(j)!.parents, // the order holds features of the term only
    logShares: (j, value, row, to) => to.set(logShares(byFeature.get(j)!, levels, value, row, to.length)),
  };
  addLevels(network, dense(cells), score);
};

export const contextTerm: TermOperation<ContextTerm> = { shape, run };
