import { Classifier } from '../../auto/classifier.ts';
import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { classifierModels } from '../../auto/learner-families.ts';
import { cellOf, type DataRow, wordOf } from '../../data/cells.ts';
import { RecordTable } from '../../data/column-table.ts';
import { PolyaError, refuse, show } from '../../errors.ts';
import { combinations } from '../../estimators/search.ts';
import { correctedResampledTTest } from '../../evaluate/compare.ts';
import { evaluateRows } from '../../evaluate/evaluation.ts';
import { StratifiedGroupKFold } from '../../evaluate/group-folds.ts';
import { copiesOf } from '../../evaluate/held-out.ts';
import { meanOf } from '../../evaluate/numpy.ts';
import { readTable } from '../../node/table.ts';
import type { FitConfig, FitTask, TaskProgress, TaskResult } from './task.ts';

type OnProgress = (progress: TaskProgress) => void;

/** Fits one model, the best of a grid, or several to compare them. */
export async function fitTask(task: FitTask, onProgress: OnProgress): Promise<TaskResult> {
  const { path, name, format } = task.data;
  onProgress({ share: 0, what: 'reading' });
  const { rows } = await readTable(path, { name, ...(format !== undefined && { format }) });
  if (task.kind === 'tune') return tune(rows, task.config, task.grid, onProgress);
  if (task.kind === 'compare') return compare(rows, task.config, task.models, onProgress);
  const options = { evaluate: true, ...optionsOf(task.config) };
  return fitted(Classifier.fit(rows, { ...options, onProgress: (share, what) => onProgress({ share, what }) }), rows);
}

const reserved: ReadonlySet<string> = new Set(['target', 'schema', 'signal', 'onProgress', '__proto__']);

/** The options of the library; patterns and functions are no plain data, and are not among them. */
function optionsOf({ params = {}, ...config }: FitConfig): ClassifierOptions {
  const { model } = config;
  if (model !== undefined && model !== 'auto' && !(classifierModels as readonly string[]).includes(model)) {
    const sentence = `there is no model ${show(model)}; there are auto, ${classifierModels.join(', ')}`;
    refuse('E_PARAM', sentence, { name: 'model' });
  }
  const own = Object.keys(params).find((name) => /pattern/i.test(name) || reserved.has(name));
  if (own !== undefined) refuse('E_PARAM', `${show(own)} cannot be given among params`, { name: own });
  return { ...params, ...config } as ClassifierOptions;
}

function fitted(model: Classifier, rows: readonly DataRow[], more: object = {}): TaskResult {
  const { evaluation, warnings, summary, classes } = model.report();
  return { result: { rows: rows.length, summary, classes, evaluation, warnings, ...more }, bytes: model.toBytes() };
}

/** Evaluates every combination of settings, and fits the one with the least log-loss. */
function tune(
  rows: readonly DataRow[],
  config: FitConfig,
  grid: Readonly<Record<string, readonly unknown[]>>,
  onProgress: OnProgress,
): TaskResult {
  requireFew(grid);
  const all = combinations(grid);
  const fitWith = ({ model = config.model, ...params }: Readonly<Record<string, unknown>>) => {
    const named = model === undefined ? config : { ...config, model: String(model) };
    const options = optionsOf({ ...named, params: { ...config.params, ...params } });
    return Classifier.fit(rows, { ...options, evaluate: true });
  };
  let refusal = new PolyaError('E_PARAM', 'no combination of the grid can be fitted', {});
  const tried = all.flatMap((settings, k) => {
    const what = Object.values(settings).map(String).join(' ').slice(0, 100);
    onProgress({ share: k / (all.length + 1), what });
    try {
      const { evaluation } = fitWith(settings).report();
      return evaluation ? [{ settings, logLoss: evaluation.logLoss, accuracy: evaluation.accuracy }] : [];
    } catch (error) {
      if (!(error instanceof PolyaError) || error.code !== 'E_PARAM') throw error;
      refusal = error; // a combination that this model or these columns do not have
      return [];
    }
  });
  if (tried.length === 0) throw refusal;
  tried.sort((a, b) => a.logLoss - b.logLoss);
  onProgress({ share: all.length / (all.length + 1), what: 'fitting the best' });
  return fitted(fitWith(tried[0].settings), rows, { tried });
}

const MAX_COMBINATIONS = 256;

/** Refuses a grid with too many combinations before they are made. */
function requireFew(grid: Readonly<Record<string, readonly unknown[]>>): void {
  const actual = Object.values(grid).reduce((product, values) => product * values.length, 1);
  if (actual <= MAX_COMBINATIONS) return;
  const sentence = `the grid has ${actual} combinations; give at most ${MAX_COMBINATIONS}`;
  refuse('E_LIMIT', sentence, { limit: MAX_COMBINATIONS, actual });
}

const FOLDS = 5;

/** Compares models by name on the same folds, with the corrected test of the difference against the first. */
function compare(
  rows: readonly DataRow[],
  config: FitConfig,
  models: readonly string[],
  onProgress: OnProgress,
): TaskResult {
  const labels = rows.map((row) => wordOf(cellOf(row, config.target) ?? ''));
  const splitter = new StratifiedGroupKFold({ nSplits: FOLDS, shuffle: true, randomState: config.seed ?? 1 });
  const folds = [...splitter.split(rows, labels, copiesOf(new RecordTable(rows), config.target))];
  const scores = models.map((model, k) => {
    const own = { ...optionsOf({ ...config, model }), evaluate: false };
    const parts = folds.map(([train, test], f) => {
      onProgress({ share: (k + f / FOLDS) / models.length, what: `${model}, fold ${f + 1} of ${FOLDS}` });
      const fittedModel = Classifier.fit(take(rows, train), own);
      const logProba = fittedModel.predictLogProba(take(rows, test), { strict: false });
      const scored = { classes: fittedModel.classes.map(String), truth: take(labels, test), logProba };
      return evaluateRows(scored, '');
    });
    return {
      accuracy: parts.map(({ accuracy }) => accuracy.value),
      gain: parts.map(({ logLoss }) => -(logLoss ?? 0)),
    };
  });
  const nTest = rows.length / FOLDS;
  const sizes = { nTrain: rows.length - nTest, nTest };
  const lines = models.map((name, k) => ({
    name,
    accuracy: meanOf(scores[k].accuracy),
    logLoss: -meanOf(scores[k].gain),
    verdict: k === 0 ? null : verdict(scores[0].gain, scores[k].gain, { names: [models[0], name], ...sizes }),
  }));
  return { result: { rows: rows.length, on: `${FOLDS} folds, the same for all`, models: lines } };
}

const take = <T>(values: readonly T[], indices: ArrayLike<number>): T[] => Array.from(indices, (i) => values[i]);

function verdict(...test: Parameters<typeof correctedResampledTTest>): object {
  const { difference, pValue, better, words } = correctedResampledTTest(...test);
  return { difference, pValue: Number.isFinite(pValue) ? pValue : null, better, words };
}
