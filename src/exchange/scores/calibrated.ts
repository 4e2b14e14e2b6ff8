import { sum } from '../../math/arrays.ts';
import { choices, constant, list, record, type Shape } from '../shape.ts';
import { curveShape, heightAt } from './curve-shape.ts';
import type { PlanScore } from './index.ts';
import { type ScoreContext, type ScoreOf, type ScoreOperation, softmax } from './score.ts';

const member = <S>(inner: Shape<S>) =>
  record({ of: inner, over: choices('probabilities', 'scores'), curve: curveShape });

/** Scores, and how they become probabilities: by a curve over exp S, or over S itself. */
export interface CalibratedMember extends ScoreOf<typeof member<PlanScore>> {}

const shape = <S>(inner: Shape<S>) =>
  record(
    { op: constant('calibrated'), members: list(member(inner), 1) },
    'ln of the mean of calibrated probabilities: a curve over exp S or S for each class, normalised, or one for the second of two.',
  );

/** ln of the mean of calibrated probabilities. */
export interface Calibrated extends ScoreOf<typeof shape<PlanScore>> {}

/** 1 / (1 + e^−z) without overflow. */
const logistic = (z: number) => (z >= 0 ? 1 / (1 + Math.exp(-z)) : Math.exp(z) / (1 + Math.exp(z)));

/** A curve for each class, normalised; or one for the second of two classes. */
function normalised(scores: Float64Array, curves: number, height: (k: number, score: number) => number): Float64Array {
  if (curves === 1 && scores.length === 2) {
    const p = height(0, scores[1]);
    return Float64Array.of(1 - p, p);
  }
  const heights = scores.map((score, c) => height(c, score));
  const total = sum(heights);
  return heights.map((value) => (total === 0 ? 1 / scores.length : value / total));
}

/** Scores to calibrated probabilities. */
function calibrate({ over, curve }: CalibratedMember, score: Float64Array): Float64Array {
  const values = over === 'probabilities' ? score.map(Math.exp) : score;
  if (curve.method === 'temperature') {
    const logits = over === 'probabilities' ? values.map((p) => Math.log(p + 1e-12)) : values;
    return softmax(logits.map((value) => curve.beta * value)).map(Math.exp);
  }
  if (curve.method === 'isotonic') {
    return normalised(values, curve.lines.length, (k, value) => heightAt(curve.lines[k], value));
  }
  return normalised(values, curve.a.length, (k, value) => logistic(-(curve.a[k] * value + curve.b[k])));
}

function run({ members }: Calibrated, context: ScoreContext): Float64Array {
  const answers = members.map((member) => calibrate(member, context.run(member.of)));
  return answers[0].map((_, c) =>
    Math.log(Math.min(1, answers.reduce((all, answer) => all + answer[c], 0) / answers.length)),
  );
}

export const calibrated: ScoreOperation<Calibrated> = { shape, run };
