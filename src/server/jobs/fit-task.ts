import { Classifier } from '../../auto/classifier.ts';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import type { Evaluation } from '../../auto/classifier-split.ts';
import { classifierModels } from '../../auto/learner-families.ts';
import type { DataRow } from '../../data/cells.ts';
import { PolyaError, refuse, show } from '../../errors.ts';
import { readTable } from '../../node/table.ts';
import type { FitConfig, StoredData, Task, TaskProgress, TaskResult } from './task.ts';

type Tell = (progress: TaskProgress) => void;

/** The rows of stored data. */
export async function rowsOf({ path, name, format }: StoredData): Promise<DataRow[]> {
  const { rows } = await readTable(path, { name, ...(format !== undefined && { format }) });
  return rows;
}

/** The options of the library; patterns and functions are no plain data, and are not among them. */
export function optionsOf({ params = {}, ...config }: FitConfig): ClassifierOptions {
  const { model } = config;
  if (model !== undefined && model !== 'auto' && !(classifierModels as readonly string[]).includes(model)) {
    refuse('E_PARAM', `there is no model ${show(model)}; there are auto, ${classifierModels.join(', ')}`, {
      name: 'model',
    });
  }
  const own = Object.keys(params).find((name) => /pattern/i.test(name) || reserved.has(name));
  if (own !== undefined) refuse('E_PARAM', `${show(own)} cannot be given among params`, { name: own });
  return { ...params, ...config } as ClassifierOptions;
}

const reserved: ReadonlySet<string> = new Set(['target', 'schema', 'signal', 'onProgress', '__proto__']);

/** Fits a classifier; the model is the bytes of the result. */
export async function fitTask({ data, config }: Extract<Task, { kind: 'fit' }>, tell: Tell): Promise<TaskResult> {
  tell({ share: 0, what: 'reading' });
  const rows = await rowsOf(data);
  return fitted(
    Classifier.fit(rows, { evaluate: true, ...optionsOf(config), onProgress: (share, what) => tell({ share, what }) }),
    rows.length,
  );
}

function fitted(model: Classifier, rows: number, more: object = {}): TaskResult {
  const { evaluation, warnings, summary, classes } = model.report();
  return { result: { rows, summary, classes, evaluation, warnings, ...more }, bytes: model.toBytes() };
}

/** A combination of settings with its scores by folds. */
export interface Tried {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly logLoss: number;
  readonly accuracy: number;
}

const MOST_COMBINATIONS = 256;

/** Tries every combination of settings by folds, and fits the one of the least log-loss. */
export async function tuneTask(
  { data, config, grid }: Extract<Task, { kind: 'tune' }>,
  tell: Tell,
): Promise<TaskResult> {
  tell({ share: 0, what: 'reading' });
  const rows = await rowsOf(data);
  const all = combinations(grid);
  let refusal: PolyaError | undefined;
  const tried = all.flatMap((settings, k): (Tried & { evaluation: Evaluation })[] => {
    tell({ share: k / (all.length + 1), what: Object.values(settings).map(String).join(' ').slice(0, 100) });
    try {
      const { evaluation } = Classifier.fit(rows, { ...withSettings(config, settings), evaluate: true }).report();
      return evaluation ? [{ settings, logLoss: evaluation.logLoss, accuracy: evaluation.accuracy, evaluation }] : [];
    } catch (error) {
      if (!(error instanceof PolyaError) || error.code !== 'E_PARAM') throw error;
      refusal = error; // a combination that this model or these columns do not have
      return [];
    }
  });
  if (tried.length === 0) throw refusal ?? new PolyaError('E_PARAM', 'no combination of the grid can be fitted', {});
  const [best, ...others] = tried.sort((a, b) => a.logLoss - b.logLoss);
  tell({ share: all.length / (all.length + 1), what: 'fitting the best' });
  const model = Classifier.fit(rows, { ...withSettings(config, best.settings), evaluate: true });
  return fitted(model, rows.length, { tried: [best, ...others].map(({ evaluation: _, ...own }) => own) });
}

function withSettings(config: FitConfig, { model, ...params }: Readonly<Record<string, unknown>>): ClassifierOptions {
  const named = model === undefined ? config : { ...config, model: String(model) };
  return optionsOf({ ...named, params: { ...config.params, ...params } });
}

/** Every combination of the values of a grid. */
export function combinations(grid: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown>[] {
  const count = Object.values(grid).reduce((product, values) => product * values.length, 1);
  if (count > MOST_COMBINATIONS || count === 0) {
    refuse('E_LIMIT', `the grid has ${count} combinations; give 1 to ${MOST_COMBINATIONS}`, {
      limit: MOST_COMBINATIONS,
      actual: count,
    });
  }
  let all: Record<string, unknown>[] = [Object.create(null)];
  for (const [name, values] of Object.entries(grid)) {
    all = all.flatMap((own) => values.map((value) => Object.assign(Object.create(null), own, { [name]: value })));
  }
  return all;
}
