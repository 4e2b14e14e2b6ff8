import { requireItems, requireKind, requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import type { CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import { groupedFolds } from '../evaluate/folds.ts';
import type { PosteriorCalibration } from '../evaluate/posterior-calibration.ts';
import { groupRows } from '../evaluate/rows.ts';
import type { Sigmoid } from '../evaluate/sigmoid.ts';
import { stratifiedSample, type Trial, trialsOf } from '../evaluate/trials.ts';
import { logShares } from '../math/logs.ts';
import { requireDocument } from '../text/documents.ts';
import { type InformativeTerm, informativeTerms } from './informative.ts';
import { chooseMembers, overAllRows, SAMPLE, type Tried } from './selection.ts';
import { finish, type Steps, within } from './steps.ts';
import { CountedView, type TextMember, textCandidates, type View, viewsFor } from './text-candidates.ts';
import { TextPool } from './text-pool.ts';
import { LearningView, type ViewMember } from './text-view.ts';

/** How a choice is made, watched and stopped. */
export interface ChooseTextOptions {
  /** The random seed. Default: 0. */
  readonly seed?: number | undefined;
  /** Aborts the work with E_CANCELLED. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Called while models are compared: true ends the comparison, and the best so far are fitted. Default: none. */
  readonly enough?: (() => boolean) | undefined;
  /** Rows of one group are in one fold. Default: near-duplicate texts are grouped. */
  readonly groups?: ArrayLike<unknown> | undefined;
  /** Words to ignore; texts are then read by words alone. Default: none. */
  readonly stopWords?: CountVectorizerOptions['stopWords'];
  /** Called with the finished share of the work, from 0 to 1, and the next step. Default: none. */
  readonly onProgress?: ((share: number, next: string) => void) | undefined;
}

/** The pool that was chosen, what was tried, and the calibrated log-probabilities of the training rows, out of fold. */
export interface TextChoice {
  readonly model: TextPool;
  readonly tried: readonly Tried[];
  /** Of rows that were never held out, the class prior. */
  readonly outOfFold: Matrix;
  /** The rows that were held out. */
  readonly held: Int32Array;
  /** The terms that speak most for each class. */
  readonly informative: readonly InformativeTerm[];
}

/** The most members of an ensemble: those of each view differ in what they see. */
const MOST_MEMBERS = 6;
/** The share of the work up to where texts are read, and to where models are chosen. */
const READ_SHARE = 0.3;
const RACE_SHARE = 0.8;

/**
 * Chooses a classifier of text from the training rows alone. Event models on several views of the text race on held-out rows, each view
 * counted once (see `race`), and are pooled by weights ≥ 0 that minimise the out-of-fold log-loss; Platt's sigmoids calibrate the pool
 * where they lower the loss of rows they were not fitted to. Of more than 25,000 texts, a stratified sample makes the choice and all
 * texts are counted afterwards. The same seed gives the same choice.
 */
export function chooseText(
  documents: readonly string[],
  y: ArrayLike<Label>,
  options: ChooseTextOptions = {},
): TextChoice {
  requireOptions('chooseText', ['enough', 'groups', 'onProgress', 'seed', 'signal', 'stopWords'], options);
  requireItems(documents, 'a list of documents').forEach(requireDocument);
  requireKind(y, 'a list of labels', 'list');
  if (options.onProgress !== undefined) requireKind(options.onProgress, 'a function as onProgress', 'function');
  const { classes, codes } = encodeLabels(y);
  if (codes.length !== documents.length) {
    refuse('E_SHAPE', `there are ${codes.length} labels for ${documents.length} documents`, {
      expected: documents.length,
      actual: codes.length,
    });
  }
  const rows = stratifiedSample(Int32Array.from(codes.keys()), codes, SAMPLE);
  const some = rows.length < codes.length;
  const texts = some ? Array.from(rows, (i) => documents[i]) : documents;
  const own = Int32Array.from(rows, (i) => codes[i]);
  const groups = groupRows(
    texts,
    options.groups && (some ? Array.from(rows, (i) => options.groups![i]) : options.groups),
  );
  if (new Set(groups).size < 2) {
    refuse('E_EMPTY_INPUT', 'to choose a model takes two documents that differ, at least', { actual: 1 });
  }
  const folds = groupedFolds(own, groups, options.seed ?? 0);
  return finish(chooseTextBy(documents, { classes, codes, rows, folds }, options), options);
}

/** Labelled rows, and the folds of those among them that make the choice. */
export interface TextRows {
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
  readonly rows: Int32Array;
  readonly folds: Int32Array;
}

/** The same for texts whose rows were split already. */
export function* chooseTextBy(
  documents: readonly string[],
  { classes, codes, rows, folds }: TextRows,
  { seed = 0, stopWords }: Pick<ChooseTextOptions, 'seed' | 'stopWords'>,
): Steps<TextChoice> {
  const sampled = rows.length < codes.length;
  const texts = sampled ? Array.from(rows, (i) => documents[i]) : documents;
  const y = sampled ? Int32Array.from(rows, (i) => codes[i]) : codes;
  const views = viewsFor(texts, classes.length, stopWords);
  const counted = yield* within(readViews(views, texts, y, classes.length), 0, READ_SHARE);
  const candidates = counted.flatMap((view) => textCandidates(view, seed));
  const how = { seed, method: 'sigmoid', most: MOST_MEMBERS, floored: false } as const;
  const choosing = chooseMembers(candidates, heldOutTrials(folds, y, classes.length), y, how);
  const {
    members,
    pool,
    calibration,
    tried,
    logProba,
    held: chosenRows,
  } = yield* within(choosing, READ_SHARE, RACE_SHARE);
  const used = new Set(members.map(({ view }) => view));
  const chosenViews = views.filter(({ name }) => used.has(name));
  const all = sampled
    ? yield* within(readViews(chosenViews, documents, codes, classes.length), RACE_SHARE, 1)
    : counted.filter(({ name }) => used.has(name));
  const built: LearningView[] = [];
  for (const view of all) {
    yield { share: 1, what: view.name };
    built.push(buildView(view, members, pool.weights, rows));
  }
  const counts = new Float64Array(classes.length);
  for (const c of codes) counts[c]++;
  const plan = { classes, bias: pool.bias, sigmoids: calibration ? curvesOf(calibration) : [], tried };
  const model = new TextPool(plan, { views: built, labels: classes, n: counts });
  const held = chosenRows.map((k) => rows[k]);
  return {
    ...{ model, tried, held, informative: informativeTerms(built, all, classes) },
    outOfFold: overAllRows(logProba, held, codes.length, logShares(counts)),
  };
}

/** The splits of a race; where no class has two different rows, one split that holds out what it learns. */
function heldOutTrials(folds: Int32Array, y: Int32Array, classes: number): Trial[] {
  const trials = trialsOf(folds, y, classes);
  const all = Int32Array.from(y.keys());
  return trials.length > 0 ? trials : [{ fold: -1, learn: all, held: all }];
}

function* readViews(
  views: readonly View[],
  documents: readonly string[],
  y: Int32Array,
  classes: number,
): Steps<CountedView[]> {
  const counted: CountedView[] = [];
  for (const [v, view] of views.entries()) {
    yield { share: v / views.length, what: view.name };
    const own = CountedView.read(view, documents, y, classes);
    if (own) counted.push(own);
  }
  if (counted.length === 0) refuse('E_EMPTY_INPUT', 'the documents hold no words to learn from');
  return counted;
}

/** A view with the members of it that were chosen, each with its weights of terms as the sample teaches them. */
function buildView(
  view: CountedView,
  members: readonly TextMember[],
  weights: Float64Array,
  sample: Int32Array,
): LearningView {
  const own = members.flatMap(({ view: name, model, alpha, scale, initial, weights: learn }, m): ViewMember[] => {
    if (name !== view.name) return [];
    const learned = learn && Float32Array.from(learn(view, sample));
    return [{ model, alpha, initial, factor: scale * weights[m], weights: learned }];
  });
  return new LearningView(view.name, view.vectorizer, own, view.cells.cells);
}

/** A sigmoid for each class over its log-odds; two classes share one, which the first sees from the other side. */
function curvesOf(calibration: PosteriorCalibration): readonly Sigmoid[] {
  const { parts } = calibration as { parts: readonly Sigmoid[] };
  return parts.length === 1 ? [{ a: parts[0].a, b: -parts[0].b }, parts[0]] : parts;
}
