import { fc } from '@fast-check/vitest';
import { Random } from '../../src/index.ts';

/** A row in a sequence of operations: whatever its cells are, it has a label and a weight. */
export interface Row {
  readonly label: string;
  readonly weight: number;
}

/** How a sequence of operations is applied to one kind of model. Unsupported operations are undefined. */
export interface Subject<M, R extends Row> {
  /** An unfitted model, or one fitted to the rows of `start`. */
  fresh(): M;
  readonly start?: readonly R[];
  /** Rows to learn. */
  draw(random: Random, count: number): R[];
  /** The number of rows of the first step, and of the others. */
  readonly starts: readonly number[];
  readonly counts: readonly number[];
  learn(model: M, rows: readonly R[]): unknown;
  unlearn?(model: M, rows: readonly R[]): unknown;
  merge?(into: M, from: M): unknown;
  reload(model: M): M;
  /** Halves the weight of everything that was learned. */
  halve?(model: M): unknown;
  /** Operations that must not change anything visible. */
  readonly neutral?: Readonly<Record<string, (model: M) => unknown>>;
  /** Tries to unlearn rows that were not learned; expects an error, with nothing changed. */
  expectRefusal?(model: M, rows: readonly R[]): void;
  /** Expects the predictions of a model fitted to these rows only. */
  expectAnswers(model: M, rows: readonly R[]): void;
  /** Expects the state of a model fitted to these rows only. */
  expectState(model: M, rows: readonly R[]): void;
}

interface Step {
  readonly name: string;
  readonly count: number;
  readonly seed: number;
}

/** Sequences of the operations that a subject supports. */
export function sequences<M, R extends Row>(subject: Subject<M, R>, length: number): fc.Arbitrary<Step[]> {
  const names = ['learn', 'learn', 'reload', ...Object.keys(subject.neutral ?? {})];
  if (subject.unlearn) names.push('unlearn', 'unlearn', 'refuse');
  if (subject.merge) names.push('merge', 'merge into another');
  if (subject.halve) names.push('halve');
  const step = (name: fc.Arbitrary<string>, counts: readonly number[]) =>
    fc.record<Step>({ name, count: fc.constantFrom(...counts), seed: fc.nat() });
  const first = step(fc.constant('learn'), subject.starts);
  const others = fc.array(step(fc.constantFrom(...names), subject.counts), {
    minLength: length >> 1,
    maxLength: length - 1,
  });
  return fc.noBias(fc.tuple(first, others).map(([start, rest]) => [start, ...rest]));
}

/**
 * Applies a sequence to a model and to a plain list of the rows that it should contain, and compares the two: the
 * predictions after every step, and the whole state at the end. The state is not read before the end, because reading
 * it may update a model that would otherwise have continued from its pending state.
 */
export function runSequence<M, R extends Row>(subject: Subject<M, R>, steps: readonly Step[]): void {
  let model = subject.fresh();
  const start = subject.start ?? [];
  let known: R[] = [...start];
  for (const { name, count, seed } of steps) {
    const random = new Random(seed);
    switch (name) {
      case 'learn': {
        const rows = subject.draw(random, count);
        subject.learn(model, rows);
        known.push(...rows);
        break;
      }
      case 'unlearn': {
        if (known.length === 0) break;
        const { taken, left } = takeFrom(known, count, random);
        subject.unlearn?.(model, taken);
        known = left;
        break;
      }
      case 'merge':
      case 'merge into another': {
        const rows = subject.draw(random, count);
        const other = subject.fresh();
        subject.learn(other, rows);
        known.push(...start, ...rows);
        if (name === 'merge') subject.merge?.(model, other);
        else {
          subject.merge?.(other, model);
          model = other;
        }
        break;
      }
      case 'halve': {
        if (known.length === 0) break;
        subject.halve?.(model);
        known = known.map((row) => ({ ...row, weight: row.weight / 2 }));
        break;
      }
      case 'reload':
        model = subject.reload(model);
        break;
      case 'refuse':
        if (known.length > 0) subject.expectRefusal?.(model, known);
        break;
      default:
        subject.neutral?.[name](model);
    }
    subject.expectAnswers(model, known);
  }
  subject.expectState(model, known);
}

/** Some of the rows, one of them with only a part of its weight, and the rest after they are unlearned. */
function takeFrom<R extends Row>(rows: readonly R[], count: number, random: Random): { taken: R[]; left: R[] } {
  const order = random.permutation(rows.length);
  const [taken, left]: [R[], R[]] = [[], []];
  order.forEach((i, k) => {
    (k < count ? taken : left).push(rows[i]);
  });
  const [first] = taken;
  if (first.weight > 1 && Number.isInteger(first.weight)) {
    taken[0] = { ...first, weight: 1 };
    left.push({ ...first, weight: first.weight - 1 });
  }
  return { taken, left };
}
