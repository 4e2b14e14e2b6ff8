import { decideByScores, type Posterior, posterior } from '../core/posterior.ts';
import { requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { requireLengths } from '../data/soft-labels.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';

/** The joint log-probabilities of rows, and all predictions derived from them. */
export class JointScores {
  /** ln p(c) + ln p(x | c) for every row and class. */
  private readonly joint: Matrix;
  /** ln p(c). */
  private readonly logPrior: Float64Array;
  private readonly classes: readonly Label[];
  /** Whether a row that is impossible under every class is an error. */
  private readonly strict: boolean;

  /** Scores with the same differences by class as `joint`, where those are more exact. */
  private readonly differences: Float64Array | undefined;

  constructor(
    joint: Matrix,
    logPrior: Float64Array,
    classes: readonly Label[],
    zeroEvidence: unknown,
    differences?: Float64Array,
  ) {
    this.differences = differences;
    this.joint = joint;
    this.logPrior = logPrior;
    this.classes = classes;
    this.strict = zeroEvidence === 'error';
  }

  /** ln p(c) + ln p(x | c) for every row and class. */
  predictJointLogProba(): Matrix {
    return this.joint;
  }

  /** ln p(c | x), ln p(x), and which rows are impossible under every class (these get the prior). */
  classPosterior(): Posterior {
    const { joint, logPrior, differences } = this;
    const plain = posterior(joint.data, logPrior);
    return differences ? { ...posterior(differences, logPrior), logEvidence: plain.logEvidence } : plain;
  }

  /** ln p(c | x) for every row and class. */
  predictLogProba(): Matrix {
    const { logProba, logEvidence, impossible } = this.classPosterior();
    const [row] = impossible;
    if (this.strict && row !== undefined) {
      refuse('E_ZERO_EVIDENCE', `row ${row} is impossible under every class`, { row });
    }
    return new Matrix(logEvidence.length, this.classes.length, logProba);
  }

  /** p(c | x) for every row and class. */
  predictProba(): Matrix {
    const proba = this.predictLogProba();
    const { data } = proba;
    for (let k = 0; k < data.length; k++) data[k] = Math.exp(data[k]);
    return proba;
  }

  /** The place of the most probable class of every row; the first of equals. */
  choose(): Int32Array {
    if (this.strict) this.predictLogProba(); // refuses rows that are impossible
    return decideByScores(this.joint.data, this.logPrior);
  }

  /** The most probable class of every row. */
  predict(): Label[] {
    return labelsAt(this.classes, this.choose());
  }

  /** ln p(x) of every row. */
  logEvidence(): Float64Array {
    return this.classPosterior().logEvidence;
  }

  /** The weighted share of rows whose class is predicted. */
  score(y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    return shareRight(this.predict(), y, requireOptions('score', ['sampleWeight'], options));
  }
}

/** The labels of classes by their places. */
export function labelsAt(classes: readonly Label[], chosen: Int32Array): Label[] {
  const labels = new Array<Label>(chosen.length);
  for (let i = 0; i < chosen.length; i++) labels[i] = classes[chosen[i]];
  return labels;
}

/** The weighted share of labels that are right. */
export function shareRight(
  predicted: readonly Label[],
  y: ArrayLike<Label>,
  { sampleWeight }: { readonly sampleWeight?: Weights | undefined } = {},
): number {
  requireLengths(predicted.length, encodeLabels(y).codes.length);
  const weights = readWeights(sampleWeight, y.length);
  let [right, all] = [0, 0];
  for (let i = 0; i < predicted.length; i++) {
    all += weights[i];
    if (predicted[i] === y[i]) right += weights[i];
  }
  return right / all;
}
