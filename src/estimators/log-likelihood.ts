import { requireKind, requireLike, requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label, requireLabels } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { requireLengths } from '../data/soft-labels.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { logSumExp as sumLogs } from '../math/logs.ts';
import { codesAmong } from './learning.ts';

/** A fitted model with ln p(c) + ln p(x | c) of every row. */
interface Generative<Input> {
  readonly classes: readonly Label[];
  predictJointLogProba(X: Input): Matrix;
}

/**
 * The log-likelihood Σ wᵢ ln p(xᵢ, yᵢ) of labelled rows under a fitted model of any family: what maximum likelihood maximises. −Infinity
 * where a row is impossible under its class.
 */
export function logLikelihood<Input>(
  model: Generative<Input>,
  X: Input,
  y: ArrayLike<Label>,
  options: { readonly sampleWeight?: Weights | undefined } = {},
): number {
  requireLike(model, 'a fitted generative model', { predictJointLogProba: 'function' });
  const { sampleWeight } = requireOptions('logLikelihood', ['sampleWeight'], options);
  const joint = model.predictJointLogProba(X);
  requireLengths(joint.rows, requireLabels(y).length);
  const weights = readWeights(sampleWeight, joint.rows);
  const { codes } = codesAmong(encodeLabels(y), model.classes);
  let total = 0;
  for (let i = 0; i < joint.rows; i++) if (weights[i] > 0) total += weights[i] * joint.at(i, codes[i]);
  return total;
}

/** ln Σ eˣ, without overflow: −Infinity of no values. */
export function logSumExp(values: ArrayLike<number>): number {
  return sumLogs(Float64Array.from(requireKind(values, 'a list of numbers', 'list')));
}
