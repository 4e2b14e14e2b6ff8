import { logJointOf, readRow } from '../../models/aode-row.ts';
import { addLevels, type Network } from '../../models/kdb-row.ts';
import { logTreeRow } from '../../models/tree-row.ts';
import { levelOffsets } from '../../stats/layout.ts';
import { dense } from '../cells.ts';
import {
  counts,
  integers,
  list,
  number,
  numbers,
  place,
  places,
  record,
  table,
  tables,
  type ValueOf,
} from '../shape.ts';
import { type Add, operation, term } from './term.ts';

type Parents = { readonly levels: Int32Array; readonly parents: Int32Array };

const levelsAbove = ({ levels, parents }: Parents, j: number) => (parents[j] < 0 ? 0 : levels[parents[j]]);

const treeShape = term(
  'tree',
  {
    levels: places,
    parents: integers,
    dice: tables(3, ({ classes }, own: Parents, j) => [classes, levelsAbove(own, j) + 1, own.levels[j] + 1]),
  },
  'Σ dice[j][c][u][v] with v = x[j] and u = x[parents[j]], u = 0 where the parent is −1; the last level of each is for unknown ones. ' +
    'Missing cells are summed over along the tree.',
);

/** Every parent before its children. */
export function orderOf(parents: Int32Array): Int32Array {
  const depth = (j: number, steps = 0): number =>
    j < 0 || steps > parents.length ? steps : depth(parents[j], steps + 1);
  return Int32Array.from([...parents.keys()].sort((a, b) => depth(a) - depth(b)));
}

const addTree: Add<ValueOf<typeof treeShape>> = (own, cells, score) => {
  const tree = { ...own, order: orderOf(own.parents) };
  const x = dense(cells);
  for (let c = 0; c < score.length; c++) score[c] += logTreeRow(tree, x, c);
};

type Levels = { readonly levels: Int32Array };
const total = ({ levels }: Levels) => levels.reduce((sum, count) => sum + count, 0);

/** Levels are numbered over all features, L in all; −1 is an unknown level. */
const aodeShape = term(
  'aode',
  {
    levels: places,
    logPrior: numbers,
    frequency: numbers,
    weights: numbers,
    minimumFrequency: number,
    // c · L + u, (c · L + u) · L + v, (c · L + u) · J + j, c · L + v and c · J + j
    logJoint: table(2, ({ classes }, own: Levels) => [classes, total(own)]),
    logGiven: table(3, ({ classes }, own: Levels) => [classes, total(own), total(own)]),
    logUnseen: table(3, ({ classes, features }, own: Levels) => [classes, total(own), features]),
    logAlone: table(2, ({ classes }, own: Levels) => [classes, total(own)]),
    logUnseenAlone: table(2, ({ classes, features }) => [classes, features]),
  },
  'ln Σᵢ Wᵢ exp(logJoint[c][uᵢ] + Σ{j ≠ i} logGiven[c][uᵢ][uⱼ]) over features whose level was seen minimumFrequency times and at all, W ' +
    'normalised; a missing feature of which some level was is summed over all its levels; levels u are numbered over all features, and logUnseen[c][uᵢ][j] is for unknown ones. Where none qualifies, ' +
    'logPrior[c] + Σ logAlone[c][uⱼ].',
);

/** Averaged one-dependence estimators. */
const addAode: Add<ValueOf<typeof aodeShape>> = (own, cells, score) => {
  const ensemble = { ...own, features: own.levels.length, offsets: levelOffsets(own.levels) };
  const row = readRow(ensemble, dense(cells));
  for (let c = 0; c < score.length; c++) score[c] += logJointOf(ensemble, row, c);
};

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

const contextShape = term(
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

const indexed = new WeakMap<Float64Array, Map<number, number>>();

/** The place of a key in a list, −1 where it is not there; lists are indexed at the first search. */
function placeOf(keys: Float64Array, key: number): number {
  let index = indexed.get(keys);
  if (!index) indexed.set(keys, (index = new Map(Array.from(keys, (own, k) => [own, k]))));
  return index.get(key) ?? -1;
}

/** ln p(value of a feature | its parents as in the row, c) for every class. */
function logShares(
  { feature: j, parents, depths }: ContextFeature,
  levels: Int32Array,
  value: number,
  row: Float64Array,
  classes: number,
): Float64Array {
  const own = levels[j];
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

/** Levels in the context of others, for a k-dependence classifier. */
const addContexts: Add<ValueOf<typeof contextShape>> = ({ features, levels, mostCombinations }, cells, score) => {
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

export const treeTerm = operation({ shape: treeShape, run: addTree });
export const aodeTerm = operation({ shape: aodeShape, run: addAode });
export const contextTerm = operation({ shape: contextShape, run: addContexts });
