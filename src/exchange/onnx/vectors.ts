import type { Source } from '../lower/scores.ts';
import { lowerTerm } from '../lower/terms.ts';
import { lowerVector } from '../lower/vectors.ts';
import type { Plan, PlanTerm, PlanVector } from '../plan.ts';
import type { GraphAlgebra, GraphTensor } from './algebra.ts';
import type { GraphInputs } from './inputs.ts';

/** The vectors of a plan as tables of doubles, one row to each row. */
export class GraphVectors implements Source<GraphTensor> {
  private readonly algebra: GraphAlgebra;
  private readonly made: GraphTensor[] = [];

  constructor(algebra: GraphAlgebra, plan: Plan, inputs: GraphInputs) {
    this.algebra = algebra;
    for (const vector of plan.vectors) this.made.push(this.make(vector, plan, inputs));
  }

  term(term: PlanTerm, classes: number): GraphTensor {
    return lowerTerm(this.algebra, term, this.made[term.vector], classes);
  }

  vector(k: number): GraphTensor {
    return this.made[k];
  }

  hasTerms(k: number): GraphTensor {
    const { algebra } = this;
    const marks = algebra.where(algebra.equal(this.made[k], 0), 0, 1);
    return algebra.reshape(algebra.reduce('max', marks, 0), 1);
  }

  private make(vector: PlanVector, plan: Plan, inputs: GraphInputs): GraphTensor {
    const { algebra, made } = this;
    if (vector.op === 'inputs') return algebra.concat(vector.inputs.map((k) => inputs.numbers(plan.inputs[k])));
    if (vector.op === 'terms') return inputs.counts(vector);
    if (vector.op === 'join') return algebra.concat(vector.from.map((k) => made[k]));
    return lowerVector(algebra, vector, made[vector.from]);
  }
}
