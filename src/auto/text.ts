import { requireItems, requireKind, requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { requireGoing } from '../engines/memory.ts';
import { refuse } from '../errors.ts';
import { addScaledInto } from '../math/arrays.ts';
import { logShares } from '../math/logs.ts';
import { requireDocument } from '../text/documents.ts';
import { type InformativeTerm, informativeTerms } from './informative.ts';
import type { Pool } from './pool.ts';
import { dealFolds, groupRows, rowsByFold } from './text-folds.ts';
import { type Course, type Member, membersOf } from './text-members.ts';
import { type PoolView, TextPool, type TriedText } from './text-pool.ts';
import { tableOf } from './text-table.ts';
import { chooseTeam } from './text-teams.ts';
import { viewsFor } from './text-views.ts';

/** How a choice is made, watched and stopped. */
export interface ChooseTextOptions {
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Rows of one group lie in one fold; without groups, rows whose texts are alike do. */
  readonly groups?: ArrayLike<unknown> | undefined;
  /** Called with the share of the work that is done, from 0 to 1, and what comes next. */
  readonly onProgress?: ((share: number, next: string) => void) | undefined;
}

/** The pool that was chosen, what was tried, and the calibrated log-probabilities of the training rows, out of fold. */
export interface TextChoice {
  readonly model: TextPool;
  readonly tried: readonly TriedText[];
  readonly outOfFold: Matrix;
  /** The terms that speak most for each class. */
  readonly informative: readonly InformativeTerm[];
}

const FOLDS = 5;

/** Members of one view and weighting add up to one table of weights. */
function buildViews(members: readonly Member[], at: Pool): { views: PoolView[]; bias: Float64Array } {
  const bias = at.bias.slice();
  const sums = new Map<string, Map<Member['weighting'], Float64Array>>();
  members.forEach((member, m) => {
    const { start, weights } = member.learn();
    addScaledInto(bias, at.weights[m], start);
    const own = sums.get(member.view) ?? new Map<Member['weighting'], Float64Array>();
    const sum = own.get(member.weighting) ?? new Float64Array(weights.length);
    addScaledInto(sum, at.weights[m], weights);
    sums.set(member.view, own.set(member.weighting, sum));
  });
  const views = [...sums].map(([name, own]) => {
    const { vectorizer } = members.find(({ view }) => view === name)!;
    return {
      name,
      vectorizer,
      parts: [...own].map(([weighting, sum]) => ({ weighting, ...tableOf(sum, bias.length) })),
    };
  });
  return { views, bias };
}

function readCourse(documents: readonly string[], y: ArrayLike<Label>, options: ChooseTextOptions) {
  const { classes, codes } = encodeLabels(y);
  if (codes.length !== documents.length) {
    refuse('E_SHAPE', `there are ${codes.length} labels for ${documents.length} documents`, {
      expected: documents.length,
      actual: codes.length,
    });
  }
  const seed = options.seed ?? 0;
  const fold = dealFolds(groupRows(documents, options.groups), codes, FOLDS, seed);
  const course: Course = { y: codes, classes: classes.length, fold, parts: rowsByFold(fold), seed };
  return { classes, course };
}

/** All members of all views. */
function tryAll(documents: readonly string[], course: Course, { signal, onProgress }: ChooseTextOptions): Member[] {
  const views = viewsFor(documents, course.classes);
  const members = views.flatMap((view, v) => {
    onProgress?.(v / (views.length + 1), view.name);
    return membersOf(view, documents, course, () => requireGoing(signal));
  });
  if (members.length === 0) refuse('E_EMPTY_INPUT', 'the documents hold no words to learn from');
  onProgress?.(views.length / (views.length + 1), 'pool');
  return members;
}

/**
 * Chooses a classifier of text from the training rows alone. Event models on several views of the text are scored out of
 * fold from shared counts, pooled by weights ≥ 0 and class biases that minimise the out-of-fold log-loss, and calibrated by
 * whichever of softmax and Platt's curves does better on folds that taught neither. Where rows are few, the best member
 * alone may win over the pool in the same way. The same seed gives the same choice.
 */
export function chooseText(
  documents: readonly string[],
  y: ArrayLike<Label>,
  options: ChooseTextOptions = {},
): TextChoice {
  requireOptions('chooseText', ['groups', 'onProgress', 'seed', 'signal'], options);
  requireItems(documents, 'a list of documents').forEach(requireDocument);
  requireKind(y, 'a list of labels', 'list');
  if (options.onProgress !== undefined) requireKind(options.onProgress, 'a function as onProgress', 'function');
  const { classes, course } = readCourse(documents, y, options);
  const members = tryAll(documents, course, options);
  const { team, weights, curves, outOfFold, tried } = chooseTeam(members, course, () => requireGoing(options.signal));
  const counts = new Float64Array(classes.length);
  for (const c of course.y) counts[c]++;
  const built = buildViews(team, weights);
  const model = new TextPool({ classes, curves, tried, logPrior: logShares(counts), ...built });
  const countsOf = ({ name }: PoolView) => team.find(({ view }) => view === name)!.counts;
  const informative = informativeTerms(built.views, countsOf, course.y, classes);
  options.onProgress?.(1, 'done');
  return { model, tried, outOfFold, informative };
}
