import { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import type { Growing, Growth, Merging, Study } from '../text/growth.ts';
import type { PruneOptions } from '../text/prune.ts';
import { studyPruning } from '../text/pruning.ts';
import { Vocabulary } from '../text/vocabulary.ts';
import { VocabularyLearner } from '../text/vocabulary-learner.ts';
import { copyOf } from './copy.ts';
import type { AnyEstimator } from './fold-learning.ts';
import type { Labels, PartialFitOptions } from './learning.ts';
import { isTransformer, type Step, type Transformer } from './pipeline-step.ts';
import type { TransformerCache } from './transformer-cache.ts';

/** How a pipeline learns on. */
export interface PipelineOptions extends PartialFitOptions {
  /** Update only the last step and leave the transformers as they are. Default: false. */
  readonly freeze?: boolean | undefined;
}

type Given = Labels | undefined;

/** A transformer that has learned some rows, and these rows as it transforms them. */
export interface LearnedStep {
  readonly step: Transformer;
  readonly rows: unknown;
}

/** Fits a transformer to some rows and transforms them. */
export function fitTransformer(
  step: Transformer,
  X: unknown,
  y: Labels | undefined,
  options: PartialFitOptions,
): LearnedStep {
  if (step.fitTransform) return { step, rows: step.fitTransform(X, y, options) };
  step.fit(X, y, options);
  return { step, rows: step.transform(X) };
}

/** Fresh steps that have learned these rows, each from what the one before it gives. */
export function fitSteps(
  steps: readonly Step[],
  X: unknown,
  y: Given,
  options: PartialFitOptions,
  memory?: TransformerCache | null,
): Step[] {
  let rows = X;
  return steps.map((step, k) => {
    const fresh = step.clone();
    if (!isTransformer(fresh)) (fresh as AnyEstimator).fit(rows, requireLabels(y), options);
    else if (k === steps.length - 1) fresh.fit(rows, y, options);
    else {
      const learned = memory ? memory.fit(fresh, rows, y, options) : fitTransformer(fresh, rows, y, options);
      rows = learned.rows;
      return learned.step;
    }
    return fresh;
  });
}

/** The steps after learning further rows; if one throws, none has changed. */
export function learnOn(steps: readonly Step[], X: unknown, y: Given, options: PipelineOptions): Step[] {
  return changed(steps, X, options, 'study', (last, rows, growth) => {
    const grown = moved(last, growth);
    if (!grown.partialFit) return refuseMethod(last, 'partialFit');
    grown.partialFit(rows, requireLabels(y), options);
    return grown;
  });
}

/** The steps after unlearning rows; if one throws, none has changed. */
export function forget(steps: readonly Step[], X: unknown, y: Given, options: PipelineOptions): Step[] {
  return changed(steps, X, options, 'studyUnlearning', (last, rows, growth) => {
    const copy = growth.moves ? copyOf(last) : last;
    if (!copy.unlearn) return refuseMethod(last, 'unlearn');
    copy.unlearn(rows, requireLabels(y), options);
    return moved(copy, growth);
  });
}

/** The steps without some terms of the first one's vocabulary, and without their columns. */
export function pruned(steps: readonly Step[], rule: Partial<PruneOptions>): Step[] {
  const [first, ...rest] = steps as readonly Transformer[];
  if (!(first instanceof VocabularyLearner)) {
    return refuse('E_PARAM', `a ${first.kind} has no vocabulary to prune`, { step: first.kind });
  }
  const study = studyPruning(first, rule);
  const none = SparseMatrix.fromRows([], study.features);
  const studies = rest.filter(isTransformer).map((step) => requireGrowing(step).study(none, {}, study));
  const last = steps[steps.length - 1];
  const end = isTransformer(last) ? last : moved(last as AnyEstimator, study);
  for (const { commit } of [study, ...studies]) commit();
  return [...steps.slice(0, -1), end];
}

/** The steps merged with those of another pipeline; if one throws, none has changed. */
export function merged(steps: readonly Step[], others: readonly Step[]): Step[] {
  if (steps.length !== others.length || steps.some(({ kind }, k) => kind !== others[k].kind)) {
    refuse('E_MERGE_MISMATCH', 'the two pipelines have different steps');
  }
  const studies: Merging[] = [];
  steps.forEach((step, k) => {
    if (isTransformer(step)) studies.push(requireGrowing(step).studyMerging(others[k] as never, studies.at(-1)));
  });
  const { features, moves, theirs } = studies.at(-1) ?? { features: 0 };
  const [mine, other] = [steps, others].map((all) => all[all.length - 1] as AnyEstimator);
  const end = isTransformer(mine) ? mine : moved(mine, { features, moves });
  if (!isTransformer(mine)) {
    if (!mine.merge) return refuseMethod(mine, 'merge');
    end.merge!(moved(other, { features, moves: theirs }));
  }
  for (const { commit } of studies) commit();
  return [...steps.slice(0, -1), end];
}

/** Multiplies the counts of all steps by 2^(−elapsed/halfLife). The last step is first, because it may refuse. */
export function decaySteps(steps: readonly Step[], halfLife: number, elapsed: number): void {
  const last = steps[steps.length - 1] as AnyEstimator;
  const decay = last.decay ?? refuseMethod(last, 'decay');
  decay.call(last, halfLife, elapsed);
  const factor = 2 ** (-elapsed / halfLife);
  for (const step of steps.filter(isTransformer)) {
    if (!step.rowwise) continue; // its rows depend on its counts, and what was learned from them does too
    if (step instanceof VocabularyLearner) step.adopt(() => scaled(step.known(), factor));
    else step.scale?.(factor);
  }
}

function scaled({ reader, columns, fixed, counts, pruned }: Vocabulary, factor: number): Vocabulary {
  const [df, tf] = [counts.df, counts.tf].map((values) => Float64Array.from(values, (count) => count * factor));
  const documents = counts.documents * factor;
  return new Vocabulary(reader, columns, fixed, { ...counts, documents, df, tf }, pruned);
}

/** Works out what every transformer would become, changes the last step or a copy of it, and only then them. */
function changed(
  steps: readonly Step[],
  X: unknown,
  options: PipelineOptions,
  study: 'study' | 'studyUnlearning',
  act: (last: AnyEstimator, rows: unknown, growth: Growth) => AnyEstimator,
): Step[] {
  const last = steps[steps.length - 1];
  const studies: Study<unknown>[] = [];
  let rows = X;
  for (const step of steps.filter(isTransformer)) {
    if (options.freeze) rows = step.transform(rows);
    else {
      studies.push(requireGrowing(step)[study](rows, options, studies.at(-1)));
      if (step !== last) rows = studies.at(-1)!.rows();
    }
  }
  const growth = studies.at(-1) ?? { features: 0, moves: undefined };
  const end = isTransformer(last) ? last : act(last as AnyEstimator, rows, growth);
  for (const { commit } of studies) commit();
  return [...steps.slice(0, -1), end];
}

/** A transformer that learns in parts; refuses one that cannot, and one whose rows would come out differently later. */
function requireGrowing(step: Transformer): Growing<unknown, unknown> {
  if (!step.study || !step.studyUnlearning) {
    refuse('E_PARAM', `a ${step.kind} does not learn in parts; freeze: true leaves it as it is`, { step: step.kind });
  }
  if (!step.rowwise) {
    refuse(
      'E_PARAM',
      `idf changes with every document, so terms learned before and after would be weighted differently: set useIdf: false ` +
        `in the ${step.kind}, or fit first and learn on with freeze: true`,
      { step: step.kind, name: 'useIdf' },
    );
  }
  return step as Transformer & Growing<unknown, unknown>;
}

/** The classifier itself, or where features move a copy with its features in their new places. */
function moved(step: AnyEstimator, { features, moves }: Growth): AnyEstimator {
  if (!moves) return step;
  if (!step.moveFeatures) {
    return refuse('E_PARAM', `a ${step.kind} cannot add features; freeze: true leaves it as it is`, {
      step: step.kind,
    });
  }
  const copy = copyOf(step);
  copy.moveFeatures?.(features, moves);
  return copy;
}

function requireLabels(y: Given): Labels {
  return y ?? refuse('E_LABEL_MISSING', 'the last step learns classes, and no labels were given');
}

/** Refuses what a step cannot do. */
export function refuseMethod(step: Step, method: string): never {
  return refuse('E_PARAM', `the last step is a ${step.kind}, which has no ${method}`, { step: step.kind, method });
}
