import type { State } from '../../core/artifact.ts';
import { type Label, placesShown } from '../../data/labels.ts';
import { logShares } from '../../math/logs.ts';
import { type EventMember, eventWeights, fromUnits } from '../../text/event-weights.ts';
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
  return vectorizedText(builder, state, input);
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

/** A table of weights by term for the counts of a term in a text, changed as `by` says. */
interface TermTable {
  readonly by: 'root' | 'presence' | 'count';
  readonly weights: Float64Array;
}

/** What a pool of text scorers adds up, by the sorted classes. */
interface TextTables {
  readonly bias: Float64Array;
  /** ln p(c); files of version 0.1 lack it. */
  readonly logPrior: Float64Array | undefined;
  /** By class a and b of its sigmoid; empty where there are none. */
  readonly curves: Float64Array;
  /** The tables of each view. */
  readonly views: readonly (readonly TermTable[])[];
}

/** The tables of a pool that was saved without counts. */
function savedTables(state: State): TextTables {
  const classes = (state.learned.classes as readonly unknown[]).length;
  const logPrior = numbers(state, 'logPrior');
  const views = (state.steps ?? []).map((_, v) =>
    (['root', 'presence', 'count'] as const)
      .filter((by) => Object.hasOwn(state.arrays, `${by}${v}`))
      .map((by) => ({ by, weights: termWeights(state, `${by}${v}`, classes) })),
  );
  return {
    bias: numbers(state, 'bias'),
    logPrior: logPrior.length > 0 ? logPrior : undefined,
    curves: numbers(state, 'curves'),
    views,
  };
}

/** The tables that follow from the counts of a pool. Its classes are in order of arrival, and those without documents are left out. */
function countedTables(state: State): TextTables {
  const labels = state.learned.classes as readonly Label[];
  const members = state.learned.members as unknown as readonly (readonly EventMember[])[];
  const n = numbers(state, 'n');
  const shown = placesShown(labels, n);
  const logPrior = logShares(Float64Array.from(shown, (c) => n[c]));
  const [bias, curves] = [numbers(state, 'bias'), numbers(state, 'curves')];
  const factor = members.flat().reduce((total, member) => total + member.factor, 0);
  const views = members.map((own, v) => {
    const ends = numbers(state, `ends${v}`);
    const units = Object.hasOwn(state.arrays, `units${v}`);
    const sums = units ? fromUnits(numbers(state, `units${v}`)) : numbers(state, `sums${v}`);
    const cells = { ends, classes: numbers(state, `classes${v}`), sums };
    const weighed = own.map((member, m) => ({
      ...member,
      weights: state.arrays[`weights${v}.${m}`]?.data as Float32Array,
    }));
    const add = eventWeights(cells, weighed, labels.length);
    const weights = new Float64Array(ends.length * shown.length);
    const row = new Float64Array(labels.length);
    for (let k = 0; k < ends.length; k++) {
      add(k, row.fill(0));
      for (let s = 0; s < shown.length; s++) weights[k * shown.length + s] = row[shown[s]];
    }
    return [{ by: 'root', weights } as const];
  });
  return {
    bias: Float64Array.from(shown, (c, k) => (bias[c] ?? 0) + factor * logPrior[k]),
    logPrior,
    // a class that came after the fit keeps its log-odds
    curves: Float64Array.from(
      curves.length > 0 ? shown.flatMap((c) => [curves[2 * c] ?? -1, curves[2 * c + 1] ?? 0]) : [],
    ),
    views,
  };
}

/** The score of some columns: ln p(c | x), the cells that it reads, and ln p(c) where it is known. */
export interface PartScore {
  readonly of: PlanScore;
  readonly cells: readonly CellGroup[];
  readonly prior: Float64Array | undefined;
}

/** A pool of text scorers: one table of weights for each view and weighting of its cells. A text without a known term gets the prior. */
export function textPoolScore(builder: PlanBuilder, state: State, input: number): PartScore {
  const { bias, logPrior, curves, views } = state.learned.members ? countedTables(state) : savedTables(state);
  const vectors = (state.steps ?? []).map((step) => countsOf(builder, step, input));
  const parts = views.flatMap((tables, v) => {
    const from = vectors[v];
    const changed = {
      root: () => builder.vector({ op: 'root-share', from }),
      count: () => from,
      presence: () => builder.presence(from),
    };
    return tables.map(({ by, weights }) => {
      return { of: linearSum(new Float64Array(bias.length), changed[by](), weights), less: null };
    });
  });
  const of: PlanScore = { op: 'add', start: bias, parts };
  const every = (k: number) => curves.filter((_, at) => at % 2 === k);
  const score: PlanScore =
    curves.length === 0
      ? { op: 'posterior', of, prior: null, impossible: 'prior', sum: 'apart' }
      : { op: 'platt', of, a: every(0), b: every(1) };
  const cells = [{ vectors, text: true }];
  if (!logPrior) return { of: score, cells, prior: undefined };
  return { of: { op: 'blank', of: score, cells, prior: logPrior }, cells, prior: logPrior };
}
