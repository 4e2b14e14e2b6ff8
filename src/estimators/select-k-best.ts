import { choice, either, integer, type OptionValues } from '../core/options.ts';
import { markBest } from '../features/select.ts';
import { scoreFunc } from './score-function.ts';
import { Selector } from './selector.ts';

const spec = {
  scoreFunc,
  /** How many features to keep. */
  k: either(integer({ default: 10, min: 0 }), choice(['all'], { default: 'all' })),
} as const;

/** Parameters of `SelectKBest`. */
export type SelectKBestOptions = Partial<OptionValues<typeof spec>>;

/**
 * Keeps the k features of the highest scores. Of equal scores the later feature wins, and NaN loses to every number, as in
 * scikit-learn's class of this name. Select inside each fold: the scores look at the labels.
 */
export class SelectKBest extends Selector<typeof spec> {
  constructor(options: SelectKBestOptions = {}) {
    super('SelectKBest', spec, options);
  }

  protected mark(scores: Float64Array): boolean[] {
    return markBest(scores, this.params.k);
  }
}
