import type { Label } from '../data/labels.ts';
import type { Reader } from '../text/reader.ts';
import { CountedText, type CountedTextState, hasMore, isBlank, type StepScorer, stepScorer } from './counted-text.ts';
import type { JointScores } from './joint-scores.ts';
import type { Labels } from './learning.ts';
import type { PipelineOptions } from './pipeline-learning.ts';
import type { Step } from './pipeline-step.ts';
import type { TextScorer } from './text-scorer.ts';

/** The steps of a pipeline. Where they are a vectorizer and a classifier of counts, both are derived from one `CountedText`. */
export class SharedSteps {
  /** The steps; stale while there are counts. */
  private kept: readonly Step[];
  private counts: CountedText | undefined;
  /** The scorer of steps that were not converted. */
  private asGiven: StepScorer | undefined;

  /**
   * Steps that learn beside these read documents with the same reader, so that each word is kept once. Neither may learn further words
   * while the other scores documents.
   */
  private readonly beside: SharedSteps | undefined;

  constructor(steps: readonly Step[], beside?: SharedSteps) {
    this.kept = steps;
    this.beside = beside;
  }

  /** The steps, up to date. */
  get steps(): readonly Step[] {
    return this.counts?.steps ?? this.kept;
  }

  set steps(steps: readonly Step[]) {
    this.counts?.drop();
    this.counts = undefined;
    this.dropScorer();
    this.kept = steps;
  }

  /** The steps, up to date, to be saved and for nothing else; `streamed` ones are valid until something is learned. */
  toSave(streamed = false): readonly Step[] {
    return this.counts?.toSave(streamed) ?? this.kept;
  }

  /** The sorted class labels; undefined if the last step has to be asked. */
  get classes(): Label[] | undefined {
    return this.counts?.classes;
  }

  /** The weight of each class; undefined if the last step has to be asked. */
  get classCount(): Float64Array | undefined {
    return this.counts?.current ? this.counts.classCount : undefined;
  }

  /** How many terms have a column; undefined if the vectorizer has to be asked. */
  get features(): number | undefined {
    return this.counts?.features;
  }

  /** Learns documents from scratch; returns false without changes if the steps must learn one by one. */
  fit(X: unknown, y: Labels | undefined, options: PipelineOptions): boolean {
    return this.replace(CountedText.fit(this.kept, X, y, options, { prunes: true, isPart: false }));
  }

  /**
   * Learns further documents; returns false without changes if the steps must learn one by one. The first ones may contain no term if they
   * are a part of the documents.
   */
  learn(X: unknown, y: Labels | undefined, options: PipelineOptions, isPart = false): boolean {
    if (hasMore(options)) return false;
    const counts = this.shared();
    if (counts) return counts.learn(X, y, options);
    const reader = this.beside?.counts?.reader;
    const rule = { prunes: false, isPart, reader };
    return isBlank(this.kept) && this.replace(CountedText.fit(this.kept, X, y, options, rule));
  }

  /** Unlearns documents; returns false without changes if the steps must do it one by one. */
  unlearn(X: unknown, y: Labels | undefined, options: PipelineOptions): boolean {
    return !hasMore(options) && (this.shared()?.unlearn(X, y, options) ?? false);
  }

  /** The counts of words as plain data; undefined if the steps have to be asked for their states. */
  toCounts(): CountedTextState | undefined {
    return this.shared()?.toState();
  }

  /** Adds counts of words of the same steps; returns false without changes if the steps must merge one by one. */
  addCounts(state: CountedTextState, reader?: Reader): boolean {
    const counts = this.shared();
    if (counts) return counts.merge(state);
    const blank = CountedText.blank(this.kept, reader);
    return blank?.merge(state) === true && this.replace(blank);
  }

  /** Merges other steps; returns false without changes if the steps must merge one by one. */
  merge(other: SharedSteps): boolean {
    const theirs = other.shared();
    if (!theirs?.isLike(this.unfitted)) return false;
    const { reader } = theirs;
    const isSameReader = (this.shared()?.reader ?? this.beside?.counts?.reader) === reader;
    const state = theirs.toState(isSameReader);
    return state !== undefined && this.addCounts(state, isSameReader ? reader : undefined);
  }

  /** The steps, with what they have learned or without it; only their parameters matter. */
  get unfitted(): readonly Step[] {
    return this.counts?.unfitted ?? this.kept;
  }

  /** Documents with their scores; undefined if the last step needs their rows. */
  scores(X: unknown): JointScores | undefined {
    return this.scorer()?.score(X);
  }

  /** How many distinct terms of each document are known; undefined if the steps need to be asked. */
  knownTerms(X: unknown): Float64Array | undefined {
    return this.scorer()?.knownTerms(X);
  }

  /** The scorer of documents. Steps are scored as they are until something is learned; they need not be converted for that. */
  private scorer(): TextScorer | undefined {
    if (this.counts) return this.shared()?.textScorer;
    if (!this.asGiven?.isCurrent()) {
      this.dropScorer();
      this.asGiven = stepScorer(this.kept);
    }
    return this.asGiven?.scorer ?? this.shared()?.textScorer;
  }

  private dropScorer(): void {
    this.asGiven?.scorer.drop();
    this.asGiven = undefined;
  }

  /** Frees the memory; the steps must not be used afterwards. */
  drop(): void {
    this.dropScorer();
    this.counts?.drop();
    this.counts = undefined;
  }

  /** Drops what can be derived from counts. */
  condense(): void {
    const counts = this.shared();
    if (counts) this.kept = counts.condense();
  }

  private shared(): CountedText | undefined {
    if (this.counts && !this.counts.current) this.steps = this.counts.steps; // a step was changed from outside
    this.counts ??= CountedText.from(this.kept);
    if (this.counts) this.dropScorer(); // its terms are no longer all
    return this.counts;
  }

  private replace(counts: CountedText | undefined): boolean {
    if (counts) {
      this.counts?.drop();
      this.counts = counts;
      this.dropScorer();
    }
    return counts !== undefined;
  }
}
