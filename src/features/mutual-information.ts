import { type GivenOptions, integer, type OptionSpec, readOptions, real, unchecked } from '../core/options.ts';
import { isSparse, type Rows } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { Random } from '../math/random.ts';
import { levelSurprise } from './information.ts';
import { readLabelled } from './labelled.ts';
import { denseColumn, levelWalker } from './levels.ts';
import { neighbourInformation, scaleAndJitter } from './neighbours.ts';

const spec = {
  /**
   * Columns whose values are levels: all, none, a mask, or indices; 'auto' means all of sparse rows and none of dense rows. Default:
   * 'auto'.
   */
  discreteFeatures: { ...unchecked<Discrete>(), default: 'auto' as Discrete },
  /** The number of neighbours for continuous columns; more reduce variance and increase bias. Default: 3. */
  nNeighbors: integer({ default: 3, min: 1 }),
  /** The seed of the noise of 1e-10 that breaks ties in continuous columns. Default: 0. */
  randomState: real({ default: 0 }),
} satisfies OptionSpec;

type Discrete = 'auto' | boolean | readonly boolean[] | readonly number[] | null;

/** Options of `mutualInfoClassif`. */
export type MutualInfoOptions = GivenOptions<typeof spec>;

/**
 * The mutual information of every feature and the class, in nats. For discrete features the plug-in estimate
 *
 *   I(C; X) = Σ_c Σ_v p(c, v) ln (p(c, v) / (p(c) p(v))),              (1)
 *
 * for continuous ones Ross's estimate by nearest neighbours. scikit-learn's function of this name; its noise is NumPy's, so
 * columns with repeated values agree only roughly.
 */
export function mutualInfoClassif(X: Features, y: ArrayLike<Label>, options: MutualInfoOptions = {}): Float64Array {
  const { discreteFeatures, nNeighbors, randomState } = readOptions('mutualInfoClassif', spec, options);
  const { batch } = readLabelled(X, y, { sparse: true });
  const discrete = discreteMask(discreteFeatures, batch);
  const { rows, features, classes } = batch;
  const n = new Float64Array(classes);
  for (const c of batch.y) n[c]++;
  const walk = levelWalker(batch, batch.y, n);
  return Float64Array.from(discrete, (isDiscrete, j) => {
    if (!isDiscrete && !isSparse(batch)) {
      // Every column draws the same noise, so that the order of the columns has no influence.
      const column = scaleAndJitter(denseColumn(batch.x, rows, features, j), new Random(randomState));
      return neighbourInformation(column, batch.y, classes, nNeighbors);
    }
    let sum = 0;
    walk(j, (counts) => {
      sum += levelSurprise(counts, n, rows);
    });
    return sum / rows;
  });
}

/** One flag per column: whether its values are levels. */
function discreteMask(given: Discrete, rows: Rows): boolean[] {
  const sparse = isSparse(rows);
  const mask = readMask(given, rows.features, sparse);
  if (sparse && mask.includes(false)) {
    refuse('E_PARAM', 'sparse rows have discrete features only; pass dense rows for continuous ones', {
      name: 'discreteFeatures',
    });
  }
  return mask;
}

function readMask(given: Discrete, features: number, sparse: boolean): boolean[] {
  if (given === 'auto' || typeof given === 'boolean')
    return new Array(features).fill(given === 'auto' ? sparse : given);
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const isMask = list.length === features && list.every((item) => typeof item === 'boolean');
  if (isMask) return list as boolean[];
  const areColumns = list.every((j) => Number.isSafeInteger(j) && (j as number) >= 0 && (j as number) < features);
  const columns = new Set(list);
  if (Array.isArray(given) && areColumns) return Array.from({ length: features }, (_, j) => columns.has(j));
  return refuse(
    'E_PARAM',
    `discreteFeatures must be 'auto', true, false, one flag per feature or column numbers below ${features}, got ${show(given)}`,
    { name: 'discreteFeatures', features },
  );
}
