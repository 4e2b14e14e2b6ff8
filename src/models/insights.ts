import { type Insight, levelCells, linearInsight, wordCells } from '../core/insight.ts';
import type { Linear } from '../core/linear.ts';
import type { Model } from '../core/model.ts';
import { wordTelling } from '../core/telling.ts';
import type { Shape } from '../data/batch.ts';
import type { Sums } from '../stats/sums.ts';
import { bernoulliInsight } from './bernoulli-insight.ts';
import { categoricalInsight } from './categorical-insight.ts';
import { type ComplementOptions, complementLeaveOneOut } from './complement.ts';
import { gaussianInsight } from './gaussian-insight.ts';
import { kdbLeaveOneOut } from './kdb-held-out.ts';
import { kernelInsight } from './kernel.ts';
import { linearLeaveOneOut } from './linear-discriminant.ts';
import { mixedInsight } from './mixed-insight.ts';
import { multinomialInsight } from './multinomial-insight.ts';
import { poissonInsight } from './poisson-insight.ts';
import { quadraticLeaveOneOut } from './quadratic-discriminant.ts';
import { urnInsight } from './urn.ts';

// biome-ignore lint/suspicious/noExplicitAny: each model has its own statistic, parameters and options
type AnyInsight = Insight<any, any, any>;

/** Insights into complement weights. Their score is not a probability, so there is nothing to draw. */
const complementInsight: Insight<Sums, Linear, ComplementOptions> = {
  ...linearInsight,

  telling: (_, stats) => wordTelling(stats),

  leaveOneOut: complementLeaveOneOut,
};

/** The insights of every model, by name. They are in a separate module, so that bundles without explanations leave them out. */
const insights: Readonly<Record<string, AnyInsight>> = {
  aode: { cells: () => levelCells },
  bernoulli: bernoulliInsight,
  categorical: categoricalInsight,
  complement: complementInsight,
  discriminative: linearInsight,
  gaussian: gaussianInsight,
  kdb: { cells: () => levelCells, leaveOneOut: kdbLeaveOneOut },
  kernel: kernelInsight,
  'linear-discriminant': { leaveOneOut: linearLeaveOneOut },
  mixed: mixedInsight,
  multinomial: multinomialInsight,
  poisson: poissonInsight,
  'quadratic-discriminant': { leaveOneOut: quadraticLeaveOneOut },
  'robinson-fisher': { cells: () => wordCells },
  tree: { cells: () => levelCells },
  urn: urnInsight,
};

/** The insights of a model; empty for a user-defined one. */
export function insightOf<S extends Shape, P extends Shape, O>({ name }: Model<S, P, O>): Insight<S, P, O> {
  return Object.hasOwn(insights, name) ? insights[name] : {};
}
