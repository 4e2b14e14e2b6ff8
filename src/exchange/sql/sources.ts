import type { ExpressionAlgebra } from '../lower/expressions.ts';
import type { Source } from '../lower/scores.ts';
import { lowerTerm } from '../lower/terms.ts';
import { lowerVector } from '../lower/vectors.ts';
import { isWholeRow } from '../names.ts';
import type { Plan, PlanTerm, PlanVector } from '../plan.ts';
import type { Columns } from './columns.ts';
import { inputCells } from './inputs.ts';
import type { Cell, QueryBuilder } from './query-builder.ts';
import type { TextChain, TextParts, TextStep } from './text.ts';
import { cannotSay } from './words.ts';
import type { CellTensor } from './writer.ts';

/** A vector inside the engine: columns side by side, the terms of a text as rows, or several of these one after the other. */
type SqlVector = { readonly tensor: CellTensor } | TextChain | { readonly joined: readonly SqlVector[] };

const TEXT_STEPS = new Set(['weigh', 'root-share', 'pick', 'above']);

/** The vectors of a plan, created on demand. */
export class SqlVectors implements Source<CellTensor> {
  private readonly algebra: ExpressionAlgebra<Cell>;
  private readonly builder: QueryBuilder;
  private readonly plan: Plan;
  private readonly columns: Columns;
  private readonly parts: TextParts;
  private readonly made = new Map<number, SqlVector>();

  constructor(algebra: ExpressionAlgebra<Cell>, builder: QueryBuilder, plan: Plan, columns: Columns, parts: TextParts) {
    this.algebra = algebra;
    this.builder = builder;
    this.plan = plan;
    this.columns = columns;
    this.parts = parts;
  }

  term(term: PlanTerm, classes: number): CellTensor {
    return this.termOver(term, this.sqlVector(term.vector), classes);
  }

  /** The numbers of a vector; texts have none. */
  vector(k: number): CellTensor {
    const own = this.sqlVector(k);
    return 'tensor' in own ? own.tensor : this.algebra.of([]);
  }

  /** Terms of texts must be summed first. */
  hasTerms(k: number): CellTensor {
    const { algebra } = this;
    const known = this.chainsOf(this.sqlVector(k)).map(({ counts }) => algebra.of([this.parts.present(counts)]));
    return known.reduce((most, own) => algebra.max(most, own));
  }

  private chainsOf(vector: SqlVector): TextChain[] {
    if ('counts' in vector) return [vector];
    return 'joined' in vector ? vector.joined.flatMap((part) => this.chainsOf(part)) : [];
  }

  private termOver(term: PlanTerm, vector: SqlVector, classes: number): CellTensor {
    const { algebra } = this;
    if ('tensor' in vector) return lowerTerm(algebra, term, vector.tensor, classes);
    const weights =
      term.op === 'linear' ? term.weights : term.op === 'poisson' && !term.exposures ? term.cells : undefined;
    if (!weights) return cannotSay(`the term '${term.op}' over a text`, 'only sums of weights are added up there');
    if ('counts' in vector) return algebra.of(this.text(vector, weights, classes));
    let from = 0;
    const parts = vector.joined.map((part) => {
      const own = weights.subarray(from * classes, (from + widthOf(part)) * classes);
      from += widthOf(part);
      return this.termOver({ op: 'linear', vector: 0, weights: own }, part, classes);
    });
    return parts.reduce((sum, part) => algebra.add(sum, part));
  }

  private text(chain: TextChain, weights: Float64Array, classes: number): Cell[] {
    const input = this.plan.inputs[chain.counts.input];
    const text = this.columns.of(input.name);
    if (input.kind === 'text' && !input.lenient)
      this.builder.require({ ...text, simple: false, text: `(${text.text} IS NOT NULL)` });
    return this.parts.add(chain, weights, classes, text);
  }

  private sqlVector(k: number): SqlVector {
    const before = this.made.get(k);
    if (before) return before;
    const vector = this.make(this.plan.vectors[k]);
    this.made.set(k, vector);
    return vector;
  }

  private make(vector: PlanVector): SqlVector {
    if (vector.op === 'inputs') {
      const cells = vector.inputs.flatMap((i) => {
        const input = this.plan.inputs[i];
        return inputCells(this.builder, input, this.columns.of, isWholeRow(this.plan, input));
      });
      return { tensor: this.algebra.of(cells) };
    }
    if (vector.op === 'terms') return { counts: vector, steps: [] };
    if (vector.op === 'join') {
      const joined = vector.from.map((k) => this.sqlVector(k));
      const tensors = joined.flatMap((part) => ('tensor' in part ? [part.tensor] : []));
      return tensors.length === joined.length ? { tensor: this.algebra.concat(tensors) } : { joined };
    }
    const from = this.sqlVector(vector.from);
    if ('tensor' in from) return { tensor: lowerVector(this.algebra, vector, from.tensor) };
    if ('joined' in from)
      return cannotSay(`the step '${vector.op}' over texts and other columns together`, 'they are added up separately');
    if (!TEXT_STEPS.has(vector.op))
      return cannotSay(`the step '${vector.op}' over a text`, 'its terms are rows, not columns');
    return { counts: from.counts, steps: [...from.steps, vector as TextStep] };
  }
}

/** How many numbers a vector has. */
function widthOf(vector: SqlVector): number {
  if ('tensor' in vector) return vector.tensor.shape[0];
  if ('joined' in vector) return vector.joined.reduce((sum, part) => sum + widthOf(part), 0);
  return vector.steps.at(-1)?.width ?? vector.counts.width;
}
