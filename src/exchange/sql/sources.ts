import type { ExpressionAlgebra } from '../lower/expressions.ts';
import { TensorVectors } from '../lower/vectors.ts';
import { columnsOf } from '../names.ts';
import type { Plan, PlanTerm } from '../plan.ts';
import { sqlCells } from './inputs.ts';
import type { Cell, QueryBuilder } from './query-builder.ts';
import type { TextChain, TextParts, TextStep } from './text.ts';
import { cannotSay } from './words.ts';
import type { CellTensor } from './writer.ts';

/** A part of a vector: columns side by side, or the terms of a text as rows. */
type SqlPart = CellTensor | TextChain;

const isText = (part: SqlPart): part is TextChain => 'counts' in part;

const TEXT_STEPS = new Set(['weigh', 'root-share', 'pick', 'above']);

/** The vectors of a plan inside an engine, where terms of texts are rows that are added up first. */
export class SqlVectors extends TensorVectors<CellTensor> {
  private readonly places: ExpressionAlgebra<Cell>;
  private readonly builder: QueryBuilder;
  private readonly texts: TextParts;

  constructor(algebra: ExpressionAlgebra<Cell>, builder: QueryBuilder, plan: Plan, texts: TextParts) {
    const cells = sqlCells(builder, (input) => columnsOf(plan, input).map(({ name }) => builder.column(name)));
    super(algebra, plan, { ...cells, counts: () => algebra.of([]) });
    this.places = algebra;
    this.builder = builder;
    this.texts = texts;
  }

  override term(term: PlanTerm, start: Float64Array): CellTensor {
    const { algebra } = this;
    const classes = start.length;
    const parts = this.parts(term.vector);
    if (!parts.some(isText)) return super.term(term, start);
    const weights =
      term.op === 'linear' ? term.weights : term.op === 'poisson' && !term.exposures ? term.cells : undefined;
    if (!weights) return cannotSay(`the term '${term.op}' over a text`, 'only sums of weights are added up there');
    let from = 0;
    const sums = parts.map((part) => {
      const own = weights.subarray(from * classes, (from += widthOf(part)) * classes);
      return isText(part) ? this.places.of(this.text(part, own, classes)) : algebra.product(part, own, classes);
    });
    return sums.reduce((sum, part) => algebra.add(sum, part));
  }

  /** Terms of texts must be summed first. */
  override hasTerms(k: number): CellTensor {
    const known = this.parts(k).filter(isText).map(({ counts }) => this.places.of([this.texts.present(counts)])); // biome-ignore format: short
    return known.reduce((most, own) => this.algebra.max(most, own));
  }

  private text(chain: TextChain, weights: Float64Array, classes: number): Cell[] {
    const input = this.plan.inputs[chain.counts.input];
    const text = this.builder.column(input.name);
    if (input.kind === 'text' && !input.lenient)
      this.builder.require({ ...text, simple: false, text: `(${text.text} IS NOT NULL)` });
    return this.texts.add(chain, weights, classes, text);
  }

  private parts(k: number): readonly SqlPart[] {
    const vector = this.plan.vectors[k];
    if (vector.op === 'terms') return [{ counts: vector, steps: [] }];
    if (vector.op === 'join') return vector.from.flatMap((own) => this.parts(own));
    const [only, ...others] = 'from' in vector ? this.parts(vector.from) : [];
    if (others.length > 0 && [only, ...others].some(isText))
      return cannotSay(`the step '${vector.op}' over texts and other columns together`, 'they are added up separately');
    if (!only || !isText(only)) return [this.vector(k)];
    if (!TEXT_STEPS.has(vector.op))
      return cannotSay(`the step '${vector.op}' over a text`, 'its terms are rows, not columns');
    return [{ counts: only.counts, steps: [...only.steps, vector as TextStep] }];
  }
}

/** How many numbers a part of a vector has. */
const widthOf = (part: SqlPart): number =>
  isText(part) ? (part.steps.at(-1)?.width ?? part.counts.width) : part.shape[0];
