import type { Model } from '../core/model.ts';
import { isSparse, type Rows, type Shape, toSparse } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import { argmax } from '../math/arrays.ts';

/** The fewest features without which the answer would be another one. */
export interface WhatIf {
  readonly label: Label;
  /** What the row would be called without them. */
  readonly instead: Label;
  /** Names of the features to take away, or their numbers where features have no names. */
  readonly without: readonly (string | number)[];
}

/** A way to take features out of a row: a word is simply absent, a measurement is missing. */
export type Removal = 'absent' | 'missing';

/**
 * Finds, for one row, the smallest set of present features whose removal flips the answer; undefined when none does.
 * Against a given rival the features that speak most for the label are the ones to take first, which is the smallest set
 * wherever the score is a sum over features; the smallest over all rivals is taken, and the flip is checked by scoring.
 */
export function whatIf<P extends Shape>(
  model: Pick<Model<never, P, never>, 'score'>,
  params: P,
  rows: Rows,
  i: number,
  classes: readonly Label[],
  names: readonly string[] | undefined,
  removal: Removal,
): WhatIf | undefined {
  const present = presentFeatures(rows, i, removal);
  const scoreWithout = (gone: ReadonlySet<number>): Float64Array => {
    const out = new Float64Array(classes.length);
    model.score(params, rowWithout(rows, i, gone, removal), out);
    return out;
  };
  const whole = scoreWithout(new Set());
  const label = argmax(whole);
  const alone = present.map((j) => scoreWithout(new Set([j])));
  let best: { gone: number[]; instead: number } | undefined;
  for (let rival = 0; rival < classes.length; rival++) {
    if (rival === label) continue;
    const help = alone.map((scores) => whole[label] - whole[rival] - (scores[label] - scores[rival]));
    const order = [...present.keys()].filter((f) => help[f] > 0).sort((a, b) => help[b] - help[a]);
    const gone = new Set<number>();
    for (const f of order) {
      if (best && gone.size + 1 >= best.gone.length) break;
      gone.add(present[f]);
      const instead = argmax(scoreWithout(gone));
      if (instead === label) continue;
      best = { gone: [...gone], instead };
      break;
    }
  }
  if (!best) return undefined;
  return { label: classes[label], instead: classes[best.instead], without: best.gone.map((j) => names?.[j] ?? j) };
}

function presentFeatures(rows: Rows, i: number, removal: Removal): number[] {
  if (removal === 'missing' && !isSparse(rows)) {
    return [...Array(rows.features).keys()].filter((j) => !Number.isNaN(rows.x[i * rows.features + j]));
  }
  const { indptr, indices, values } = toSparse(rows);
  const places = Array.from({ length: indptr[i + 1] - indptr[i] }, (_, f) => indptr[i] + f);
  return places.filter((k) => !Number.isNaN(values[k])).map((k) => indices[k]);
}

function rowWithout(rows: Rows, i: number, gone: ReadonlySet<number>, removal: Removal): Rows {
  const { features } = rows;
  if (removal === 'missing' && !isSparse(rows)) {
    const x = rows.x.slice(i * features, (i + 1) * features);
    for (const j of gone) x[j] = Number.NaN;
    return { rows: 1, features, x };
  }
  const { indptr, indices, values } = toSparse(rows);
  const kept = Array.from({ length: indptr[i + 1] - indptr[i] }, (_, f) => indptr[i] + f).filter((k) => !gone.has(indices[k]));
  return {
    rows: 1,
    features,
    indptr: Uint32Array.of(0, kept.length),
    indices: Uint32Array.from(kept, (k) => indices[k]),
    values: Float64Array.from(kept, (k) => values[k]),
  };
}
