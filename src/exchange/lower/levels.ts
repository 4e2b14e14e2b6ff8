import { levelOffsets } from '../../stats/layout.ts';
import type { ContextDepth, ContextFeature, TermOf } from '../plan.ts';
import { orderOf } from '../terms/levels.ts';
import { type Algebra, range, type Tensor } from './algebra.ts';

/** Levels, with the index after the last for unknown ones; missing cells stay missing. */
function capped<T extends Tensor>(a: Algebra<T>, x: T, levels: ArrayLike<number>): T {
  const beyond = a.constant(levels);
  return a.keep(a.where(a.lessOrEqual(beyond, x), beyond, x));
}

/** A table of level × class, made number by number. */
const tableOf = (rows: number, classes: number, value: (row: number, c: number) => number): Float64Array =>
  Float64Array.from({ length: rows * classes }, (_, k) => value(Math.floor(k / classes), k % classes));

/** ln p(x | c) along a tree of levels. */
export function tree<T extends Tensor>(term: TermOf<'tree'>, a: Algebra<T>, x: T, classes: number): T {
  const { levels, parents, dice } = term;
  a.afford('a tree', 'pairs of levels', dice.reduce((sum, { length }) => sum + length, 0)); // biome-ignore format: short
  const level = capped(a, x, levels);
  if (a.mayMiss(x)) return treeWithGaps(term, a, level, classes);
  const widths = Array.from(levels, (count, j) => (parents[j] < 0 ? 0 : count + 1));
  const above = a.mul(a.gather(level, 0, parents.map((j) => Math.max(j, 0))), a.constant(widths)); // biome-ignore format: short
  const tables = dice.map((die) => {
    const pairs = die.length / classes;
    return tableOf(pairs, classes, (pair, c) => die[c * pairs + pair]);
  });
  return a.sum(a.lookup(a.keep(a.add(above, level)), tables, classes));
}

/** The subtree below a feature: its log-likelihood for each level of the feature, classes × levels, and whether any of its cells is present. */
interface Below<T> {
  readonly message: T;
  readonly present: T;
}

/**
 * The same where cells may be missing. From the leaves to the root every feature passes a message to its parent: the log-likelihood of its
 * subtree for each level of the parent. It uses its own level where the cell is present, and sums over all levels where it is missing.
 */
function treeWithGaps<T extends Tensor>(
  { levels, parents, dice }: TermOf<'tree'>,
  a: Algebra<T>,
  level: T,
  classes: number,
): T {
  const below = new Map<number, Below<T>>();
  let roots: T | undefined;
  for (const j of orderOf(parents).reverse()) {
    const [own, above] = [levels[j] + 1, parents[j] < 0 ? 1 : levels[parents[j]] + 1];
    const face = (c: number, u: number, v: number) => dice[j][(c * above + u) * own + v];
    const value = a.at(level, j);
    const faces = tableOf(own, classes * above, (v, k) => face(Math.floor(k / above), k % above, v));
    let message = a.reshape(a.lookup(value, [faces], classes * above), classes, above);
    let present = a.not(a.missing(value));
    const under = below.get(j);
    if (under) {
      const known = a.add(message, a.reshape(a.choose(value, under.message), classes, 1));
      const summed = () => {
        const learned = range(classes * above * levels[j]).map((k) => {
          const [pair, v] = [Math.floor(k / levels[j]), k % levels[j]];
          return face(Math.floor(pair / above), pair % above, v);
        });
        const lower = a.reshape(a.gather(under.message, 1, range(levels[j])), classes, 1, levels[j]);
        return a.reduce('logSumExp', a.add(a.constant(learned, classes, above, levels[j]), lower), 2);
      };
      const gap = levels[j] === 0 ? -Infinity : summed();
      message = a.unlessMissing(value, known, a.where(under.present, gap, 0));
      present = a.keep(a.or(present, under.present));
    }
    message = a.keep(message);
    const parent = parents[j];
    if (parent < 0) {
      const root = a.reshape(message, classes);
      roots = roots ? a.add(roots, root) : root;
      continue;
    }
    const other = below.get(parent);
    below.set(parent, {
      message: other ? a.keep(a.add(other.message, message)) : message,
      present: other ? a.keep(a.or(other.present, present)) : present,
    });
  }
  return roots as T;
}

