import type { Label } from '../data/labels.ts';
import { PolyaError, refuse } from '../errors.ts';
import type { Candidate } from '../estimators/fold-learning.ts';
import type { InputOf } from '../estimators/pipeline-step.ts';
import {
  type GridSearchCV,
  type RandomizedSearchCV,
  type SearchPlan,
  type Trial,
  tryCombinations,
} from '../estimators/search.ts';
import { cores, startWorker } from './pool.ts';
import { packRows, type SearchTask } from './search-work.ts';

type AnySearch<E extends Candidate> = GridSearchCV<E> | RandomizedSearchCV<E>;

/**
 * Fits a search on as many threads as its `nJobs` says: −1 for all cores. The result is that of `search.fit`, whatever the number of
 * threads. What cannot be sent to another thread, such as a tokenizer or a score of your own, is tried on this one.
 */
export async function fitSearch<E extends Candidate, S extends AnySearch<E>>(
  search: S & AnySearch<E>,
  X: InputOf<E>,
  y: ArrayLike<Label>,
  options: Parameters<S['fit']>[2] = {},
): Promise<S> {
  const plan = search.plan(X, y, options);
  const { nJobs } = search.getParams();
  const asked = nJobs === null ? 1 : nJobs < 0 ? cores() + 1 + nJobs : nJobs;
  const threads = Math.max(1, Math.min(asked, plan.tried.length));
  search.settle(plan, await tryOnThreads(search, plan, threads));
  return search;
}

/** Deals combinations to threads in turn, the first to this one. */
async function tryOnThreads<E extends Candidate>(
  search: AnySearch<E>,
  plan: SearchPlan,
  threads: number,
): Promise<Trial[]> {
  const { folded, tried, onProgress } = plan;
  const { signal } = folded;
  const params = search.getParams();
  const shares = Array.from({ length: threads }, (_, t) => [...tried.keys()].filter((k) => k % threads === t));
  const listOf = (share: readonly number[]) => share.map((k) => tried[k]);
  const here = (share: readonly number[]) => tryCombinations(search.estimator, folded, listOf(share), params);
  const sent = threads > 1 ? taskOf(search, plan) : undefined;
  const others = shares.slice(1).map((share) => sent && runTask({ ...sent, tried: listOf(share) }, signal));
  const trials = new Array<Trial>(tried.length);
  let done = 0;
  for (const [t, share] of shares.entries()) {
    const found = (t > 0 && (await others[t - 1])) || here(share);
    if (signal?.aborted) refuse('E_CANCELLED', 'the search was cancelled', {}, signal.reason);
    for (const [at, k] of share.entries()) trials[k] = found[at];
    done += share.length;
    onProgress?.(done * folded.splits.length, tried.length * folded.splits.length);
  }
  return trials;
}

/** The task of a thread without its combinations; undefined where the estimator cannot be written. */
function taskOf<E extends Candidate>(
  search: AnySearch<E>,
  { folded }: SearchPlan,
): Omit<SearchTask, 'tried'> | undefined {
  const { scoring, returnTrainScore, errorScore } = search.getParams();
  const { X, y, classes, weights, splits } = folded;
  try {
    const blank: object = search.estimator.clone();
    const estimator = (blank as { toBytes(): Uint8Array }).toBytes();
    const rows = { X: packRows(X) as typeof X, y, classes, weights, splits };
    return { estimator, folded: rows, options: { scoring, returnTrainScore, errorScore } };
  } catch (error) {
    if (error instanceof PolyaError) return undefined;
    throw error;
  }
}

const worker = new URL(`./search-worker${import.meta.url.slice(-3)}`, import.meta.url);

/** What a thread found; undefined where it could not start or refused, so that the combinations are tried here. */
function runTask(task: SearchTask, signal: AbortSignal | undefined): Promise<Trial[] | undefined> {
  return new Promise((resolve) => {
    try {
      const thread = startWorker(worker, { workerData: task });
      const end = () => void thread.terminate();
      signal?.addEventListener('abort', end, { once: true });
      thread.on('message', resolve);
      thread.on('error', () => resolve(undefined));
      thread.on('exit', () => {
        signal?.removeEventListener('abort', end);
        resolve(undefined);
      });
    } catch {
      resolve(undefined); // functions cannot be sent
    }
  });
}
