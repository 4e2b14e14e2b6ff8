import type { Form } from '../core/form.ts';
import type { Tree } from './tree.ts';

/** Who leans on whom, and the dice of all features one after another. */
export const treeForm: Form<Tree, unknown> = {
  arrays: {
    logPrior: ['log', 'classes'],
    information: ['log', 'features', 'features'],
    parents: ['place', 'features'],
    order: ['place', 'features'],
    dice: ['log', 'any'],
  },
  pack: ({ logPrior, information, parents, order, dice }) => ({
    logPrior,
    information,
    parents: Float64Array.from(parents),
    order: Float64Array.from(order),
    dice: Float64Array.from(dice.flatMap((own) => [...own])),
  }),
  unpack(packed, { classes, features, levels = new Int32Array(features) }) {
    const { logPrior, information, dice } = packed;
    const [parents, order] = [Int32Array.from(packed.parents), Int32Array.from(packed.order)];
    if (!isForest(parents, order)) return undefined;
    let at = 0;
    const own = Array.from(parents, (parent, j) => {
      const size = classes * ((parent < 0 ? 0 : levels[parent]) + 1) * (levels[j] + 1);
      return dice.slice(at, (at += size));
    });
    return at === dice.length
      ? { classes, features, levels, logPrior, information, parents, order, dice: own }
      : undefined;
  },
};

/** Whether every feature stands in the order once, and behind its parent. */
function isForest(parents: Int32Array, order: Int32Array): boolean {
  const seen = new Set<number>([-1]);
  const fits = order.every((j) => j >= 0 && j < parents.length && seen.has(parents[j]) && !seen.has(j) && seen.add(j));
  return fits && seen.size === parents.length + 1;
}
