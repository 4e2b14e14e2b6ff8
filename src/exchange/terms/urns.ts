import { lgamma } from '../../math/gamma.ts';
import { logGammaRatio } from '../../math/gamma-ratio.ts';
import { sparse } from '../cells.ts';
import { byClass, flag, flags, numbers, type ValueOf } from '../shape.ts';
import { type Add, type TermOperation, term } from './term.ts';

const shape = term(
  'urns',
  { alpha: byClass, precision: numbers, edcm: flags, complement: flag },
  'With n = Σ x: ln n! − Σ ln x! − ln Γ(s + n)/Γ(s) + Σ ln Γ(α + x)/Γ(α), α = alpha[c][j], s = precision[c]; with edcm[c] Σ ln x stands for ' +
    'Σ ln x! and ln α for the last. With `complement` it is subtracted.',
);

/** Pólya's urn. */
export type UrnTerm = ValueOf<typeof shape>;

const run: Add<UrnTerm> = ({ alpha, precision, edcm, complement }, cells, score) => {
  const { width, indices, values } = sparse(cells);
  let [n, repeats, counts] = [0, 0, 0];
  for (const count of values) {
    n += count;
    if (count === 1) continue;
    repeats += lgamma(count + 1);
    counts += Math.log(count);
  }
  const orders = lgamma(n + 1);
  for (let c = 0; c < score.length; c++) {
    let sum = orders - (edcm[c] ? counts : repeats) - logGammaRatio(precision[c], n);
    for (let k = 0; k < indices.length; k++) {
      const a = alpha[c * width + indices[k]];
      sum += edcm[c] || values[k] === 1 || a === 0 ? Math.log(a) : logGammaRatio(a, values[k]);
    }
    score[c] += complement ? -sum : sum;
  }
};

export const urnTerm: TermOperation<UrnTerm> = { shape, run };
