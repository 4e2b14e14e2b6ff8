import type { State } from '../core/artifact.ts';
import { flag, type OptionSpec, type OptionValues, readOptions } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { unchecked } from '../evaluate/targets.ts';
import { judgeFolds } from './cross-validation.ts';
import {
  type AnyCandidate,
  type Candidate,
  type FoldOptions,
  foldSpec,
  type Lesson,
  learnFolds,
  learnOptions,
  readLesson,
  requireCandidate,
} from './fold-learning.ts';
import type { InputOf } from './pipeline-step.ts';
import { restore } from './restore.ts';
import {
  type ReadScoring,
  readScoring,
  requireProbabilities,
  type Scoring,
  type Scorings,
  scoreRows,
  scoringSpec,
} from './scoring.ts';
import { sharesCounts } from './search-params.ts';
import { type CvResults, meanOf, ranksOf, type Trial, tabulate } from './search-results.ts';
import { type Params, setParamsOf, withParams } from './with-params.ts';

/** How combinations are judged, and what becomes of the best. */
export interface SearchOptions<E extends Candidate> {
  /** 'accuracy' unless given; of several scores `refit` names the one that decides. */
  readonly scoring?: Scoring<E> | Scorings<E> | undefined;
  readonly cv?: FoldOptions['cv'];
  /** Whether the best learns all rows at the end; the name of the score that decides; or a function that chooses. */
  readonly refit?: boolean | string | ((results: CvResults) => number) | undefined;
  readonly returnTrainScore?: boolean | undefined;
  readonly returnTimes?: boolean | undefined;
}

/** The options of a search. */
export const searchSpec = {
  ...scoringSpec,
  cv: foldSpec.cv,
  /** What becomes of the best. */
  refit: { ...unchecked<unknown>(), default: true as unknown },
  /** Score the training rows as well. */
  returnTrainScore: flag({ default: false }),
  /** Tell how long learning and scoring took. */
  returnTimes: flag({ default: false }),
} satisfies OptionSpec;
const { cv: _, ...fitSpec } = foldSpec;

interface Found {
  readonly cvResults: CvResults;
  readonly bestIndex: number;
  readonly bestScore: number | undefined;
  readonly best: AnyCandidate | undefined;
}

/** An estimator whose counts can be handed to another with other parameters. */
interface Saved extends AnyCandidate {
  clone(): Saved;
  toState(): State;
}

/** Tries combinations of parameters on the same folds, and learns all rows with the best. */
export abstract class Search<E extends Candidate> {
  abstract readonly kind: string;
  /** The estimator whose parameters are tried. */
  readonly estimator: E;
  protected readonly params: OptionValues<typeof searchSpec>;
  private readonly scoring: ReadScoring;
  private found: Found | undefined;

  protected constructor(estimator: E, params: OptionValues<typeof searchSpec>) {
    requireCandidate(estimator);
    this.estimator = estimator;
    this.params = params;
    this.scoring = readScoring(params.scoring);
    const { refit } = params;
    if (refit === false || typeof refit === 'function' || this.decisive !== undefined) return;
    const names = [...this.scoring.keys()].join(', ');
    refuse('E_PARAM', `refit is true, false, a function or one of ${names}, got ${show(refit)}`, { name: 'refit' });
  }

  /** The combinations to try; refuses what cannot be tried. */
  protected abstract candidates(): Params[];

  /** Replaces some parameters; `estimator__name` reaches inside. What was learned is forgotten: call `fit` again. */
  setParams(params: Params): this {
    return setParamsOf(this, params);
  }

  /** An unfitted search of the same kind. */
  abstract clone(): Search<E>;

