import { encodeState } from '../../core/artifact.ts';
import { refuse } from '../../errors.ts';
import { type Fitted, placeOfFeature, requirePart } from '../../estimators/inside.ts';
import { mostInformative } from '../../estimators/most-informative.ts';
import { nomogram } from '../../estimators/nomogram.ts';
import { rankFeatures, type WordCounter, type WordCounts, wordCountsOf, wordTables } from '../../features/rank.ts';
import { insightOf } from '../../models/insights.ts';
import { classIndex, finite } from '../model/predictions.ts';
import { ClassifierModel, type ServedModel, serveModel } from '../model/served-model.ts';
import type { InsightTask, TaskResult } from './task.ts';

/** Looks into a model. */
export function insightTask(task: InsightTask): TaskResult {
  if (task.kind === 'difference')
    return { result: differenceOf(serveModel(task.from), serveModel(task.to), task.limit) };
  const served = serveModel(encodeState(task.state));
  if (task.kind === 'features' && task.by === 'telling' && served instanceof ClassifierModel)
    return { result: tellingOf(served, task) };
  const fitted = served.insider()?.fitted;
  if (!fitted)
    return refuse('E_CONFLICT', `the model has no ${task.kind}: it is a pool of several`, { method: task.kind });
  if (task.kind === 'features') return { result: featuresOf(fitted, task) };
  return { result: task.kind === 'nomogram' ? nomogramOf(fitted, task) : densitiesOf(fitted, task.feature) };
}

/** What speaks for each class of a classifier of records, a pool included. */
function tellingOf(
  { opened, columns }: ClassifierModel,
  { by, label, limit }: Extract<InsightTask, { kind: 'features' }>,
): RankedFeatures {
  const names = opened.classes.map(String);
  const only = classIndex(names, label);
  const found = opened.mostInformative({ k: limit, class: only === undefined ? undefined : opened.classes[only] });
  const texts = columns.filter(({ kind }) => kind === 'text').map(({ name }) => name);
  const features = found.map(({ class: name, feature, value, nats, logOdds }) => ({
    feature: value !== undefined && texts.includes(feature) ? value : feature,
    class: String(name),
    score: finite(nats),
    ...(value !== undefined && !texts.includes(feature) && { level: value }),
    ...(logOdds !== undefined && { logOdds: finite(logOdds) }),
  }));
  return { by, classes: names, all: features.length, features };
}

/** Ranked features. */
interface RankedFeatures {
  readonly by: string;
  readonly classes: readonly string[];
  readonly all: number;
  readonly features: readonly {
    readonly feature: string;
    readonly class: string;
    readonly score: number;
    readonly level?: string;
  }[];
}

function featuresOf(fitted: Fitted, { by, label, limit }: Extract<InsightTask, { kind: 'features' }>): RankedFeatures {
  const { classes } = fitted.inside();
  const names = classes.map(String);
  const only = classIndex(names, label);
  if (by === 'telling') {
    const own = only === undefined ? {} : { class: classes[only] };
    const found = mostInformative(fitted, { ...own, k: limit });
    const features = found.map(({ class: name, feature, nats, level, logOdds }) => ({
      feature: String(feature),
      class: String(name),
      score: finite(nats),
      ...(logOdds !== undefined && { logOdds: finite(logOdds) }),
      ...(level !== undefined && { level: String(level) }),
    }));
    return { by, classes: names, all: fitted.inside().features, features };
  }
  const counts = wordsOf(fitted);
  const order = orders[by];
  const { best, all } = rankFeatures(wordTables(counts), names, counts.totals, { by: order, only, k: limit });
  return { by, classes: names, all, features: best.map((own) => ({ ...own, score: own[order] })) };
}

const orders = { mi: 'mi', chi2: 'chi2', 'gain-ratio': 'gainRatio', 'log-odds': 'logOdds', bns: 'bns' } as const;

/** The word counts of a model; refuses one that keeps none. */
function wordsOf(fitted: Fitted): WordCounts {
  const { kind } = fitted.inside();
  const sentence = `a ${kind} does not count words; rank its features by telling`;
  return countsOf(fitted) ?? refuse('E_CONFLICT', sentence, { method: 'features' });
}

function countsOf(fitted: Fitted): WordCounts | undefined {
  const { name } = fitted.inside();
  return wordCountsOf(fitted as Fitted & WordCounter, (j) => String(name(j)));
}

function nomogramOf(fitted: Fitted, { label, limit }: Extract<InsightTask, { kind: 'nomogram' }>): object {
  const { classes, prior, axes } = nomogram(fitted, { k: limit });
  const names = classes.map(String);
  const only = classIndex(names, label);
  const point = ({ byClass }: { byClass: Float64Array }) => {
    const nats = Array.from(byClass, finite);
    return only === undefined ? nats : [nats[only] - restOf(nats, only)];
  };
  return {
    classes: only === undefined ? names : [names[only]],
    prior: point(prior),
    axes: axes.map(({ feature, points }) => ({
      feature: String(feature),
      points: points.map((own) => ({ value: own.value, nats: point(own) })),
    })),
  };
}

