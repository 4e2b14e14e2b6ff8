import type { State } from '../../core/artifact.ts';
import { CountVectorizer } from '../../estimators/count-vectorizer.ts';
import { HashingVectorizer } from '../../estimators/hashing-vectorizer.ts';
import { restore } from '../../estimators/restore.ts';
import type { CellGroup, PlanScore } from '../plan.ts';
import { linearSum, type PlanBuilder } from './builder.ts';
import { cannotCarry } from './inside.ts';
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
    const views = {
      root: () => builder.vector({ op: 'root-share', from }),
      count: () => from,
      presence: () => builder.presence(from),
    };
    return (['root', 'presence', 'count'] as const)
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
