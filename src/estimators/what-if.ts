import type { CellBlock, Insight } from '../core/insight.ts';
import { posterior } from '../core/posterior.ts';
import { requireOptions } from '../data/arguments.ts';
import type { Rows } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import { argmax } from '../math/arrays.ts';
import { insightOf } from '../models/insights.ts';
import { type Fitted, type Inside, insideOf, type Names, type RowsOf, requirePart } from './inside.ts';
import { type PresentCell, presentCells, rowWithout } from './row-cells.ts';

/** The smallest set of features whose removal would change the prediction. */
export interface WhatIf {
  readonly label: Label;
  /** The prediction without them. */
  readonly instead: Label;
  /** Names of the features to remove, or their indices if features have no names. */
  readonly without: readonly (string | number)[];
}

/** The scores of a row without some of its cells, and the class they lead to. */
interface Answer {
  readonly scores: Float64Array;
  readonly label: number;
}

type Ask = (without: ReadonlySet<number>) => Answer;

/**
 * For every row the smallest set of words or values whose removal would change the prediction; undefined if there is none. If the score is
 * a sum over features, the smallest set for a rival consists of the strongest evidence for the label against it, and the minimum over all
 * rivals is exact. For other scores, and if something is impossible, sets are tried by size up to `SETS`; beyond that the set is minimal
 * but perhaps not the smallest.
 */
export function whatIf<F extends Fitted>(fitted: F, X: RowsOf<F>, options: Names = {}): (WhatIf | undefined)[] {
  const { names } = requireOptions('whatIf', ['names'], options);
  const inside = insideOf(fitted, names);
  const insight = insightOf(inside.model);
  const cells = requirePart(inside.kind, insight.cells, 'whatIf', 'it weighs all values of a row together');
  const blocks = cells(inside.params);
  const rows = inside.rows(X);
  return Array.from({ length: rows.rows }, (_, i) => whatIfRow(inside, insight.contribution, blocks, rows, i));
}

// biome-ignore lint/suspicious/noExplicitAny: each family has its own parameters
type Contribution = Insight<never, any, never>['contribution'];

function whatIfRow(
  { model, params, classes, name }: Inside,
  contribution: Contribution,
  blocks: readonly CellBlock[],
  rows: Rows,
  i: number,
): WhatIf | undefined {
  const prior = model.logPrior(params);
  const ask: Ask = (without) => {
    const scores = new Float64Array(classes.length);
    model.score(params, rowWithout(blocks, rows, i, without), scores);
    return { scores, label: argmax(posterior(scores, prior).logProba) };
  };
  const whole = ask(new Set());
  const present = presentCells(blocks, rows, i);
  const terms = (j: number, value: number) => {
    const out = new Float64Array(classes.length);
    contribution?.(params, j, value, out);
    return out;
  };
  const best = contribution ? fewest(terms, present, whole, ask) : search(present, whole, ask);
  if (!best) return undefined;
  const instead = ask(new Set(best)).label;
  return { label: classes[whole.label], instead: classes[instead], without: best.map(name) };
}

/** The contribution of a value to the score of each class. */
type TermsOf = (j: number, value: number) => Float64Array;

/** The evidence of each cell for the label against a rival, compared with the row without it. */
function supportOf(terms: TermsOf, present: readonly PresentCell[], label: number): (rival: number) => Float64Array {
  const there = present.map(({ feature, value }) => terms(feature, value));
  const away = present.map(({ feature, gone }) => terms(feature, gone === 'absent' ? 0 : Number.NaN));
  return (rival) =>
    Float64Array.from(present, (_, f) => there[f][label] - there[f][rival] - (away[f][label] - away[f][rival]));
}

/** Scores closer than this part of their size may be equal but for rounding: then the row is scored. */
const CLOSE = 1e-9;

function fewest(
  terms: TermsOf,
  present: readonly PresentCell[],
  { scores, label }: Answer,
  ask: Ask,
): number[] | undefined {
  const support = supportOf(terms, present, label);
  let best: number[] | undefined;
  let finite = Number.isFinite(scores[label]);
  for (let rival = 0; rival < scores.length; rival++) {
    if (rival === label) continue;
    const own = support(rival);
    finite &&= own.every(Number.isFinite);
    const order = [...own.keys()]
      .filter((f) => own[f] > 0)
      .sort((a, b) => (own[a] === own[b] ? a - b : own[b] - own[a]));
    const gone = new Set<number>();
    let margin = scores[label] - scores[rival];
    for (const f of order) {
      if (best && gone.size + 1 >= best.length) break;
      gone.add(present[f].feature);
      margin -= own[f];
      if (margin > CLOSE * (1 + Math.abs(scores[label])) || ask(gone).label === label) continue;
      best = [...gone];
      break;
    }
  }
  return finite ? best : search(present, { scores, label }, ask, best);
}

/** The most sets tried for a score that is no sum. */
const SETS = 2000;

function search(
  present: readonly PresentCell[],
  whole: Answer,
  ask: Ask,
  known?: number[] | undefined,
): number[] | undefined {
  const features = present.map(({ feature }) => feature);
  const flips = (set: readonly number[]) => ask(new Set(set)).label !== whole.label;
  const found = known ?? greedy(features, whole, ask);
  let tried = 0;
  for (let size = 1; size < (found?.length ?? features.length + 1); size++) {
    for (const set of subsets(features, size)) {
      if (++tried > SETS) return found;
      if (flips(set)) return set;
    }
  }
  return found;
}

/** Up to this many cells, the order is computed again after each removal. */
const ASKED_ANEW = 100;

/** Removes the most effective cells until the prediction changes, then restores those that are not needed. */
function greedy(features: readonly number[], { label }: Answer, ask: Ask): number[] | undefined {
  const kept = (set: readonly number[]) => ask(new Set(set)).label === label;
  const gone: number[] = [];
  let left = inOrderOfHelp(features, gone, label, ask);
  while (left.length > 0 && kept(gone)) {
    gone.push(left[0]);
    left = left.length > ASKED_ANEW ? left.slice(1) : inOrderOfHelp(left.slice(1), gone, label, ask);
  }
  if (kept(gone)) return undefined;
  return gone.reduce((needed, j) => {
    const fewer = needed.filter((other) => other !== j);
    return kept(fewer) ? needed : fewer;
  }, gone);
}

/** Cells sorted by how far the label falls behind its strongest rival without them. */
function inOrderOfHelp(left: readonly number[], gone: readonly number[], label: number, ask: Ask): number[] {
  const leads = new Map(
    left.map((j) => {
      const { scores } = ask(new Set([...gone, j]));
      const rivals = scores.filter((_, c) => c !== label);
      const lead = rivals.length > 0 ? scores[label] - rivals[argmax(rivals)] : Infinity;
      return [j, Number.isNaN(lead) ? Infinity : lead];
    }),
  );
  const of = (j: number) => leads.get(j) as number;
  return [...left].sort((a, b) => (of(a) === of(b) ? a - b : of(a) - of(b)));
}

/** All subsets of a size, in order. */
function* subsets(items: readonly number[], size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let k = from; k <= items.length - size; k++) {
    for (const rest of subsets(items, size - 1, k + 1)) yield [items[k], ...rest];
  }
}
