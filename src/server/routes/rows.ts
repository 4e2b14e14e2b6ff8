import { setImmediate as pause } from 'node:timers/promises';
import { Matrix } from '../../data/matrix.ts';
import { refuse } from '../../errors.ts';
import type { Limits } from '../http/limits.ts';
import type { Instance } from '../model/instances.ts';
import type { ModelStore } from '../model-store.ts';
import type { Served } from '../store/records.ts';

/** Refuses more rows than one request may have, and more probabilities, rows × classes, than one response may have. */
export function requireRows(rows: number, limits: Limits, served?: Served): void {
  if (rows > limits.rows) {
    const sentence = `the request has ${rows} rows, at most ${limits.rows} are accepted at once; send a stream of lines`;
    refuse('E_LIMIT', sentence, { limit: limits.rows, actual: rows });
  }
  const classes = served?.model.classes.length ?? 0;
  const actual = rows * classes;
  if (actual <= limits.cells) return;
  const sentence = `${rows} rows of ${classes} classes are ${actual} probabilities, at most ${limits.cells} are answered at once; send fewer rows, or a stream of lines`;
  refuse('E_LIMIT', sentence, { limit: limits.cells, actual });
}

/** Milliseconds that work may block the event loop, and rows between two looks at the clock. */
const [SLICE, STEP] = [5, 32];

/**
 * Handles rows a few at a time and yields to other requests in between, all with one version: if the model learns meanwhile, its new
 * version handles all rows at once. A model that was replaced still answers as before.
 */
export async function inSlices<T>(
  store: ModelStore,
  served: Served,
  rows: number,
  work: (served: Served, from: number, to: number) => readonly T[],
): Promise<{ readonly served: Served; readonly results: T[] }> {
  const results: T[] = [];
  let started = performance.now();
  for (let from = 0; from < rows; from += STEP) {
    for (const result of work(served, from, Math.min(rows, from + STEP))) results.push(result);
    if (from + STEP >= rows || performance.now() - started < SLICE) continue;
    await pause();
    started = performance.now();
    const now = store.get(served.name);
    if (now && now.model === served.model && now.version !== served.version) {
      return { served: now, results: [...work(now, 0, rows)] };
    }
  }
  return { served, results };
}

/** ln p(c | x) of many instances by one version of a model. */
export async function scoreInstances(
  store: ModelStore,
  served: Served,
  instances: readonly Instance[],
): Promise<{ readonly served: Served; readonly logProba: Matrix }> {
  const { served: own, results } = await inSlices(store, served, instances.length, ({ model }, from, to) => [
    model.predictLogProba(instances.slice(from, to)),
  ]);
  const cols = own.model.classes.length;
  const logProba = new Matrix(instances.length, cols);
  let at = 0;
  for (const { data } of results) {
    logProba.data.set(data, at);
    at += data.length;
  }
  return { served: own, logProba };
}
