import { Matrix } from '../data/matrix.ts';
import type { Document } from '../text/documents.ts';
import { kernelChoice } from '../text/kernel-choice.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { DiscreteNB } from './discrete.ts';
import type { Labels } from './labels.ts';
import { LiveWords, type WordLearner } from './live-words.ts';
import type { PipelineOptions } from './pipeline-learning.ts';
import type { Step } from './pipeline-step.ts';
import { Scored } from './scored.ts';

/** Documents that come in larger parts than this are learned in the plain way, which then costs less. */
const PART = 256;

/** What a classifier can say of rows by their scores alone. */
const byScores: ReadonlySet<string> = new Set([
  'predict',
  'predictProba',
  'predictLogProba',
  'predictJointLogProba',
  'classPosterior',
  'logEvidence',
  'score',
]);

/** What learns many texts at once faster than step by step, where it is in use; a bundle that does not use it does not carry it. */
export const wordsChoice: {
  fit?: (steps: readonly Step[], X: unknown, y: Labels | undefined) => Step[] | undefined;
} = {};

/**
 * The steps of a pipeline. Where they are a vocabulary and a classifier of counts, few documents at a time are learned by
 * `LiveWords`, which the steps catch up with when somebody looks at them.
 */
export class PipelineWords {
  private kept: readonly Step[];
  private live: LiveWords | undefined;

  constructor(steps: readonly Step[]) {
    this.kept = steps;
  }

  /** The steps, up to date. */
  get steps(): readonly Step[] {
    this.live?.settle();
    return this.kept;
  }

  set steps(steps: readonly Step[]) {
    this.live = undefined;
    this.kept = steps;
  }

  /** The steps, up to date, for who saves them and asks for nothing else. */
  get toSave(): readonly Step[] {
    return this.live?.ahead ? (this.live.toSave() as unknown as readonly Step[]) : this.kept;
  }

  /** The last step, perhaps behind what was learned; its classes are those of now. */
  get last(): Step {
    return this.kept[this.kept.length - 1];
  }

  /** Whether more was learned than the steps know. */
  get ahead(): boolean {
    return this.live?.ahead ?? false;
  }

  /** Keeps the counts of words in as little room as they need, until somebody looks at the steps. */
  condense(): void {
    if (!this.live?.current) this.live = this.begin();
    this.live?.goAhead();
  }

  /** Fresh steps that have learned these documents alone; nothing, where that is for the plain way. */
  fitted(X: unknown, y: Labels | undefined, options: PipelineOptions): Step[] | undefined {
    const plain = options.sampleWeight === undefined && !hasMore(options);
    return plain ? wordsChoice.fit?.(this.kept, X, y) : undefined;
  }

  /** Learns documents, all or none; false, and nothing done, where that is for the plain way. */
  learn(X: unknown, y: Labels | undefined, options: PipelineOptions): boolean {
    if (!isDocuments(X) || typeof y !== 'object' || y === null || 'assign' in y || hasMore(options)) return false;
    if (!this.live?.current) this.live = X.length <= PART ? this.begin() : undefined;
    return this.live?.learn(X, y, options.sampleWeight ?? undefined) ?? false;
  }

  /** Documents with their scores, where a method asks for no more and the steps are behind what was learned. */
  score(method: string, X: unknown): Scored | undefined {
    if (!byScores.has(method) || !isDocuments(X)) return undefined;
    return this.live && this.ahead ? this.live.score(X) : this.scoreCounts(X);
  }

  /** Documents, scored without a matrix of their counts: once they are many, or many were read before. */
  private scoreCounts(documents: readonly Document[]): Scored | undefined {
    const [vectorizer, classifier] = this.kept;
    if (documents.length === 0 || this.kept.length !== 2) return undefined;
    if (!(vectorizer instanceof CountVectorizer) || !(classifier instanceof DiscreteNB)) return undefined;
    const { linear } = classifier;
    const known = vectorizer.learnedVocabulary;
    if (!linear || known?.columns.ids.length !== linear.features) return undefined;
    const joint = new Matrix(documents.length, linear.classes);
    const done = kernelChoice.scoresOf?.(known, vectorizer.getParams(), linear, documents, joint.data);
    return done ? new Scored(joint, linear.logPrior) : undefined;
  }

  private begin(): LiveWords | undefined {
    const [vectorizer, classifier] = this.kept;
    if (this.kept.length !== 2 || !(vectorizer instanceof CountVectorizer) || !(classifier instanceof DiscreteNB)) {
      return undefined;
    }
    return LiveWords.begin(vectorizer, classifier as unknown as WordLearner);
  }
}

const isDocuments = (X: unknown): X is readonly Document[] => Array.isArray(X);

/** Whether options ask for more than documents and what they weigh. */
function hasMore({ freeze, classes, signal, onProgress }: PipelineOptions): boolean {
  return Boolean(freeze || classes || signal || onProgress);
}