/** Averaged one-dependence: the log-likelihood with each feature as the parent of all others, weighted by its share of those that qualify. */
export function aode<T extends Tensor>(term: TermOf<'aode'>, a: Algebra<T>, x: T, classes: number): T {
  const { levels, logPrior, logJoint, logGiven, logUnseen, logAlone, logUnseenAlone } = term;
  a.afford('averaged one-dependence estimators', 'pairs of levels', logGiven.length);
  const features = levels.length;
  const offsets = levelOffsets(levels);
  const size = offsets[features];
  const level = capped(a, x, levels);
  /** ln p(level v of feature j | c, level u). */
  const given = (c: number, u: number, j: number, v: number) =>
    v < levels[j] ? logGiven[(c * size + u) * size + offsets[j] + v] : logUnseen[(c * size + u) * features + j];
  const { shares, count } = parentShares(term, a, level);
  const others = range(features).map((i) => range(features).filter((j) => j !== i));
  const joint = a.lookup(
    level,
    range(features).map((j) => tableOf(Math.max(1, levels[j]), classes, (u, c) => logJoint[c * size + offsets[j] + u])),
    classes,
  );
  const pairs = others.flatMap((all, i) => all.map((j) => [i, j] as const));
  const places = (side: 0 | 1) => a.gather(level, 0, pairs.map((pair) => pair[side])); // biome-ignore format: short
  const keys = () => a.add(a.mul(places(0), a.constant(pairs.map(([, j]) => levels[j] + 1))), places(1));
  const tables = pairs.map(([i, j]) =>
    tableOf(Math.max(1, levels[i]) * (levels[j] + 1), classes, (key, c) => {
      const u = Math.floor(key / (levels[j] + 1));
      return given(c, offsets[i] + u, j, key % (levels[j] + 1));
    }),
  );
  const children = () =>
    a.sum(a.reshape(a.lookup(a.keep(keys()), tables, classes), features, features - 1, classes), 1);
  const known = features > 1 ? a.add(joint, children()) : joint;
  const missingParent = (i: number) => {
    if (levels[i] === 0) return a.constant(new Float64Array(classes).fill(-1e300), 1, classes);
    const own = range(levels[i]).map((v) => offsets[i] + v);
    const start = a.constant(tableOf(own.length, classes, (u, c) => logJoint[c * size + own[u]]), own.length, classes); // biome-ignore format: short
    if (features === 1) return a.reshape(a.reduce('logSumExp', start, 0), 1, classes);
    const cells = a.gather(level, 0, own.flatMap(() => others[i])); // biome-ignore format: short
    const faces = own.flatMap((u) =>
      others[i].map((j) => tableOf(levels[j] + 1, classes, (v, c) => given(c, u, j, v))),
    );
    const sums = a.sum(a.reshape(a.lookup(cells, faces, classes), own.length, features - 1, classes), 1);
    return a.reshape(a.reduce('logSumExp', a.add(start, sums), 0), 1, classes);
  };
  const gaps = a.mayMiss(x);
  const sums = gaps
    ? a.where(a.reshape(a.missing(level), features, 1), a.concat(range(features).map(missingParent)), known)
    : known;
  const own = a.reshape(shares, features, 1);
  const weighted = a.where(a.less(0, own), a.add(sums, a.log(own)), -Infinity);
  const alone = a.lookup(
    level,
    range(features).map((j) =>
      tableOf(levels[j] + 1, classes, (v, c) =>
        v < levels[j] ? logAlone[c * size + offsets[j] + v] : logUnseenAlone[c * features + j],
      ),
    ),
    classes,
  );
  return a.where(
    a.equal(count, 0),
    a.keep(a.add(a.sum(alone), a.constant(logPrior))),
    a.reduce('logSumExp', weighted, 0),
  );
}

/** The share of every feature among those whose level was seen often enough to be a parent, and how many there are. */
function parentShares<T extends Tensor>(
  { levels, frequency, minimumFrequency, weights }: TermOf<'aode'>,
  a: Algebra<T>,
  level: T,
): { shares: T; count: T } {
  const offsets = levelOffsets(levels);
  const often = Array.from(levels, (count, j) =>
    Float64Array.from({ length: count + 1 }, (_, v) => {
      const rows = v < count ? frequency[offsets[j] + v] : 0;
      return Number(rows > 0 && rows >= minimumFrequency);
    }),
  );
  const known = a.reshape(a.lookup(level, often, 1), levels.length);
  const fits = a.keep(a.unlessMissing(level, known, a.constant(often.map((own) => Math.max(...own)))));
  const count = a.keep(a.sum(fits));
  const weighted = a.mul(fits, a.constant(weights));
  const total = a.keep(a.sum(weighted));
  const share = a.where(a.less(0, total), a.div(weighted, total), a.div(fits, count));
  return { shares: a.keep(a.where(a.equal(fits, 0), 0, share)), count };
}

/**
 * Σ ln p(xⱼ | c, parents). A row in which parents are missing is summed over the combinations of their levels, as far as these are few. Contexts
 * and values are numbered from 1 at each depth, and 0 is one that was not counted.
 */
