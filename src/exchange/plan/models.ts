import type { Label } from '../../data/labels.ts';
import type { Plan, PlanScore } from '../plan.ts';
import { PlanBuilder, planFrom } from './builder.ts';
import { type Calibrating, calibratedScore } from './calibrated.ts';
import { estimatorPosterior } from './estimators.ts';
import { cannotCarry, isCounting, type Kinds } from './inside.ts';
import { type Source, wholeRow } from './sources.ts';
import { transformed } from './steps.ts';

/** The plan of a model that is not a classifier of records. */
export function planOfModel(model: object & { readonly classes: readonly Label[] }, kinds: Kinds): Plan {
  const builder = new PlanBuilder(kinds);
  return planFrom(builder, kindOf(model), [...model.classes], scoreOf(builder, model, wholeRow));
}

const kindOf = (model: object) => ('kind' in model ? String(model.kind) : model.constructor.name);

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
  const missing = isCounting(last) && last.expectation().missing === true;
  let at = source;
  for (const step of steps.slice(0, -1)) at = { vector: transformed(step, { builder, source: at, missing }) };
  return scoreOf(builder, last, at);
}
