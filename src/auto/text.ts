import type { ColumnTable } from '../data/column-table.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import type { CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import type { PosteriorCalibration } from '../evaluate/posterior-calibration.ts';
import type { Sigmoid } from '../evaluate/sigmoid.ts';
import type { Trial } from '../evaluate/trials.ts';
import { countCodes } from '../math/arrays.ts';
import { informativeTerms } from './informative.ts';
import { textsOf } from './learner-columns.ts';
import type { Draft } from './predictor.ts';
import type { SchemaColumn } from './schema.ts';
import { chooseMembers } from './selection.ts';
import { type Steps, within } from './steps.ts';
import { CountedView, type TextMember, textCandidates, type View, viewsFor } from './text-candidates.ts';
import { TextPool } from './text-pool.ts';
import { LearningView, type ViewMember } from './text-view.ts';

/** The most members of an ensemble: those of each view differ in what they see. */
const MOST_MEMBERS = 6;
/** The share of the work up to where texts are read, and to where models are chosen. */
const READ_SHARE = 0.3;
const RACE_SHARE = 0.8;

/** Labelled rows, and the splits of those among them that make the choice. */
interface TextRows {
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
  readonly rows: Int32Array;
  readonly trials: readonly Trial[];
}

/** How an ensemble of text is chosen. */
interface ChooseTextOptions {
  readonly seed?: number | undefined;
  /** Words to ignore; texts are then read by words alone. */
  readonly stopWords?: CountVectorizerOptions['stopWords'];
}

/**
 * Chooses an ensemble for one column of text from the training rows alone. Event models on several views of the text race on held-out
 * rows, each view counted once (see `race`), and are pooled by weights ≥ 0 that minimise the out-of-fold log-loss; Platt's sigmoids
 * calibrate the pool where they lower the loss of rows they were not fitted to. Where some rows make the choice, all are counted
 * afterwards. The same seed gives the same choice.
 */
export function* chooseText(
  table: ColumnTable,
  column: Pick<SchemaColumn, 'name'>,
  { classes, codes, rows, trials }: TextRows,
  { seed = 0, stopWords }: ChooseTextOptions,
): Steps<Draft> {
  const { name: of } = column;
  const documents = textsOf(table, of);
  const sampled = rows.length < codes.length;
  const texts = sampled ? Array.from(rows, (i) => documents[i]) : documents;
  const y = sampled ? Int32Array.from(rows, (i) => codes[i]) : codes;
  const views = viewsFor(texts, classes.length, stopWords);
  const counted = yield* within(readViews(views, texts, y, classes.length), 0, READ_SHARE);
  const candidates = counted.flatMap((view) => textCandidates(view, seed));
  const how = { of, seed, method: 'sigmoid', most: MOST_MEMBERS, floored: false } as const;
  const every = Int32Array.from(y.keys());
  const alone = [{ fold: -1, learn: every, held: every }]; // no class has two different rows
  const choosing = chooseMembers(candidates, trials.length > 0 ? trials : alone, y, how);
  const { members, pool, calibration, tried, logProba } = yield* within(choosing, READ_SHARE, RACE_SHARE);
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
  const n = countCodes(codes, classes.length);
  const plan = { classes, bias: pool.bias, sigmoids: calibration ? curvesOf(calibration) : [] };
  return {
    predictor: new TextPool(column, plan, { views: built, labels: classes, n }),
    tried: tried.map((own) => ({ of, ...own })),
    informative: informativeTerms(built, all, classes).map((term) => ({ ...term, feature: of })),
    logProba,
    present: presentIn(counted.filter(({ name }) => used.has(name))),
  };
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

/** Whether each text has a term in one of its views, as 1 or 0. */
function presentIn(views: readonly CountedView[]): Float64Array {
  return Float64Array.from(views[0].cells.y, (_, i) =>
    Number(views.some(({ cells: { X } }) => X.indptr[i + 1] > X.indptr[i])),
  );
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
