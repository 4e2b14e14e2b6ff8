import type { State, StateOptions } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { PlanBuilder } from './plan/builder.ts';
import { type Calibrating, calibratedScore } from './plan/calibrated.ts';
import { estimatorPosterior } from './plan/estimators.ts';
import { cannotCarry, type Inside, isCounting } from './plan/inside.ts';
import { classifierScore } from './plan/records.ts';
import { type Source, wholeRow } from './plan/sources.ts';
import { transformed } from './plan/steps.ts';
import type { Plan, PlanScore } from './plan.ts';

/** A fitted model (an estimator, a pipeline, a calibrated classifier, the best of a search, a classifier of records), or a plan. */
export interface Exportable {
  readonly classes: readonly Label[];
}

/** The scoring plan of a fitted model; a plan is returned as it is. User-defined functions and Fisher's method throw E_CONFLICT. */
export function planOf(model: Exportable): Plan {
  if (typeof model !== 'object' || model === null || !('classes' in model)) {
    refuse('E_TYPE', `a fitted model is expected, got ${show(model)}`);
  }
  if ('format' in model && model.format === 'polya/plan@1') return model as Plan;
  const builder = new PlanBuilder();
  const classes = [...model.classes];
  const records = recordsState(model);
  const score = records ? classifierScore(builder, records, classes) : scoreOf(builder, model, wholeRow);
  const { inputs, vectors } = builder;
  return { format: 'polya/plan@1', model: kindOf(model), classes, row: rowOf(builder), inputs, vectors, score };
}

const kindOf = (model: object) => ('kind' in model ? String(model.kind) : model.constructor.name);

/** What a row is: cells by name where names were learned, a text alone, or a list of cells. */
function rowOf({ named, inputs: [first, ...others] }: PlanBuilder): Plan['row'] {
  if (named) return 'record';
  return others.length === 0 && first.kind === 'text' && first.name === 'text' ? 'value' : 'list';
}

interface Stated {
  toState(options: StateOptions): State;
}

/** The state of a classifier of records. */
function recordsState(model: object): State | undefined {
  if (isCounting(model) || !('classifyAll' in model && 'toState' in model)) return undefined;
  return (model as unknown as Stated).toState({ tables: true });
}

/** ln p(c | x) of a model over a source. */
function scoreOf(builder: PlanBuilder, model: object, source: Source): PlanScore {
  if (isCounting(model)) return estimatorPosterior(builder, model, source);
  const kind = kindOf(model);
  if (kind === 'Pipeline') return pipelineScore(builder, model as { steps: readonly Step[] }, source);
  if ('calibratedClassifiers' in model) {
    return calibratedScore(builder, model as Calibrating, source, (inner) => scoreOf(builder, inner, source));
  }
  if ('bestEstimator' in model) return scoreOf(builder, model.bestEstimator as object, source);
  return cannotCarry(`a model of the kind ${kind}`, 'no export supports it');
}

interface Step {
  readonly kind: string;
}

function pipelineScore(builder: PlanBuilder, { steps }: { steps: readonly Step[] }, source: Source): PlanScore {
  const last = steps[steps.length - 1];
  const missing = isCounting(last) && (last as Inside).expectation().missing === true;
  let at = source;
  for (const step of steps.slice(0, -1)) at = { vector: transformed(step, { builder, source: at, missing }) };
  return scoreOf(builder, last, at);
}
