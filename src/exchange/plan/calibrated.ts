import type { LinearDiscriminantAnalysis } from '../../estimators/linear-discriminant-analysis.ts';
import type { Calibration } from '../../evaluate/calibrate.ts';
import { originWeights, type Planes } from '../../models/linear-discriminant.ts';
import type { Calibrated, CalibratedMember, PlanCurve, PlanScore, SumScore } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { estimatorJoint } from './estimators.ts';
import { planes } from './families.ts';
import { cannotCarry, type Inside, isCounting } from './inside.ts';
import type { Source } from './sources.ts';

/** What an export reads of a calibrated classifier. */
export interface Calibrating {
  readonly calibratedClassifiers: readonly { readonly estimator: object; readonly calibration: Calibration }[];
}

/** ln of the mean of calibrated probabilities; `posteriorOf` plans a classifier. */
export function calibratedScore(
  builder: PlanBuilder,
  model: Calibrating,
  source: Source,
  posteriorOf: (model: object) => PlanScore,
): Calibrated {
  const members = model.calibratedClassifiers.map(({ estimator, calibration }): CalibratedMember => {
    const curve = curveOf(calibration);
    if ('decisionFunction' in estimator && isCounting(estimator)) {
      return { of: decisionScore(builder, estimator, source), over: 'scores', curve };
    }
    return { of: posteriorOf(estimator), over: 'probabilities', curve };
  });
  return { op: 'calibrated', members };
}

/** The curves of a calibration; lists may come from a file. */
export function curveOf(calibration: Calibration): PlanCurve {
  if (calibration.method === 'temperature') return { method: 'temperature', beta: calibration.beta };
  if (calibration.method === 'isotonic') {
    const lines = calibration.parts.map(({ x, y }) => ({ x: Float64Array.from(x), y: Float64Array.from(y) }));
    return { method: 'isotonic', lines };
  }
  if (calibration.method === 'binning') return cannotCarry('a calibration by bins', 'no export supports it');
  const { parts } = calibration;
  return {
    method: 'sigmoid',
    a: Float64Array.from(parts, ({ a }) => a),
    b: Float64Array.from(parts, ({ b }) => b),
  };
}

/** The decision function of a discriminant, with a column for every class. */
function decisionScore(builder: PlanBuilder, estimator: Inside, source: Source): PlanScore {
  if (estimator.expectation().missing) {
    cannotCarry(
      `a calibrated ${estimator.kind} that takes missing cells`,
      'its curves are over scores of complete rows',
    );
  }
  const joint = estimatorJoint(builder, estimator, source);
  if (joint.op !== 'sum') return cannotCarry(`a calibrated ${estimator.kind}`, 'its decision function is not a sum');
  const { vector } = joint.terms[0];
  const linear = estimator.model.name === 'linear-discriminant';
  const of = linear ? linearScore(estimator, vector) : withoutConstant(builder, joint, vector);
  return estimator.classes.length === 2 ? { op: 'opposed', of } : of;
}

/** The joint without ½ p ln 2π, which all classes share. */
function withoutConstant(builder: PlanBuilder, joint: SumScore, vector: number): SumScore {
  const width = builder.width(vector);
  const constant = -0.5 * width * Math.log(2 * Math.PI);
  return { ...joint, terms: [...joint.terms, { op: 'shift', vector, weights: new Float64Array(width), constant }] };
}

/** Planes; the solvers 'lsqr' and 'eigen' add Σ⁻¹x̄ to the weights of every class. */
function linearScore(estimator: Inside, vector: number): PlanScore {
  const plain = planes(estimator.parameters() as unknown as Planes, vector, false);
  const { solver } = (estimator as unknown as LinearDiscriminantAnalysis).getParams();
  if (solver === 'svd') return plain;
  const params = estimator.parameters() as unknown as Planes;
  const weights = originWeights(params);
  const constant = 0.5 * weights.reduce((sum, weight, j) => sum + weight * params.origin[j], 0);
  return { ...plain, terms: [...plain.terms, { op: 'shift', vector, weights, constant }] };
}
