import type { State } from '../../core/artifact.ts';
import { CountVectorizer } from '../../estimators/count-vectorizer.ts';
import { HashingVectorizer } from '../../estimators/hashing-vectorizer.ts';
import { restore } from '../../estimators/restore.ts';
import type { CellGroup, PlanScore } from '../plan.ts';
import { bounded, LEAST, linearSum, type PlanBuilder, UNMET } from './builder.ts';
import { estimatorPosterior } from './estimators.ts';
import { cannotCarry, revive } from './inside.ts';
import { vectorizedText } from './text.ts';

const numbers = ({ arrays }: State, name: string) => Float64Array.from(arrays[name]?.data ?? []);

/** The counts of the terms of a text, by the vectorizer of a state. */
export function countsOf(builder: PlanBuilder, state: State, input: number): number {
  if (state.kind !== 'CountVectorizer' && state.kind !== 'HashingVectorizer') {
    cannotCarry(`a vectorizer of the kind ${state.kind}`, 'no export supports it');
  }
  const kind = state.kind === 'CountVectorizer' ? CountVectorizer : HashingVectorizer;
  return vectorizedText(builder, restore(new kind(state.params as object), state), input);
}

/** Weights by term, from a table without repeated rows if `Rows` gives the row of each term. */
function termWeights(state: State, name: string, classes: number): Float64Array {
  const table = numbers(state, name);
  const rows = state.arrays[`${name}Rows`]?.data;
  if (!rows) return table;
  const weights = new Float64Array(rows.length * classes);
  for (let j = 0; j < rows.length; j++) {
    const from = Number(rows[j]) * classes;
    weights.set(table.subarray(from, from + classes), j * classes);
  }
  return weights;
}

/** The score of some columns: ln p(c | x), the cells that it reads, and ln p(c) where it is known. */
export interface PartScore {
  readonly of: PlanScore;
  readonly cells: readonly CellGroup[];
  readonly prior: Float64Array | undefined;
}

/** A pool of text scorers: one table of weights for each view and weighting of its cells. A text without a known term gets the prior. */
export function textPoolScore(builder: PlanBuilder, state: State, input: number): PartScore {
  const classes = (state.learned.classes as readonly unknown[]).length;
  const vectors: number[] = [];
  const parts = (state.steps ?? []).flatMap((step, v) => {
    const from = countsOf(builder, step, input);
    vectors.push(from);
    const views = { root: () => builder.vector({ op: 'root-share', from }), presence: () => builder.presence(from) };
    return (['root', 'presence'] as const)
      .filter((weighting) => Object.hasOwn(state.arrays, `${weighting}${v}`))
      .map((weighting) => {
        const weights = termWeights(state, `${weighting}${v}`, classes);
        return { of: linearSum(new Float64Array(classes), views[weighting](), weights), less: null };
      });
  });
  const of: PlanScore = { op: 'add', start: numbers(state, 'bias'), parts };
  const curves = numbers(state, 'curves');
  const every = (k: number) => curves.filter((_, at) => at % 2 === k);
  const score: PlanScore =
    curves.length === 0
      ? { op: 'posterior', of, prior: null, impossible: 'prior', sum: 'apart' }
      : { op: 'platt', of, a: every(0), b: every(1) };
  const cells = [{ vectors, text: true }];
  const logPrior = numbers(state, 'logPrior');
  if (logPrior.length === 0) return { of: score, cells, prior: undefined }; // files of version 0.1 lack it
  return { of: { op: 'blank', of: score, cells, prior: logPrior }, cells, prior: logPrior };
}

/** One event model of text at a temperature. */
export function textBayesScore(builder: PlanBuilder, { learned, steps = [] }: State, input: number): PartScore {
  const [vectorizer, model] = steps;
  const estimator = revive(model);
  const vector = countsOf(builder, vectorizer, input);
  const posterior = estimatorPosterior(builder, estimator, { vector });
  const own = estimator.classes as readonly number[];
  const classes = learned.classes as number;
  const of = bounded(posterior, LEAST, new Uint8Array(own.length));
  const member: PlanScore = { op: 'place', of, places: Int32Array.from(own), classes, fill: UNMET };
  const weight = learned.weight as number;
  const members = weight === 0 ? [] : [member];
  const weights = Float64Array.from(members, () => weight);
  const pool: PlanScore = { op: 'pool', members, weights, bias: new Float64Array(classes), share: null };
  return { of: pool, cells: [{ vectors: [vector], text: true }], prior: undefined };
}
