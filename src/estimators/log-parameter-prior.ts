import { insightOf } from '../models/insights.ts';
import { type Fitted, requireFitted } from './inside.ts';

/** ln p(θ) of the prior under which the parameters are the mode, up to a constant; 0 for a family without one. */
export function logParameterPrior(fitted: Fitted): number {
  const { model, params, counted } = requireFitted(fitted).inside();
  return insightOf(model).logParameterPrior?.(params, counted().options) ?? 0;
}
