import type { Matrix } from '../data/matrix.ts';
import { addInto, scaleInto, sum } from '../math/arrays.ts';
import type { Random } from '../math/random.ts';
import { fitPool, type Pool } from './pool.ts';
import { type ChosenPool, choosePool, posteriorPool } from './pool-choose.ts';
import { foldRows } from './records-lesson.ts';

/** Scores of the same rows by several members, each row by members that had not learned its fold. */
export interface Judged {
  readonly scores: readonly Matrix[];
  readonly codes: Int32Array;
  readonly folds: Int32Array;
}

/** So many rows choose members without much luck; of fewer, several draws together. */
const ENOUGH = 5000;
const MOST_DRAWS = 9;
/** From so many rows on, the folds weigh the members that all rows have chosen. */
const SETTLED = 1000;

/** How often a pool is chosen by so many rows. */
const drawsFor = (rows: number) => Math.max(1, Math.min(MOST_DRAWS, Math.floor(ENOUGH / rows)));

/** A pool of some members as one of all, with weight zero for the others. */
export function spread({ members, weights, bias }: ChosenPool, all: number): Pool {
  const own = new Float64Array(all);
  members.forEach((m, k) => {
    own[m] = weights[k];
  });
  return { weights: own, bias };
}

/** Weights of rows, one on average: Rubin, The Bayesian Bootstrap, Annals of Statistics 9 (1981). */
function drawWeights(rows: number, random: Random): Float64Array {
  const weights = Float64Array.from({ length: rows }, () => -Math.log1p(-random.uniform()));
  scaleInto(weights, rows / sum(weights));
  return weights;
}

/**
 * The pool of members that the judged rows choose. Among few rows, which members are chosen hangs on some of them, and on how
 * folds were dealt; so it is chosen several times, by rows weighed anew, from one deal after the other, and what was chosen is
 * averaged: where the choice hangs by a hair, each side gets its share. All deals are of the same rows and members.
 */
export function averagePool(deals: readonly Judged[], random: Random, check: () => void): Pool {
  const [{ scores, codes }] = deals;
  const draws = drawsFor(codes.length);
  const total = { weights: new Float64Array(scores.length), bias: new Float64Array(scores[0].cols) };
  for (let draw = 0; draw < draws; draw++) {
    const deal = deals[draw % deals.length];
    const weights = draws > 1 ? drawWeights(codes.length, random) : undefined;
    const pool = spread(choosePool(deal.scores, codes, { weights, check }), scores.length);
    addInto(total.weights, pool.weights);
    addInto(total.bias, pool.bias);
  }
  for (const sums of [total.weights, total.bias]) scaleInto(sums, 1 / draws);
  return total;
}

/**
 * For every fold the pool that the rows of the other folds choose; of so many rows that one choice serves, the members are
 * those of the pool that all rows have chosen, and the other folds weigh them.
 */
export function poolsByFold(judged: Judged, chosen: Pool, check: () => void): Map<number, Pool> {
  const { scores, codes, folds } = judged;
  const settled = codes.length >= SETTLED;
  const members = [...chosen.weights.keys()].filter((m) => chosen.weights[m] > 0);
  const start = { weights: chosen.weights.filter((weight) => weight > 0), bias: chosen.bias };
  const poolWithout = (fold: number): ChosenPool => {
    check();
    const { learn: rows } = foldRows(folds, fold);
    if (!settled) return choosePool(scores, codes, { rows, check });
    const problem = { scores: members.map((m) => scores[m].data), y: codes, classes: scores[0].cols, rows };
    const options = { ...posteriorPool(members.length), bias: chosen.bias.some(Boolean), start };
    return { members, ...fitPool(problem, options) };
  };
  return new Map([...new Set(folds)].map((fold) => [fold, spread(poolWithout(fold), scores.length)]));
}
