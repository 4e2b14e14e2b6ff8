import type { State } from '../../core/artifact.ts';
import type { Label } from '../../data/labels.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse } from '../../errors.ts';
import { SavedArrays } from '../../estimators/learned.ts';
import { readCalibration } from '../../estimators/saved-calibration.ts';
import type { Calibration } from '../../evaluate/calibrate.ts';
import type { Planes } from '../../models/linear-discriminant.ts';
import { originWeights } from '../../models/whitening.ts';
import type { Calibrated, PlanCurve, PlanScore, SumScore } from '../plan.ts';
import { linearSum, type PlanBuilder } from './builder.ts';
import { estimatorJoint } from './estimators.ts';
import { planes } from './families.ts';
import { cannotCarry, type Inside } from './inside.ts';
import type { Source } from './sources.ts';

/** The families that have a decision function. */
const DECIDING = new Set(['linear-discriminant', 'quadratic-discriminant']);

/** ln of the mean of calibrated probabilities, from the state of a CalibratedClassifierCV; `posteriorOf` plans a classifier. */
export function calibratedScore(
  builder: PlanBuilder,
  state: State,
  source: Source,
  posteriorOf: (state: State) => PlanScore,
): Calibrated {
  const { method, cv } = state.params as { method: Parameters<typeof readCalibration>[0]; cv: JsonValue };
  const classes = state.learned.classes as readonly Label[] | undefined;
  if (!classes) return refuse('E_NOT_FITTED', 'this model has not learned anything yet');
  const arrays = new SavedArrays(state);
  const inside = (state.steps ?? []).slice(cv === 'prefit' ? 0 : 1); // else the first is not fitted
  const members = inside.map((step, k) => {
    const curve = curveOf(readCalibration(method, classes.length, arrays, `${k}.`));
    const estimator = builder.isCounting(step) ? builder.open(step) : undefined;
    return estimator && DECIDING.has(estimator.model.name)
      ? ({ of: decisionScore(builder, estimator, source), over: 'scores', curve } as const)
      : ({ of: posteriorOf(step), over: 'probabilities', curve } as const);
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
  const { parts } = calibration;
  return {
    method: 'sigmoid',
    a: Float64Array.from(parts, ({ a }) => a),
    b: Float64Array.from(parts, ({ b }) => b),
  };
}

/** The decision function of a discriminant for every class: the joint, up to what all classes share. */
function decisionScore(builder: PlanBuilder, estimator: Inside, source: Source): PlanScore {
  if (estimator.expectation.missing) {
    cannotCarry(
      `a calibrated ${estimator.kind} that takes missing cells`,
      'its curves are over scores of complete rows',
    );
  }
  const joint = estimatorJoint(builder, estimator, source);
  if (joint.op !== 'sum') return cannotCarry(`a calibrated ${estimator.kind}`, 'its decision function is not a sum');
  const { vector } = joint.terms[0];
  const width = builder.width(vector);
  if (estimator.model.name !== 'linear-discriminant') {
    return shifted(joint, vector, new Float64Array(width), -0.5 * width * Math.log(2 * Math.PI));
  }
  const params = estimator.parameters() as unknown as Planes;
  const plain = planes(params, vector, false);
  if (estimator.params.solver === 'svd') return plain;
  const weights = originWeights(params); // the solvers 'lsqr' and 'eigen' add Σ⁻¹x̄ to the weights of every class
  const constant = 0.5 * weights.reduce((sum, weight, j) => sum + weight * params.origin[j], 0);
  return shifted(plain, vector, weights, constant);
}

/** A score and Σ x weights − constant for every class. */
function shifted(of: SumScore, vector: number, weights: Float64Array, constant: number): PlanScore {
  const classes = of.start.length;
  const start = new Float64Array(classes);
  const all = Float64Array.from({ length: weights.length * classes }, (_, cell) => weights[Math.floor(cell / classes)]);
  const parts = [
    { of, less: null },
    { of: linearSum(start, vector, all), less: new Float64Array(classes).fill(constant) },
  ];
  return { op: 'add', start, parts };
}
