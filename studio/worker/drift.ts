import { type Classifier, CountVectorizer } from '../../src/index.ts';
import { cellOf, type DataRow, isBlank, numberOf, upperGamma, wordOf } from '../../src/workbench.ts';
import { sampleOf } from './sample.ts';

/** A column of two tables. */
export interface ColumnDrift {
  readonly name: string;
  /** Half the sum of the differences between the shares of all levels, or of tenths of the training numbers. */
  readonly distance: number;
  /** The probability of such a difference, or a larger one, if both tables are drawn alike (χ² test of homogeneity). */
  readonly p: number;
  readonly missing: readonly [before: number, after: number];
}

/** The shares of documents with a word. */
export interface WordDrift {
  readonly word: string;
  readonly before: number;
  readonly after: number;
  /** The difference in standard errors. */
  readonly z: number;
}

const BINS = 10;
const MOST_LEVELS = 50;
const MOST_TEXTS = 5_000;
const MOST_WORDS = 25;
const LEAST_TEXTS = 5;

/** How the columns that a model uses differ between two tables, the most different first. */
export function columnDrifts(
  { schema }: Classifier,
  before: readonly DataRow[],
  after: readonly DataRow[],
): ColumnDrift[] {
  const columns = schema.columns.filter(({ kind }) => kind !== 'text');
  return columns
    .map(({ name, kind }) => driftOf(name, kind === 'number' ? binsOf(name, before) : undefined, before, after))
    .sort((a, b) => a.p - b.p || b.distance - a.distance);
}

/** The number of the tenth of a value among those of the training rows. */
function binsOf(name: string, rows: readonly DataRow[]): (value: unknown) => string {
  const numbers = rows
    .map((row) => numberOf(cellOf(row, name)))
    .filter((value) => value !== undefined && !Number.isNaN(value))
    .sort((a, b) => a! - b!);
  const cuts = Array.from({ length: BINS - 1 }, (_, k) => numbers[Math.floor(((k + 1) * numbers.length) / BINS)] ?? 0);
  return (value) => String(cuts.filter((cut) => cut < (numberOf(value) ?? Number.NaN)).length);
}

function driftOf(
  name: string,
  binOf: ((value: unknown) => string) | undefined,
  ...tables: [before: readonly DataRow[], after: readonly DataRow[]]
): ColumnDrift {
  const counts = tables.map((rows) => {
    const own = new Map<string, number>();
    for (const row of rows) {
      const cell = cellOf(row, name);
      const level = isBlank(cell) ? '' : binOf ? binOf(cell) : `=${wordOf(cell!)}`;
      own.set(level, (own.get(level) ?? 0) + 1);
    }
    return own;
  });
  const sizes = tables.map((rows) => rows.length);
  const all = [...new Set(counts.flatMap((own) => [...own.keys()]))].map((level) =>
    counts.map((own) => own.get(level) ?? 0),
  );
  all.sort(([a, b], [c, d]) => c + d - a - b);
  const rest = all.slice(MOST_LEVELS).reduce((sum, own) => sum.map((count, t) => count + own[t]), [0, 0]);
  const levels = [...all.slice(0, MOST_LEVELS), rest].filter(([a, b]) => a + b > 0);
  let [square, distance] = [0, 0];
  for (const own of levels) {
    const share = (own[0] + own[1]) / (sizes[0] + sizes[1]);
    for (const t of [0, 1]) square += (own[t] - share * sizes[t]) ** 2 / (share * sizes[t]);
    distance += Math.abs(own[0] / sizes[0] - own[1] / sizes[1]) / 2;
  }
  const p = levels.length < 2 ? 1 : upperGamma((levels.length - 1) / 2, square / 2);
  const missing = [0, 1].map((t) => (counts[t].get('') ?? 0) / sizes[t]) as [number, number];
  return { name, distance, p, missing };
}

/** The words of texts whose share of documents differs most. */
export function wordDrifts({ schema }: Classifier, before: readonly DataRow[], after: readonly DataRow[]): WordDrift[] {
  const columns = schema.columns.filter(({ kind }) => kind === 'text').map(({ name }) => name);
  if (columns.length === 0) return [];
  const textsOf = (rows: readonly DataRow[]) =>
    sampleOf(
      [...rows.keys()],
      rows.map(() => ''),
      MOST_TEXTS,
    ).map((i) => columns.map((name) => wordOf(cellOf(rows[i], name) ?? '')).join(' '));
  const tables = [textsOf(before), textsOf(after)];
  const vectorizer = new CountVectorizer({ binary: true, minDf: LEAST_TEXTS });
  const cells = vectorizer.fitTransform(tables.flat());
  const words = vectorizer.getFeatureNamesOut();
  const counts = [new Float64Array(words.length), new Float64Array(words.length)];
  for (let i = 0; i < cells.rows; i++) {
    const own = counts[i < tables[0].length ? 0 : 1];
    for (let k = cells.indptr[i]; k < cells.indptr[i + 1]; k++) own[cells.indices[k]]++;
  }
  const [n, m] = tables.map((texts) => texts.length);
  return words
    .map((word, j): WordDrift => {
      const [first, second] = [counts[0][j] / n, counts[1][j] / m];
      const p = (counts[0][j] + counts[1][j]) / (n + m);
      return { word, before: first, after: second, z: (second - first) / Math.sqrt(p * (1 - p) * (1 / n + 1 / m)) };
    })
    .filter(({ z }) => Number.isFinite(z))
    .sort((a, b) => Math.abs(b.z) - Math.abs(a.z))
    .slice(0, MOST_WORDS);
}
