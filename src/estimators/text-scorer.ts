import type { Linear } from '../core/linear.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { type Document, requireDocument } from '../text/documents.ts';
import type { Reader } from '../text/reader.ts';
import { type TermScoring, TermWeights } from '../text/term-weights.ts';
import { JointScores } from './joint-scores.ts';

export const isDocuments = (X: unknown): X is readonly Document[] => Array.isArray(X);

/** Scores documents by the weights of their terms. When what was learned changes, `restart` is called. */
export class TextScorer {
  private readonly reader: Reader;
  private classes: readonly Label[];
  private scoring: TermScoring;
  private readonly weights: TermWeights;
  private readonly zeroEvidence: unknown;

  constructor(reader: Reader, classes: readonly Label[], scoring: TermScoring, zeroEvidence: unknown) {
    this.reader = reader;
    this.classes = classes;
    this.scoring = scoring;
    this.weights = new TermWeights(reader, scoring);
    this.zeroEvidence = zeroEvidence;
  }

  /** Continues with other weights; returns false, and nothing changes, if the columns or the number of classes are others. */
  restart(classes: readonly Label[], scoring: TermScoring): boolean {
    if (!this.weights.restart(scoring)) return false;
    this.classes = classes;
    this.scoring = scoring;
    return true;
  }

  /** Documents with their scores; undefined if these are not documents. */
  score(X: unknown): JointScores | undefined {
    if (!isDocuments(X) || X.length === 0) return undefined;
    const { classes, weights, scoring } = this;
    const joint = new Matrix(X.length, classes.length);
    weights.score(X, joint.data);
    return new JointScores(joint, scoring.start, classes, this.zeroEvidence);
  }

  /** How many distinct terms of each document have weights; undefined if these are not documents. */
  knownTerms(X: unknown): Float64Array | undefined {
    if (!isDocuments(X)) return undefined;
    const { reader, scoring } = this;
    const known = (text: Document, i: number) =>
      reader.read(requireDocument(text, i), i, false).ids.filter((id) => scoring.has(id)).length;
    return Float64Array.from(X, known);
  }

  /** Gives back the memory of the kernels. */
  drop(): void {
    this.weights.drop();
  }
}

/** Scores by the parameters of all columns. */
export function linearScoring({ classes, logPrior, weights }: Linear): Pick<TermScoring, 'start' | 'read' | 'weigh'> {
  return {
    start: logPrior,
    read(columns, out) {
      for (let c = 0, to = 0; c < classes; c++) {
        for (let k = 0; k < columns.length; k++) out[to++] = weights[columns[k] * classes + c];
      }
    },
    weigh(numbers, own) {
      const terms = numbers.length / classes;
      for (let c = 0, from = 0; c < classes; c++) {
        for (let k = 0; k < terms; k++) own[k * classes + c] = numbers[from++];
      }
    },
  };
}
