import { logKernelDensity } from '../../math/kernel-density.ts';
import { dense } from '../cells.ts';
import { list, number, numbers, orNull, record, type Shape, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

const kernel = record({ points: numbers, weights: numbers, bandwidth: number, total: number });

/** The kernels of one feature in one class. */
export type PlanKernel = ValueOf<typeof kernel>;

const rows = list(list(orNull(kernel)));

const kernels: Shape<readonly (PlanKernel | null)[]> = {
  schema: rows.schema,
  write(all, sizes, owner) {
    const { classes, features } = sizes;
    const cut = Array.from({ length: classes }, (_, c) => all.slice(c * features, (c + 1) * features));
    return rows.write(cut, sizes, owner);
  },
  read: (json, sizes) => rows.read(json, sizes).flat(),
};

const shape = term('kernels', { kernels }, 'Σ ln (1/total) Σ weights N(x; points, bandwidth²) with kernels[c][j].');

/** Σ ln (1/total) Σₚ weights[p] N(x; points[p], bandwidth²). */
export type KernelTerm = ValueOf<typeof shape>;

const run: Add<KernelTerm> = ({ kernels: all }, cells, score) => {
  const x = dense(cells);
  for (let c = 0; c < score.length; c++) {
    for (let j = 0; j < x.length; j++) {
      const own = all[c * x.length + j];
      if (own && !Number.isNaN(x[j])) score[c] += logKernelDensity(own, x[j]);
    }
  }
};

export const kernelTerm: TermOperation<KernelTerm> = { shape, run };
