import { count } from '../core/model.ts';
import { choice, type GivenOptions, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import { requireLike } from '../data/arguments.ts';
import { type Batch, mapCells } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { type CountedFeatures, toSums } from './counted.ts';
import { levelSurprise, perNat, shareOf, surprise, type UnitOptions, unitSpec } from './information.ts';
import { readLabelled } from './labelled.ts';
import type { ScoreOptions } from './scores.ts';

/** The event: a document, which contains the word or not, or a word occurrence, which is this word or another. */
export type Events = 'documents' | 'words';

const eventSpec = {
  ...unitSpec,
  /** The event. Default: 'documents'. */
  events: choice(['documents', 'words'], { default: 'documents' }),
} satisfies OptionSpec;

/** Options of `informationFromSums`. */
export type EventOptions = GivenOptions<typeof eventSpec>;

/** How many events of class c could be of feature j, and how many are. */
interface EventCounts {
  size(c: number, j: number): number;
  hits(c: number, j: number): number;
}

function countEvents(stats: Sums, events: Events): EventCounts {
  const { classes, features, n, s, m } = stats;
  const hits = (c: number, j: number) => s[c * features + j];
  if (events === 'documents') {
    const size = (c: number, j: number) => n[c] - (m.length > 0 ? m[c * features + j] : 0);
    s.forEach((present, cell) => {
      const column = cell % features;
      if (present > size(Math.floor(cell / features), column) * (1 + 1e-12)) refuseCounts(column);
    });
    return { size, hits };
  }
  const words = new Float64Array(classes);
  for (let cell = 0; cell < s.length; cell++) words[Math.floor(cell / features)] += s[cell];
  return { size: (c) => words[c], hits };
}

function refuseCounts(column: number): never {
  return refuse('E_VALUE_RANGE', `column ${column} occurs more often than there are documents; count presence alone`, {
    column,
  });
}

/**
 * The mutual information of the class and the event that a feature occurs, from sums by class,
 *
 *   I(C; Wⱼ) = Σ_c Σ_{f ∈ {0, 1}} p(c, f) ln (p(c, f) / (p(c) p(f))),        (1)
 *
 * with documents as events p(c) = n[c] / N and p(c, 1) = s[c,j] / N, with words p(c) = F[c] / F and p(c, 1) = s[c,j] / F.
 * McCallum & Nigam, A Comparison of Event Models for Naive Bayes Text Classification (1998). No second pass over the data.
 */
export function informationFromSums(counted: Sums | CountedFeatures, options: EventOptions = {}): Float64Array {
  const { events, unit } = readOptions('informationFromSums', eventSpec, options);
  const stats = toSums(counted);
  const factor = perNat(unit);
  const { size, hits } = countEvents(stats, events);
  const [n, present, absent] = Array.from({ length: 3 }, () => new Float64Array(stats.classes));
  return Float64Array.from({ length: stats.features }, (_, j) => {
    let total = 0;
    for (let c = 0; c < stats.classes; c++) {
      n[c] = size(c, j);
      present[c] = hits(c, j);
      absent[c] = Math.max(0, n[c] - present[c]);
      total += n[c];
    }
    const sum = levelSurprise(present, n, total) + levelSurprise(absent, n, total);
    return factor * shareOf(sum, total);
  });
}

/** The rows with every positive cell as 1: which words a document holds. */
export function presence(batch: Batch): Batch {
  return { ...batch, ...mapCells(batch, (value) => (value > 0 ? 1 : 0)) };
}

const scoredSpec = { ...weightOption, ...unitSpec } satisfies OptionSpec;

/** (1) with documents as events: a feature occurs in a row when its cell is positive. */
export function documentInformation(
  X: Features,
  y: ArrayLike<Label>,
  options: ScoreOptions & UnitOptions = {},
): Float64Array {
  const { sampleWeight, ...own } = readOptions('documentInformation', scoredSpec, options);
  const { batch } = readLabelled(X, y, { sparse: true, nonNegative: true }, sampleWeight ?? undefined);
  return informationFromSums(count(sums, presence(batch)), own);
}

/** (1) with words as events: cells are counts. */
export function wordInformation(
  X: Features,
  y: ArrayLike<Label>,
  options: ScoreOptions & UnitOptions = {},
): Float64Array {
  const { sampleWeight, ...own } = readOptions('wordInformation', scoredSpec, options);
  const { batch } = readLabelled(X, y, { sparse: true, nonNegative: true }, sampleWeight ?? undefined);
  return informationFromSums(count(sums, batch), { events: 'words', ...own });
}

/** Counts of a two-by-two table: of a word t and a class c, n11 both, n10 word without class, n01 class without word. */
export interface TwoByTwo {
  readonly n11: number;
  readonly n10: number;
  readonly n01: number;
  readonly n00: number;
}

const requireTable = (table: TwoByTwo): TwoByTwo =>
  requireLike(table, 'counts n11, n10, n01 and n00', { n11: 'number', n10: 'number', n01: 'number', n00: 'number' });

/** Mutual information of a two-by-two table. Manning, Raghavan & Schütze (2008), (13.17). */
export function informationOfTable(table: TwoByTwo, options: UnitOptions = {}): number {
  return perNat(readOptions('informationOfTable', unitSpec, options).unit) * informationOf(requireTable(table));
}

/** The same in nats, of counts that need no check. */
export function informationOf({ n11, n10, n01, n00 }: TwoByTwo): number {
  const [inside, outside, rows, others] = [n11 + n01, n10 + n00, n11 + n10, n01 + n00];
  const total = inside + outside;
  const cells = [surprise(n11, (inside * rows) / total), surprise(n10, (outside * rows) / total)];
  const rest = [surprise(n01, (inside * others) / total), surprise(n00, (outside * others) / total)];
  return shareOf(cells[0] + cells[1] + (rest[0] + rest[1]), total);
}

/**
 * χ² of a two-by-two table: N (n11 n00 − n10 n01)² / ((n11 + n01)(n11 + n10)(n10 + n00)(n01 + n00)).
 * Manning, Raghavan & Schütze (2008), (13.19). NaN where a margin is empty.
 */
export function chi2OfTable(table: TwoByTwo): number {
  const { n11, n10, n01, n00 } = requireTable(table);
  const total = n11 + n10 + n01 + n00;
  const [given, row] = [(n11 + n01) * (n10 + n00), (n11 + n10) * (n01 + n00)];
  const difference = n11 * n00 - n10 * n01;
  return ((total * difference) / given) * (difference / row);
}

/** The two-by-two table of every class and feature, read by `measure` into a matrix of classes × features. */
function perClass(counted: Sums | CountedFeatures, events: Events, measure: (table: TwoByTwo) => number): Matrix {
  const stats = toSums(counted);
  const { size, hits } = countEvents(stats, events);
  const out = new Matrix(stats.classes, stats.features);
  for (let j = 0; j < stats.features; j++) {
    let [occurrences, total] = [0, 0];
    for (let c = 0; c < stats.classes; c++) {
      occurrences += hits(c, j);
      total += size(c, j);
    }
    for (let c = 0; c < stats.classes; c++) {
      const n11 = hits(c, j);
      const [n10, n01] = [Math.max(0, occurrences - n11), Math.max(0, size(c, j) - n11)];
      out.data[c * stats.features + j] = measure({ n11, n10, n01, n00: Math.max(0, total - n11 - n10 - n01) });
    }
  }
  return out;
}

/** The mutual information of every feature with every class against the rest: classes × features. */
export function informationPerClass(counted: Sums | CountedFeatures, options: EventOptions = {}): Matrix {
  const { events, unit } = readOptions('informationPerClass', eventSpec, options);
  return perClass(counted, events, (table) => perNat(unit) * informationOf(table));
}

/** χ² of every feature with every class against the rest: classes × features. */
export function chi2PerClass(counted: Sums | CountedFeatures, options: EventOptions = {}): Matrix {
  const { events } = readOptions('chi2PerClass', eventSpec, options);
  return perClass(counted, events, chi2OfTable);
}
