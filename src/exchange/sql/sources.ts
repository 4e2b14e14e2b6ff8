import type { ExpressionAlgebra } from '../lower/expressions.ts';
import { type CellReader, lowerInput } from '../lower/inputs.ts';
import type { Source } from '../lower/scores.ts';
import { lowerTerm } from '../lower/terms.ts';
import { lowerVector } from '../lower/vectors.ts';
import { columnsOf } from '../names.ts';
import type { Plan, PlanTerm, PlanVector } from '../plan.ts';
import type { Columns } from './columns.ts';
import { sqlCells } from './inputs.ts';
import type { Cell, QueryBuilder } from './query-builder.ts';
import type { TextChain, TextParts, TextStep } from './text.ts';
import { cannotSay } from './words.ts';
import type { CellTensor } from './writer.ts';

/** A vector inside the engine: columns side by side and the terms of texts as rows, one after the other. */
type SqlVector = readonly (CellTensor | TextChain)[];

const isText = (part: CellTensor | TextChain): part is TextChain => 'counts' in part;

const TEXT_STEPS = new Set(['weigh', 'root-share', 'pick', 'above']);

/** The vectors of a plan, created on demand. */
export class SqlVectors implements Source<CellTensor> {
  private readonly algebra: ExpressionAlgebra<Cell>;
  private readonly builder: QueryBuilder;
  private readonly plan: Plan;
  private readonly columns: Columns;
  private readonly texts: TextParts;
  private readonly cells: CellReader<CellTensor>;
  private readonly made = new Map<number, SqlVector>();

  constructor(algebra: ExpressionAlgebra<Cell>, builder: QueryBuilder, plan: Plan, columns: Columns, texts: TextParts) {
    this.algebra = algebra;
    this.builder = builder;
    this.plan = plan;
    this.columns = columns;
    this.texts = texts;
    this.cells = sqlCells(builder, (input) => columnsOf(plan, input).map(({ name }) => columns.of(name)));
  }

  term(term: PlanTerm, start: Float64Array): CellTensor {
    const { algebra } = this;
    const classes = start.length;
    const [only, ...others] = this.parts(term.vector);
    if (others.length === 0 && !isText(only)) return lowerTerm(algebra, term, only, start);
    const weights =
      term.op === 'linear' ? term.weights : term.op === 'poisson' && !term.exposures ? term.cells : undefined;
    if (!weights) return cannotSay(`the term '${term.op}' over a text`, 'only sums of weights are added up there');
    let from = 0;
    const sums = [only, ...others].map((part) => {
      const own = weights.subarray(from * classes, (from += widthOf(part)) * classes);
      return isText(part) ? algebra.of(this.text(part, own, classes)) : algebra.product(part, own, classes);
    });
    return sums.reduce((sum, part) => algebra.add(sum, part));
  }

  /** The numbers of a vector; texts have none. */
  vector(k: number): CellTensor {
    const [only] = this.parts(k);
    return isText(only) ? this.algebra.of([]) : only;
  }

  /** Terms of texts must be summed first. */
  hasTerms(k: number): CellTensor {
    const { algebra } = this;
    const known = this.parts(k).filter(isText).map(({ counts }) => algebra.of([this.texts.present(counts)])); // biome-ignore format: short
    return known.reduce((most, own) => algebra.max(most, own));
  }

  private text(chain: TextChain, weights: Float64Array, classes: number): Cell[] {
    const input = this.plan.inputs[chain.counts.input];
    const text = this.columns.of(input.name);
    if (input.kind === 'text' && !input.lenient)
      this.builder.require({ ...text, simple: false, text: `(${text.text} IS NOT NULL)` });
    return this.texts.add(chain, weights, classes, text);
  }

  private parts(k: number): SqlVector {
    const parts = this.made.get(k) ?? this.make(this.plan.vectors[k]);
    this.made.set(k, parts);
    return parts;
  }

  private make(vector: PlanVector): SqlVector {
    const { algebra, plan } = this;
    if (vector.op === 'inputs') {
      return [algebra.concat(vector.inputs.map((k) => lowerInput(algebra, plan.inputs[k], this.cells)))];
    }
    if (vector.op === 'terms') return [{ counts: vector, steps: [] }];
    if (vector.op === 'join') {
      const parts = vector.from.flatMap((k) => this.parts(k));
      return parts.some(isText) ? parts : [algebra.concat(parts as CellTensor[])];
    }
    const [only, ...others] = this.parts(vector.from);
    if (others.length > 0)
      return cannotSay(`the step '${vector.op}' over texts and other columns together`, 'they are added up separately');
    if (!isText(only)) return [lowerVector(algebra, vector, only)];
    if (!TEXT_STEPS.has(vector.op))
      return cannotSay(`the step '${vector.op}' over a text`, 'its terms are rows, not columns');
    return [{ counts: only.counts, steps: [...only.steps, vector as TextStep] }];
  }
}

/** How many numbers a part of a vector has. */
const widthOf = (part: CellTensor | TextChain): number =>
  isText(part) ? (part.steps.at(-1)?.width ?? part.counts.width) : part.shape[0];