  /** Tries all combinations, then learns all rows with the best. When one is refused, nothing has changed. */
  fit(X: InputOf<E>, y: ArrayLike<Label>, options: Omit<FoldOptions, 'cv'> = {}): this {
    const read = readOptions('fit', fitSpec, options);
    const lesson = readLesson(X, y, { ...read, cv: this.params.cv });
    const tried = this.candidates();
    const variants = tried.map((params) => withParams(this.estimator as unknown as AnyCandidate, params));
    const trials = this.evaluate(lesson, tried, variants, read.onProgress);
    const cvResults = tabulate(tried, trials, this.params);
    const { refit } = this.params;
    const means = trials.map(({ test }) => meanOf(test.get(this.decisive ?? '') ?? [Number.NaN]));
    const bestIndex = typeof refit === 'function' ? refit(cvResults) : ranksOf(means).indexOf(1);
    if (!(bestIndex in tried))
      refuse('E_PARAM', `refit chose ${show(bestIndex)} of ${tried.length}`, { name: 'refit' });
    const best = refit === false ? undefined : variants[bestIndex].clone();
    best?.fit(X, y, learnOptions(lesson.weights, lesson.signal));
    this.found = {
      cvResults,
      bestIndex,
      bestScore: this.decisive === undefined ? undefined : means[bestIndex],
      best,
    };
    return this;
  }

  /** Scores of every combination. Where only parameters of estimation differ, all of them share the counts of the first. */
  private evaluate(
    lesson: Lesson,
    tried: Params[],
    variants: AnyCandidate[],
    progress: FoldOptions['onProgress'],
  ): Trial[] {
    const folds = lesson.splits.length;
    const shared = sharesCounts(this.estimator, tried)
      ? Array.from(learnFolds(variants[0] as Saved, lesson), (learned) => learned.toState())
      : undefined;
    return variants.map((variant, k) => {
      const learners = shared?.map((state) => restore((variant as Saved).clone(), state));
      return judgeFolds<AnyCandidate>(learners ?? learnFolds(variant, lesson), lesson, {
        ...this.params,
        scoring: this.scoring,
        onProgress: (done) => progress?.(k * folds + done, variants.length * folds),
      });
    });
  }

  /** The score that decides, where it is not a function that chooses. */
  private get decisive(): string | undefined {
    const { refit } = this.params;
    const [first, ...others] = this.scoring.keys();
    if (typeof refit === 'string') return this.scoring.has(refit) ? refit : undefined;
    return others.length === 0 && (typeof refit === 'boolean' || typeof refit === 'function') ? first : undefined;
  }

  /** The table of all combinations and scores. */
  get cvResults(): CvResults {
    return this.fitted().cvResults;
  }

  /** Which combination is best. */
  get bestIndex(): number {
    return this.fitted().bestIndex;
  }

  /** The parameters of the best combination. */
  get bestParams(): Params {
    const { cvResults, bestIndex } = this.fitted();
    return cvResults.params[bestIndex];
  }

  /** The mean score of the best combination over the folds. */
  get bestScore(): number {
    return this.fitted().bestScore ?? refuse('E_PARAM', 'of several scores none decides', { name: 'refit' });
  }

  /** The best estimator, which has learned all rows. */
  get bestEstimator(): E {
    return this.best() as unknown as E;
  }

  /** The sorted class labels. */
  get classes(): readonly Label[] {
    return this.best().classes;
  }

  /** The most probable class of every row, by the best estimator. */
  predict(X: InputOf<E>): Label[] {
    return this.best().predict(X);
  }

  /** p(c | x) by the best estimator. */
  predictProba(X: InputOf<E>): Matrix {
    return requireProbabilities(this.best(), X);
  }

  /** The score that decided, of the best estimator on these rows. */
  score(X: InputOf<E>, y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    const { sampleWeight } = requireOptions('score', ['sampleWeight'], options);
    const best = this.best();
    const scores = scoreRows(best, { X, y, sampleWeight }, best.classes, this.scoring);
    return scores.get(this.decisive ?? '') ?? refuse('E_PARAM', 'of several scores none decides', { name: 'refit' });
  }

  private fitted(): Found {
    return this.found ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }

  private best(): AnyCandidate {
    return this.fitted().best ?? refuse('E_NOT_FITTED', 'with refit: false the best combination has learned nothing');
  }
}
