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

/** What complements tell of themselves. Their score is no probability, so there is nothing to draw. */
const complementInsight: Insight<Sums, Linear, ComplementOptions> = {
  ...linearInsight,

  telling: (_, stats) => wordTelling(stats),

  leaveOneOut: complementLeaveOneOut,
};

/** What is known of every model beyond scores, by its name. Only those who ask for it carry it. */
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

/** What a model tells of itself; nothing where it is not one of the house. */
export function insightOf<S extends Shape, P extends Shape, O>({ name }: Model<S, P, O>): Insight<S, P, O> {
  return Object.hasOwn(insights, name) ? insights[name] : {};
}
