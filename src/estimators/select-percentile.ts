import { type OptionValues, real } from '../core/options.ts';
import { markPercentile } from '../features/select.ts';
import { scoreFunc } from './score-function.ts';
import { Selector } from './selector.ts';

const spec = {
  scoreFunc,
  /** The percentage of the features to keep. */
  percentile: real({ default: 10, min: 0, max: 100 }),
} as const;

/** Parameters of `SelectPercentile`. */
export type SelectPercentileOptions = Partial<OptionValues<typeof spec>>;

/** Keeps a percentage of the features, those of the highest scores; of equals on the border the earlier ones. */
export class SelectPercentile extends Selector<typeof spec> {
  constructor(options: SelectPercentileOptions = {}) {
    super('SelectPercentile', spec, options);
  }

  protected mark(scores: Float64Array): boolean[] {
    return markPercentile(scores, this.params.percentile);
  }
}
