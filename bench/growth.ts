/**
 * How time grows with the data. Processor time against bytes of text, documents, rows, words and classes, each over a
 * factor of eight, and the exponent of a power law through the medians: 1 is linear. `npx tsx bench/growth.ts`
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Matrix } from '../src/data/matrix.ts';
import { SparseMatrix } from '../src/data/sparse.ts';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { GaussianNB } from '../src/estimators/gaussian-nb.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../src/estimators/pipeline.ts';
import { Generator } from '../src/math/generator.ts';
import { fitTextFile } from '../src/node/fit-text-file.ts';
import { asLines, corpusOf } from './corpus.ts';
import { cost, middle } from './measure.ts';

const random = new Generator(5);
const steps = [1, 2, 4, 8];

/** The slope of a line through logarithms. */
function exponent(sizes: readonly number[], times: readonly number[]): number {
  const [x, y] = [sizes.map(Math.log), times.map(Math.log)];
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const across = x.reduce((sum, value, k) => sum + (value - mx) * (y[k] - my), 0);
  return across / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

interface Grown {
  readonly of: string;
  readonly sizes: readonly number[];
  readonly times: readonly number[];
}

/** Processor time for each size; `prepare` creates the work to be measured. */
function grow(of: string, base: number, prepare: (size: number) => () => unknown): Grown {
  const sizes = steps.map((step) => base * step);
  return { of, sizes, times: sizes.map((size) => cost(prepare(size)).cpu) };
}

function zipfRows(rows: number, words: number, length = 100): SparseMatrix {
  const list = Array.from({ length: rows }, () => {
    const counts = new Map<number, number>();
    for (let k = 0; k < length; k++) {
      const word = Math.floor(words ** random.uniform()) - 1;
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return counts;
  });
  return SparseMatrix.fromRows(list, words);
}

const labelsOf = (rows: number, classes: number) => Int32Array.from({ length: rows }, (_, i) => i % classes);

function gaussian(rows: number): () => unknown {
  const X = new Matrix(rows, 20);
  for (let k = 0; k < X.data.length; k++) X.data[k] = random.uniform();
  const y = labelsOf(rows, 10);
  return () => new GaussianNB().fit(X, y);
}

function multinomial(rows: number, words: number, classes: number): () => unknown {
  const [X, y] = [zipfRows(rows, words), labelsOf(rows, classes)];
  return () => new MultinomialNB().fit(X, y);
}

/** Bytes of text counted from a file on one thread. */
async function fromFile(folder: string): Promise<Grown> {
  const { train, test } = corpusOf();
  const base = asLines([...train, ...test]);
  const path = join(folder, 'growth.jsonl');
  const times: number[] = [];
  for (const step of steps) {
    writeFileSync(path, base.repeat(step));
    const runs: number[] = [];
    for (let run = 0; run < 6; run++) {
      const before = process.cpuUsage();
      await fitTextFile(path, { threads: 1 });
      const { user, system } = process.cpuUsage(before);
      runs.push((user + system) / 1000);
    }
    times.push(middle(runs.slice(1)));
  }
  return { of: 'bytes of text in a file', sizes: steps.map((step) => Buffer.byteLength(base) * step), times };
}

const { train, test } = corpusOf();
const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(
  train.map(({ text }) => text),
  train.map(({ label }) => label),
);
const asked = test.map(({ text }) => text);
const folder = mkdtempSync(join(tmpdir(), 'polya-growth-'));
const grown = [
  await fromFile(folder),
  grow('documents classified', 900, (size) => () => pipeline.predict(asked.slice(0, size))),
  grow('rows of a Gaussian fit', 50_000, gaussian),
  grow('rows of a sparse fit', 4_000, (size) => multinomial(size, 20_000, 10)),
  grow('words of a sparse fit', 40_000, (size) => multinomial(2_000, size, 10)),
  grow('classes of a sparse fit', 8, (size) => multinomial(2_000, 60_000, size)),
];
rmSync(folder, { recursive: true });
const rows = grown.map(({ of, sizes, times }) => ({
  of,
  sizes: sizes.join(' '),
  milliseconds: times.map((time) => time.toFixed(1)).join(' '),
  exponent: Number(exponent(sizes, times).toFixed(3)),
}));
console.table(rows);
console.info(JSON.stringify({ title: 'growth', node: process.version, rows }));
