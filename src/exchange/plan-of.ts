import type { State } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { kinds } from '../estimators/kinds/index.ts';
import { scorers, splitScores } from '../features/scorers.ts';
import { cannotCarry } from './plan/inside.ts';
import { planOfState } from './plan/models.ts';
import { planOfRecords } from './plan/records.ts';
import type { Plan } from './plan.ts';

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
  if ('bestEstimator' in model) return planOf(model.bestEstimator as Exportable);
  const { classes, toState } = model as Partial<Stated>; // the classes of a model that has learned nothing throw
  if (!classes || !toState) return cannotCarry(`a model of the kind ${kindOf(model)}`, 'no export supports it');
  return planOfState(toState.call(model), { kinds, ranking: { scorers, splitScores }, planOfRecords });
}

const kindOf = (model: object) => ('kind' in model ? String(model.kind) : model.constructor.name);

interface Stated extends Exportable {
  toState(): State;
}
