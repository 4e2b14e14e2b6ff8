import { choice, flag, type GivenOptions, readOptions } from '../core/options.ts';
import { requireKind } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { didYouMean } from '../data/suggest.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { ask, type Candidate } from './fold-learning.ts';

/** A metric of true labels and answers. */
// biome-ignore lint/suspicious/noExplicitAny: metrics take labels, probabilities or scores
type Metric = (y: Label[], answers: any, options: any) => number;

const spec = {
  /** Whether a greater value is better; a loss is scored with a minus. Default: true. */
  greaterIsBetter: flag({ default: true }),
  /** The method of the estimator whose result the metric takes. Default: 'predict'. */
  responseMethod: choice(['predict', 'predictProba', 'decisionFunction'], { default: 'predict' }),
} as const;

/** Options of `makeScorer`; further options are passed to the metric. */
export type MakeScorerOptions = GivenOptions<typeof spec> & { readonly [option: string]: unknown };

/** A score of any estimator. */
type AnyScorer = (estimator: Candidate, X: unknown, y: Label[], options: { readonly sampleWeight?: Weights }) => number;

/** A score for searches and cross-validation from a metric: `makeScorer(fbetaScore, { beta: 2, average: 'macro' })`. */
export function makeScorer(metric: Metric, options: MakeScorerOptions = {}): AnyScorer {
  requireKind(metric, 'a metric', 'function');
  requireKind(options, 'options of the metric', 'object');
  const { greaterIsBetter, responseMethod, ...rest } = options;
  for (const name of Object.keys(rest)) {
    const advice = didYouMean(name, Object.keys(spec));
    if (advice) refuse('E_PARAM', `makeScorer has no option ${show(name)}${advice}`, { name });
  }
  const read = readOptions('makeScorer', spec, { greaterIsBetter, responseMethod });
  return (estimator, X, y, weights) => {
    const answers = ask(estimator, read.responseMethod, X);
    return (read.greaterIsBetter ? 1 : -1) * metric(y, answers, { ...rest, ...weights });
  };
}
