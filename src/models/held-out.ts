import type { Model } from '../core/model.ts';
import { type Batch, type Shape, sliceBatch } from '../data/batch.ts';

/** Scores row i by the model of all other rows: the row is subtracted and parameters are estimated anew. */
export function scoreWithout<S extends Shape, P extends Shape, O>(
  model: Model<S, P, O>,
  stats: S,
  options: O,
  batch: Batch,
  i: number,
  out: Float64Array,
): void {
  const { statistic } = model;
  const row = sliceBatch(batch, i, i + 1);
  const alone = statistic.empty(batch);
  statistic.add(alone, row);
  const rest = statistic.reshape(stats, batch, {});
  statistic.subtract(rest, alone);
  model.score(model.estimate(rest, options), row, out.subarray(i * batch.classes, (i + 1) * batch.classes));
}

/** Scores every row by the model of all other rows, one after the other: the generic implementation. */
export function leaveOneOutBySubtraction<S extends Shape, P extends Shape, O>(
  stats: S,
  options: O,
  batch: Batch,
  out: Float64Array,
  model: Model<S, P, O>,
): void {
  for (let i = 0; i < batch.rows; i++) scoreWithout(model, stats, options, batch, i, out);
}

/** If the leverage is this close to 1, 1 − h has too few digits. */
const LEAST_ROOM = 1e-3;

/** A whitened space and its change when one row is left out, or undefined if rounding would be visible. */
export interface Downdate {
  /** ‖A'e‖² from ‖Ae‖² and the product (Ae)ᵀ(Ad). */
  readonly distance: (square: number, product: number) => number;
  /** ln |Σ'| − ln |Σ|. */
  readonly logVolume: number;
}

/**
 * Σ = W/m becomes Σ' = (W − κ ddᵀ)/m' when a row is left out; with h = κ ‖Ad‖² / m, by Sherman & Morrison,
 *
 *   eᵀΣ'⁻¹e = (m'/m) (‖Ae‖² + (κ/m) ((Ae)ᵀAd)² / (1 − h)),    |Σ'| = |Σ| (m/m')ʳ (1 − h)        (1)
 *
 * `margin` is the distance of Σ from counting as singular, `least` the required distance of Σ'.
 */
export function downdate(
  { rank, margin }: { readonly rank: number; readonly margin: number },
  least: number,
  kappa: number,
  before: number,
  after: number,
  leverage: number,
): Downdate | undefined {
  const h = (kappa / before) * leverage;
  const room = 1 - h;
  if (!(room > LEAST_ROOM && room * margin > 4 * least && after > 0)) return undefined;
  return {
    distance: (square, product) => (after / before) * (square + ((kappa / before) * product * product) / room),
    logVolume: rank * Math.log(before / after) + Math.log(room),
  };
}