/** ln of the mean over the other classes: what one class is against. */
function restOf(nats: readonly number[], only: number): number {
  const others = nats.filter((_, c) => c !== only);
  const most = Math.max(...others);
  return most + Math.log(others.reduce((sum, value) => sum + Math.exp(value - most), 0) / others.length);
}

/** A number of a model, by class and feature. */
interface Cell {
  readonly class: string;
  readonly feature: string;
  readonly value: number;
}

/** Features that are compared where they are ranked rather than counted. */
const COMPARED = 1000;

/** What moved between two versions: the shares of the classes, and counts of words or, for other models, how informative features are. */
function differenceOf(before: ServedModel, after: ServedModel, limit: number): object {
  const [from, to] = [cellsOf(before), cellsOf(after)];
  const all = new Map<string, { class: string; feature: string; before: number; after: number }>();
  const note = (cells: readonly Cell[], side: 'before' | 'after') => {
    for (const { class: label, feature, value } of cells) {
      const key = JSON.stringify([label, feature]);
      const own = all.get(key) ?? { class: label, feature, before: 0, after: 0 };
      own[side] = value;
      all.set(key, own);
    }
  };
  note(from.cells, 'before');
  note(to.cells, 'after');
  const moved = [...all.values()].filter((own) => own.before !== own.after);
  const size = (own: { before: number; after: number }) => Math.abs(own.after - own.before);
  moved.sort((a, b) => size(b) - size(a) || (a.feature < b.feature ? -1 : 1));
  const labels = [...new Set([...before.classes, ...after.classes].map(String))];
  const share = (model: ServedModel, label: string) =>
    model.priors()?.[model.classes.map(String).indexOf(label)] ?? null;
  return {
    unit: from.unit,
    classes: labels.map((label) => ({ class: label, before: share(before, label), after: share(after, label) })),
    all: moved.length,
    moved: moved.slice(0, limit),
  };
}

/** The numbers of a model that can be compared: counts of words, or the information of features in nats. */
function cellsOf(served: ServedModel): { readonly unit: 'count' | 'nats'; readonly cells: readonly Cell[] } {
  const fitted = served.insider()?.fitted;
  const names = served.classes.map(String);
  const table = fitted && countsOf(fitted);
  if (table) {
    const { counts, name } = table;
    const cells = names.flatMap((label, c) =>
      Array.from(counts.row(c), (value, j) => ({ class: label, feature: name(j), value })),
    );
    return { unit: 'count', cells: cells.filter(({ value }) => value !== 0) };
  }
  const asked = { kind: 'features', state: served.toState(), by: 'telling', limit: COMPARED } as const;
  const features = served instanceof ClassifierModel ? tellingOf(served, asked) : fitted && featuresOf(fitted, asked);
  const cells = (features?.features ?? []).map((own) => ({
    class: own.class,
    feature: own.level === undefined ? own.feature : `${own.feature} = ${own.level}`,
    value: own.score,
  }));
  return { unit: 'nats', cells };
}

const GRID = 65;

/** p(x | c) of one feature: over its values, or over a grid where it is measured. */
function densitiesOf(fitted: Fitted, feature: string): object {
  const inside = fitted.inside();
  const { kind, model, params, classes } = inside;
  const insight = insightOf(model);
  const reason = 'its score is no sum over features';
  const points = requirePart(kind, insight.points, 'densities', reason);
  const contribution = requirePart(kind, insight.contribution, 'densities', reason);
  const j = placeOfFeature(inside, /^\d+$/.test(feature) ? Number(feature) : feature);
  const marks = points(params, j);
  const cells = insight.cells?.(params) ?? [];
  const block = cells.find(({ places }) => !places || places.includes(j));
  const values = block?.kind === 'reals' && marks.length > 1 ? gridOf(marks) : marks;
  const out = new Float64Array(classes.length);
  return {
    feature: String(inside.name(j)),
    kind: block?.kind ?? 'counts',
    classes: classes.map(String),
    points: Array.from(values, (value) => {
      contribution(params, j, value, out);
      return { value: inside.cell(j, value), densities: Array.from(out, (log) => finite(Math.exp(log))) };
    }),
  };
}

function gridOf(marks: Float64Array): Float64Array {
  const [low, high] = [Math.min(...marks), Math.max(...marks)];
  return Float64Array.from({ length: GRID }, (_, k) => low + ((high - low) * k) / (GRID - 1));
}
