import type { State } from '../../core/artifact.ts';
import { classFactors } from '../../core/class-weight.ts';
import type { Model } from '../../core/model.ts';
import { type OptionSpec, type OptionValues, readOptions } from '../../core/options.ts';
import type { Shape } from '../../data/batch.ts';
import type { Expectation } from '../../data/input.ts';
import type { Label } from '../../data/labels.ts';
import { type Counts, intact, type Learned, readLearned, readParameters, type StatisticKind } from '../learned.ts';
import { classWeights } from '../learning.ts';
import type { Kind } from './kind.ts';

// biome-ignore lint/suspicious/noExplicitAny: each kind has its own options, statistic and parameters
export type AnyKind = Kind<any, any, any, any>;

/** What is expected of rows. */
export function expectationOf<Spec extends OptionSpec>(
  kind: Pick<Kind<Spec, Shape, Shape, unknown>, 'accepts'>,
  params: OptionValues<Spec>,
): Expectation {
  const { missing, extra } = params as { missing?: unknown; extra?: Expectation['extra'] };
  return { missing: missing === 'ignore', extra, ...kind.accepts(params) };
}

/** The statistic in the requested arithmetic. */
export function arithmeticOf<S extends Shape>(
  { statistic }: Pick<Model<S, Shape, unknown>, 'statistic'>,
  { reproducible }: { readonly reproducible?: boolean },
): StatisticKind<S> {
  return reproducible ? statistic.exact : statistic;
}

/** A statistic as plain numbers, as models read it. */
export function roundedCounts<S extends Shape>(
  { statistic }: Pick<Model<S, Shape, unknown>, 'statistic'>,
  counts: Counts<S>,
): S {
  const stats = counts.read();
  return 'cells' in stats ? statistic.exact.round(stats) : stats;
}

/** A copy of counts in which every class has its weight; the counts themselves where there are no class weights. */
export function weightedCounts<S extends Shape>(
  { weighsRows }: Pick<AnyKind, 'weighsRows'>,
  { statistic }: Pick<Model<S, Shape, unknown>, 'statistic'>,
  { classWeight }: { readonly classWeight?: Parameters<typeof classFactors>[0] | null },
  counts: S,
  classes: readonly Label[],
): S {
  if (!classWeight || weighsRows) return counts;
  const weighted = statistic.reshape(counts, counts, {});
  statistic.scale(weighted, classFactors(classWeight, classes, classWeights(counts)));
  return weighted;
}

/** A saved classifier that predicts: what was learned, and the parameters that follow from it. */
export interface Opened {
  readonly model: Model<Shape, Shape, unknown>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly learned: Learned<Shape>;
  /** The parameters, estimated once. */
  parameters(): Shape;
  readonly expectation: Expectation;
}

/** A saved classifier without the code that learns: parameters are estimated from its counts, or read from a slim file. */
export function openSaved(kind: AnyKind, state: State): Opened {
  return intact(() => {
    const params = readOptions(kind.name, kind.spec as OptionSpec, state.params);
    const model: Model<Shape, Shape, unknown> = kind.model(params);
    const learned = readLearned(arithmeticOf(model, params), state);
    const { counts, classes, schema, slim } = learned;
    const options = kind.modelOptions(params, counts.shape, schema);
    let derived = slim ? readParameters(model.form, state, counts.shape, options) : undefined;
    const parameters = () => {
      derived ??= model.estimate(weightedCounts(kind, model, params, roundedCounts(model, counts), classes), options);
      return derived;
    };
    return { model, params, learned, parameters, expectation: expectationOf(kind, params) };
  });
}
