import { type DensityName, logDensities } from '../../models/log-densities.ts';
import { dense } from '../cells.ts';
import { choices, list, numbers, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

const names = Object.keys(logDensities) as DensityName[];

const shape = term(
  'densities',
  { distribution: choices(...names), parameters: list(numbers) },
  'Σ ln p(x[j]; parameters[j · C + c]), as docs/models/mixed.md names them.',
);

/** Σ ln p(x[j]) of columns of one distribution. */
export type DensityTerm = ValueOf<typeof shape>;

const run: Add<DensityTerm> = ({ distribution, parameters }, cells, score) => {
  const x = dense(cells);
  const logDensity = logDensities[distribution];
  for (let j = 0; j < x.length; j++) {
    if (Number.isNaN(x[j])) continue;
    for (let c = 0; c < score.length; c++) score[c] += logDensity(parameters[j * score.length + c], x[j]);
  }
};

export const densityTerm: TermOperation<DensityTerm> = { shape, run };
