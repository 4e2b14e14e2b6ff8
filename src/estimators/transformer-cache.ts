import { PolyaError } from '../errors.ts';
import type { Labels, PartialFitOptions } from './learning.ts';
import { fitTransformer, type LearnedStep } from './pipeline-learning.ts';
import type { Transformer } from './pipeline-step.ts';
import { restore } from './restore.ts';

interface Entry extends LearnedStep {
  readonly key: string;
  readonly y: unknown;
  readonly sampleWeight: unknown;
}

/** The class and the parameters of a transformer; undefined where they cannot be written, such as functions. */
function keyOf(step: Transformer): string | undefined {
  try {
    const { kind, params } = step.toState();
    return JSON.stringify([kind, params]);
  } catch (error) {
    if (error instanceof PolyaError) return undefined;
    throw error;
  }
}

/**
 * The `memory` of pipelines: transformers that have learned the same rows with the same parameters are learned once. Rows and labels are
 * the same if they are the same objects, so do not change rows in place. Entries are kept as long as their rows exist. Several pipelines
 * may share a cache, and a search gives every combination the same rows of each fold, so it learns a transformer once for all parameters of
 * the steps behind it.
 */
export class TransformerCache {
  private entries = new WeakMap<object, Entry[]>();
  private reused = 0;

  /** The number of cache hits. */
  get hits(): number {
    return this.reused;
  }

  /** Empties the cache. */
  clear(): void {
    this.entries = new WeakMap();
    this.reused = 0;
  }

  /**
   * Fits a transformer, or returns the cached one that has learned the same rows.
   *
   * @internal
   */
  fit(step: Transformer, X: unknown, y: Labels | undefined, options: PartialFitOptions): LearnedStep {
    const key = typeof X === 'object' && X !== null ? keyOf(step) : undefined;
    if (key === undefined) return fitTransformer(step, X, y, options);
    const { sampleWeight } = options;
    const known = this.entries.get(X as object) ?? [];
    const found = known.find((own) => own.key === key && own.y === y && own.sampleWeight === sampleWeight);
    if (found) {
      this.reused++;
      return { step: restore(step, found.step.toState()), rows: found.rows };
    }
    const learned = fitTransformer(step, X, y, options);
    const kept = restore(learned.step.clone() as Transformer, learned.step.toState());
    this.entries.set(X as object, [...known, { key, y, sampleWeight, step: kept, rows: learned.rows }]);
    return learned;
  }
}
