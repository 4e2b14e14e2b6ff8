import { describe, expect, test } from 'vitest';
import { Matrix } from '../data/matrix.ts';
import { PolyaError } from '../errors.ts';
import { fitPosterior } from '../evaluate/posterior-calibration.ts';
import { Random } from '../math/random.ts';
import { applyPool } from './pool.ts';
import { type Frame, Lesson, type Reading, takeFrame } from './records.ts';
import { dependence, linear, type NumberFamily, naiveBayes, regularized } from './records-candidates.ts';
import { ColumnPool, type Member } from './records-pool.ts';

const readings: Reading[] = ['number', 'number', 'number', 'number', 'number', 'level', 'level'];
const families: NumberFamily[] = ['gaussian', 'kernel', 'poisson', 'mdl', 'gaussian'];

interface Rows {
  readonly frame: Frame;
  readonly codes: Int32Array;
}

/** Rows of correlated numbers, counts and levels whose distribution depends on the class; one cell in ten is missing. */
function drawRows(random: Random, rows: number, classes: number, from = 0): Rows {
  const codes = Int32Array.from({ length: rows }, () => from + random.integer(classes));
  const normal = () => random.normal();
  const columns = readings.map(() => new Float64Array(rows));
  codes.forEach((c, i) => {
    const common = normal();
    const cells = [
      common + 0.8 * c,
      2 * normal() - c,
      Math.floor(Math.exp(0.5 * normal() + 0.3 * c)),
      1e3 + 40 * (common - c),
      random.integer(3) + 0.1 * c,
      (random.integer(4) + c) % 5,
      random.integer(2 + c),
    ];
    cells.forEach((cell, j) => {
      columns[j][i] = random.uniform() < 0.1 ? Number.NaN : cell;
    });
  });
  return { frame: { rows, columns }, codes };
}

const take = ({ frame, codes }: Rows, rows: readonly number[]): Rows => ({
  frame: takeFrame(frame, rows),
  codes: Int32Array.from(rows, (i) => codes[i]),
});

const keysOf = ({ codes }: Rows) => [...codes.keys()];

function membersOf({ frame, codes }: Rows, classes: number): Member[] {
  const lesson = new Lesson(frame, codes, classes, readings);
  return [
    naiveBayes('naive Bayes', (j) => families[j]),
    dependence(['aode', 'waode', 'tan'], 'frequency', ''),
    linear('lda', false),
    linear('lda, bins', true),
    regularized([
      [0, 0.1],
      [0.2, 0],
      [1, 0.3],
    ]),
  ].flatMap((candidate) => candidate.fit(lesson));
}

/** A pool of members with weights, biases and isotonic curves as fitting gives them. */
function poolOf(members: readonly Member[], { frame, codes }: Rows, ordinary?: number): ColumnPool {
  const pool = {
    weights: Float64Array.from(members, (_, m) => (0.5 + m) / members.length ** 2),
    bias: Float64Array.from({ length: members[0].classes }, (_, c) => 0.1 * c),
  };
  const scores = members.map((member) => member.scores(frame));
  const curves = fitPosterior('isotonic', { logProba: applyPool(pool, scores), codes });
  return new ColumnPool(members, pool, curves, { ordinary });
}

const answers = (pool: ColumnPool, { frame }: Rows): Float64Array => pool.predictLogProba(frame).data;
const largestDifference = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);
const reloaded = (pool: ColumnPool) => ColumnPool.fromState(JSON.parse(JSON.stringify(pool.toState(), plain), typed));

/** States hold typed arrays, which JSON does not. */
const plain = (_: string, value: unknown) =>
  ArrayBuffer.isView(value) ? { typed: value.constructor.name, values: Array.from(value as Float64Array) } : value;
const kinds: Record<string, { from(values: number[]): ArrayBufferView }> = {
  Float64Array,
  Float32Array,
  Uint8Array,
  Uint16Array,
  Uint32Array,
};
const typed = (_: string, value: { typed?: string; values?: number[] } | null) =>
  value?.typed && value.values ? kinds[value.typed].from(value.values) : value;

const random = new Random(20);
const first = drawRows(random, 240, 3);
const later = drawRows(random, 120, 4);
const held = drawRows(random, 60, 4);
const members = membersOf(first, 3);

describe.each(members.map((member) => [member.name, member] as const))('%s', (_, member) => {
  const pool = poolOf([member], first);
  const bias4 = Float64Array.of(...pool.pool.bias, 0);

  test('unlearning what was learned restores predictions to the bit, a new class included', () => {
    const before = new ColumnPool(
      [member.over(member.parts, 4)],
      { weights: pool.pool.weights, bias: bias4 },
      pool.curves,
    );
    const grown = pool.learn(later.frame, later.codes, 4);
    expect(largestDifference(answers(grown, held), answers(before, held))).toBeGreaterThan(0.01);
    const back = grown.unlearn(later.frame, later.codes, 4);
    expect(answers(back, held)).toEqual(answers(before, held));
  });

  test('the order of rows changes no bit', () => {
    const [a, b] = [take(later, keysOf(later).slice(0, 50)), take(later, keysOf(later).slice(50))];
    const ab = pool.learn(a.frame, a.codes, 4).learn(b.frame, b.codes, 4);
    const ba = pool.learn(b.frame, b.codes, 4).learn(a.frame, a.codes, 4);
    expect(answers(ba, held)).toEqual(answers(ab, held));
  });
});
