import type { State } from '../../core/artifact.ts';
import type { Label } from '../../data/labels.ts';
import { openSaved } from '../../estimators/kinds/estimate.ts';
import type { Plan, PlanInput, PlanScore, PlanVector, SumScore, TermOf } from '../plan.ts';
import { cannotCarry, type Inside, type Kinds } from './inside.ts';

/** What ranks the features of a selector that was saved with counts. */
export type Ranking = Pick<typeof import('../../features/scorers.ts'), 'scorers' | 'splitScores'>;

/** A vector without its width, which follows from the rest. */
type Unsized<V> = V extends { readonly op: 'terms' } ? V : Omit<V, 'width'>;

/** Collects the inputs and vectors of a plan; an input that is read in the same way twice is one. */
export class PlanBuilder {
  readonly inputs: PlanInput[] = [];
  readonly vectors: PlanVector[] = [];
  /** Whether cells are found by the names of their columns. */
  named = false;
  private readonly known = new Map<string, number>();
  private readonly kinds: Kinds;
  private readonly ranks: Ranking | undefined;

  /** `kinds` are those of the classifiers in a state; `ranking` is for selectors. */
  constructor(kinds: Kinds, ranking?: Ranking) {
    this.kinds = kinds;
    this.ranks = ranking;
  }

  /** Whether a state is that of a single counting classifier. */
  isCounting({ kind }: State): boolean {
    return Object.hasOwn(this.kinds, kind);
  }

  /** The counting classifier of a state. */
  open(state: State): Inside {
    const { kind } = state;
    if (!this.isCounting(state)) cannotCarry(`a model of the kind ${kind}`, 'no export supports it');
    return { kind, ...openSaved(this.kinds[kind], state) };
  }

  get ranking(): Ranking {
    return this.ranks ?? cannotCarry('a selector of features', 'the code that ranks them is not loaded');
  }

  /** The least and the largest cell that a family of a MixedNB takes. */
  cellRange(family: string): readonly [least: number, most: number] {
    return (
      this.kinds.MixedNB?.cellRange?.(family) ?? cannotCarry(`a column of the family ${family}`, 'it is not known')
    );
  }

  /** The number of an input. */
  input(input: PlanInput): number {
    return this.once(JSON.stringify(input, plainly), () => this.inputs.push(input) - 1);
  }

  /** The number of a vector. */
  vector(own: Unsized<PlanVector>): number {
    const add = () => this.vectors.push({ ...own, width: this.widthOf(own) } as PlanVector) - 1;
    return own.op === 'inputs' ? this.once(`vector ${own.inputs.join()}`, add) : add();
  }

  /** The vector of some inputs, one after the other. */
  read(inputs: readonly PlanInput[]): number {
    return this.vector({ op: 'inputs', inputs: inputs.map((input) => this.input(input)) });
  }

  /** Vectors side by side. */
  joined(from: readonly number[]): number {
    return from.length === 1 ? from[0] : this.vector({ op: 'join', from });
  }

  /** Whether each term occurs. */
  presence(from: number): number {
    return this.vector({ op: 'weigh', from, tf: 'binary', idf: null, norm: null });
  }

  /** How many numbers a vector has. */
  width(vector: number): number {
    return this.vectors[vector].width;
  }

  private widthOf(own: Unsized<PlanVector>): number {
    const sum = (widths: Iterable<number>) => [...widths].reduce((total, width) => total + width, 0);
    switch (own.op) {
      case 'inputs':
        return sum(own.inputs.map((k) => ('width' in this.inputs[k] ? this.inputs[k].width : 1)));
      case 'terms':
        return own.width;
      case 'join':
        return sum(own.from.map((k) => this.width(k)));
      case 'pick':
        return own.columns.length;
      case 'onehot':
        return sum(own.widths);
      case 'cross':
        return own.sizes.length;
      default:
        return this.width(own.from);
    }
  }

  private once(key: string, add: () => number): number {
    const number = this.known.get(key) ?? add();
    this.known.set(key, number);
    return number;
  }
}

const plainly = (_: string, value: unknown) => {
  if (value instanceof Float64Array) return Array.from(value, String);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
};

/** The plan of a score. */
export function planFrom(builder: PlanBuilder, model: string, classes: Label[], score: PlanScore): Plan {
  const { inputs, vectors } = builder;
  return { format: 'polya/plan@1', model, classes, row: rowOf(builder), inputs, vectors, score };
}

/** What a row is: cells by name where names were learned, a text alone, or a list of cells. */
function rowOf({ named, inputs: [first, ...others] }: PlanBuilder): Plan['row'] {
  if (named) return 'record';
  return others.length === 0 && first.kind === 'text' && first.name === 'text' ? 'value' : 'list';
}

/** Σ x weights. */
export const linearSum = (start: Float64Array, vector: number, weights: TermOf<'linear'>['weights']): SumScore => ({
  op: 'sum',
  start,
  terms: [{ op: 'linear', vector, weights }],
});

/** The lowest log-posterior in a pool, and the log-posterior of a class that a member was not trained on. */
export const LEAST = -1e4;
export const UNMET = -20;

/** Log-probabilities that are not below `least`; classes without a prior are unmet. */
export const bounded = (
  of: PlanScore,
  least: number,
  unmet: Uint8Array,
  bent: Pick<Extract<PlanScore, { op: 'soften' }>, 'tail' | 'share'> = { tail: null, share: null },
): PlanScore => ({ op: 'soften', of, least, ...bent, unmet, unmetScore: UNMET });
