import type { State } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import { refuse, show } from '../errors.ts';
import { kinds } from '../estimators/kinds/index.ts';
import { isCounting } from './plan/inside.ts';
import { planOfModel } from './plan/models.ts';
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
  const records = !isCounting(model) && 'classifyAll' in model && 'toState' in model;
  return records ? planOfRecords((model as Stated).toState(), model.classes, kinds) : planOfModel(model, kinds);
}

interface Stated extends Exportable {
  toState(): State;
}