export function contexts<T extends Tensor>(term: TermOf<'contexts'>, a: Algebra<T>, x: T, classes: number): T {
  const { features, mostCombinations } = term;
  const numbers = features.flatMap(({ depths }) => depths.map(({ weights, shares }) => weights.length + shares.length));
  a.afford('a k-dependence classifier', 'pairs of levels', numbers.reduce((sum, count) => sum + count, 0)); // biome-ignore format: short
  const scoreOf = (values: T) => {
    const parts = features.map((own) => a.reshape(featureScores(term, own, a, values, classes), 1, classes));
    return a.sum(a.concat(parts));
  };
  if (!a.mayMiss(x)) return scoreOf(x);
  const { open, times } = openIn(term, a, x);
  if (open.size === 0) return scoreOf(x);
  const order = [...open.keys()];
  const isOpen = a.concat(order.map((j) => a.indicator(open.get(j)!.is)));
  const strides = a.concat(order.map((j) => open.get(j)!.stride));
  return a.sumOver(times, mostCombinations, [x, isOpen, strides], (copy, [row, summed, stride]) => {
    const radix = a.constant(order.map((j) => term.levels[j]));
    const digits = a.keep(a.floor(a.div(copy, stride)));
    const digit = a.sub(digits, a.mul(a.floor(a.div(digits, radix)), radix));
    const filled = a.where(a.equal(summed, 1), digit, a.gather(row, 0, order));
    const places = range(x.shape[0]).map((j) => (open.has(j) ? x.shape[0] + order.indexOf(j) : j));
    return scoreOf(a.keep(a.gather(a.concat([row, filled]), 0, places)));
  });
}

/** For each parent that may have to be summed over: whether it is, in this row, and the product of the levels of those before it. */
function openIn<T extends Tensor>({ features, levels, mostCombinations }: TermOf<'contexts'>, a: Algebra<T>, x: T) {
  const gap = (j: number) => a.missing(a.at(x, j));
  const needed = new Map<number, T>();
  for (const { feature, parents } of [...features].reverse()) {
    const present = a.not(gap(feature));
    const own = needed.get(feature);
    const counts = a.keep(own ? a.or(present, own) : present);
    for (const parent of parents) {
      if (!a.mayMiss(a.at(x, parent))) continue;
      const asked = a.and(gap(parent), counts);
      const before = needed.get(parent);
      needed.set(parent, a.keep(before ? a.or(before, asked) : asked));
    }
  }
  let product = a.constant([1]);
  let times = a.constant([1]);
  const open = new Map<number, { readonly is: T; readonly stride: T }>();
  for (const { feature: j } of features) {
    const own = needed.get(j);
    if (!own || levels[j] === 0) continue;
    product = a.keep(a.where(own, a.mul(product, levels[j]), product));
    const is = a.keep(a.and(own, a.lessOrEqual(product, mostCombinations)));
    open.set(j, { is, stride: times });
    times = a.keep(a.where(is, a.mul(times, levels[j]), times));
  }
  return { open, times };
}

/** ln p(xⱼ | c, parents), 0 where the feature is missing. */
function featureScores<T extends Tensor>(
  { levels }: TermOf<'contexts'>,
  { feature, parents, depths }: ContextFeature,
  a: Algebra<T>,
  values: T,
  classes: number,
): T {
  const placeOf = (j: number) => {
    const value = a.at(values, j);
    return a.keep(a.where(a.less(value, levels[j]), value, levels[j]));
  };
  const find = (context: T, j: number, keys: Float64Array, above: number) =>
    a.keep(
      a.reshape(
        a.lookup(a.keep(a.add(a.mul(context, levels[j] + 1), placeOf(j))), [numbered(keys, above, levels[j])], 1),
        1,
      ),
    );
  let context = a.constant([1]);
  let logs = a.constant(new Float64Array(classes).fill(-Math.log(levels[feature])));
  depths.forEach((depth, d) => {
    if (d > 0) context = find(context, parents[d - 1], depth.contexts, depths[d - 1].contexts.length);
    const value = find(context, feature, depth.values, depth.contexts.length);
    const lost = a.reshape(a.lookup(context, [lostLogs(depth, classes)], classes), classes);
    const known = Float64Array.of(...new Float64Array(classes), ...depth.shares.map(Math.log));
    const shares = a.reshape(a.lookup(value, [known], classes), classes);
    logs = a.keep(a.where(a.less(0, value), shares, a.add(logs, lost)));
  });
  return a.unlessMissing(a.at(values, feature), logs, 0);
}

/** A table with a row for no context and for each of some, and in a row a place for every level and for those on no list. */
function numbered(keys: Float64Array, contextCount: number, levels: number): Float64Array {
  const table = new Float64Array((contextCount + 1) * (levels + 1));
  keys.forEach((key, k) => {
    const above = Math.floor(key / levels);
    table[(above + 1) * (levels + 1) + (key - above * levels)] = k + 1;
  });
  return table;
}

/** ln m / (N + m) of every context and class, 0 where the class was not counted; in front of them no context. */
function lostLogs({ concentration: m, weights }: ContextDepth, classes: number): Float64Array {
  const logs = new Float64Array(weights.length + classes);
  weights.forEach((weight, k) => {
    if (weight > 0) logs[classes + k] = Math.log(m / (weight + m));
  });
  return logs;
}
