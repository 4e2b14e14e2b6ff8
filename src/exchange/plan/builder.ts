import type { PlanInput, PlanVector } from '../plan.ts';

/** Collects the inputs and vectors of a plan; an input that is read in the same way twice is one. */
export class PlanBuilder {
  readonly inputs: PlanInput[] = [];
  readonly vectors: PlanVector[] = [];
  /** Whether cells are found by the names of their columns. */
  named = false;
  private readonly known = new Map<string, number>();

  /** The number of an input. */
  input(input: PlanInput): number {
    const key = JSON.stringify(input, plainly);
    const found = this.known.get(key);
    if (found !== undefined) return found;
    this.known.set(key, this.inputs.length);
    return this.inputs.push(input) - 1;
  }

  /** The number of a vector. */
  vector(vector: PlanVector): number {
    const simple = vector.op === 'inputs';
    const key = simple ? `vector ${vector.inputs.join()}` : '';
    const found = simple ? this.known.get(key) : undefined;
    if (found !== undefined) return found;
    if (simple) this.known.set(key, this.vectors.length);
    return this.vectors.push(vector) - 1;
  }

  /** How many numbers a vector has. */
  width(vector: number): number {
    return this.vectors[vector].width;
  }
}

const plainly = (_: string, value: unknown) => {
  if (value instanceof Float64Array) return Array.from(value, String);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
};
