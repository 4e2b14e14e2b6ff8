import { logSumExp } from '../../math/logs.ts';
import { dense } from '../cells.ts';
import { integers, places, tables, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

type Owner = { readonly levels: Int32Array; readonly parents: Int32Array };

const levelsAbove = ({ levels, parents }: Owner, j: number) => (parents[j] < 0 ? 0 : levels[parents[j]]);

const shape = term(
  'tree',
  {
    levels: places,
    parents: integers,
    dice: tables(3, ({ classes }, own: Owner, j) => [classes, levelsAbove(own, j) + 1, own.levels[j] + 1]),
  },
  'Σ dice[j][c][u][v] with v = x[j] and u = x[parents[j]], u = 0 where the parent is −1; the last level of each is for unknown ones. ' +
    'Missing cells are summed over along the tree.',
  ({ parents }) => ({ order: orderOf(parents) }),
);

/** A tree of levels. */
export type TreeTerm = ValueOf<typeof shape>;

/** Every parent before its children. */
function orderOf(parents: Int32Array): Int32Array {
  const depth = (j: number, steps = 0): number =>
    j < 0 || steps > parents.length ? steps : depth(parents[j], steps + 1);
  return Int32Array.from([...parents.keys()].sort((a, b) => depth(a) - depth(b)));
}

const run: Add<TreeTerm> = (own, cells, score) => {
  const { parents } = own;
  const x = dense(cells);
  const gaps = x.some(Number.isNaN);
  for (let c = 0; c < score.length; c++) {
    if (gaps) score[c] += scoreIncomplete(own, x, c);
    else score[c] += x.reduce((sum, v, j) => sum + face(own, j, c, parents[j] < 0 ? 0 : x[parents[j]], v), 0);
  }
};

/** ln p(x[j] = v | parent at u, c). */
function face(own: TreeTerm, j: number, c: number, u: number, v: number): number {
  const [above, levels] = [levelsAbove(own, j), own.levels[j]];
  return own.dice[j][(c * (above + 1) + Math.min(u, above)) * (levels + 1) + Math.min(v, levels)];
}

/** ln p(x | c) summed over missing cells, from the leaves to the root. */
function scoreIncomplete(own: TreeTerm, x: Float64Array, c: number): number {
  const { levels, parents, order } = own;
  const below = Array.from(levels, (count) => new Float64Array(count + 1));
  const known = Array.from(x, (value) => !Number.isNaN(value));
  const message = (j: number, u: number) => {
    if (!Number.isNaN(x[j])) return face(own, j, c, u, x[j]) + below[j][Math.min(x[j], levels[j])];
    return logSumExp(Float64Array.from({ length: levels[j] }, (_, v) => face(own, j, c, u, v) + below[j][v]));
  };
  let sum = 0;
  for (let step = x.length - 1; step >= 0; step--) {
    const j = order[step];
    if (!known[j]) continue;
    const parent = parents[j];
    if (parent < 0) {
      sum += message(j, 0);
      continue;
    }
    known[parent] = true;
    const open = Number.isNaN(x[parent]);
    const [from, to] = open ? [0, levels[parent] - 1] : [0, 0].fill(Math.min(x[parent], levels[parent]));
    for (let u = from; u <= to; u++) below[parent][u] += message(j, u);
  }
  return sum;
}

export const treeTerm: TermOperation<TreeTerm> = { shape, run };
