import { count } from '../core/model.ts';
import { requireLike, requireOptions } from '../data/arguments.ts';
import { type Batch, mapCells } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse, show } from '../errors.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { type CountedFeatures, toSums } from './counted.ts';
import { levelSurprise, perNat, shareOf, type UnitOptions } from './information.ts';
import { readLabelled } from './labelled.ts';
import type { ScoreOptions } from './scores.ts';

/** The event: a document, which contains the word or not, or a word occurrence, which is this word or another. */
export type Events = 'documents' | 'words';

/** Options of `informationFromSums`. */
export interface EventOptions extends UnitOptions {
  /** The event. Default: 'documents'. */
  readonly events?: Events | undefined;
}

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
  if (events !== 'words') {
    refuse('E_PARAM', `events must be one of 'documents', 'words', got ${show(events)}`, { name: 'events' });
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

const eventOptions = ['events', 'unit'];

/**
 * The mutual information of the class and the event that a feature occurs, from sums by class,
 *
 *   I(C; Wⱼ) = Σ_c Σ_{f ∈ {0, 1}} p(c, f) ln (p(c, f) / (p(c) p(f))),        (1)
 *
 * with documents as events p(c) = n[c] / N and p(c, 1) = s[c,j] / N, with words p(c) = F[c] / F and p(c, 1) = s[c,j] / F.
 * McCallum & Nigam, A Comparison of Event Models for Naive Bayes Text Classification (1998). No second pass over the data.
 */
export function informationFromSums(counted: Sums | CountedFeatures, options: EventOptions = {}): Float64Array {
  const { events = 'documents', unit } = requireOptions('informationFromSums', eventOptions, options);
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

/** (1) with documents as events: a feature occurs in a row when its cell is positive. */
export function documentInformation(
  X: Features,
  y: ArrayLike<Label>,
  options: ScoreOptions & UnitOptions = {},
): Float64Array {
  const { sampleWeight, unit } = requireOptions('documentInformation', ['sampleWeight', 'unit'], options);
  const { batch } = readLabelled(X, y, { sparse: true, nonNegative: true }, sampleWeight);
  return informationFromSums(count(sums, presence(batch)), { unit });
}

/** (1) with words as events: cells are counts. */
export function wordInformation(
  X: Features,
  y: ArrayLike<Label>,
  options: ScoreOptions & UnitOptions = {},
): Float64Array {
  const { sampleWeight, unit } = requireOptions('wordInformation', ['sampleWeight', 'unit'], options);
  const { batch } = readLabelled(X, y, { sparse: true, nonNegative: true }, sampleWeight);
  return informationFromSums(count(sums, batch), { events: 'words', unit });
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
  const { n11, n10, n01, n00 } = requireTable(table);
  const { unit } = requireOptions('informationOfTable', ['unit'], options);
  const n = Float64Array.of(n11 + n01, n10 + n00);
  const total = n[0] + n[1];
  const sum = levelSurprise(Float64Array.of(n11, n10), n, total) + levelSurprise(Float64Array.of(n01, n00), n, total);
  return perNat(unit) * shareOf(sum, total);
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
  const { events = 'documents', unit } = requireOptions('informationPerClass', eventOptions, options);
  return perClass(counted, events, (table) => informationOfTable(table, { unit }));
}

/** χ² of every feature with every class against the rest: classes × features. */
export function chi2PerClass(counted: Sums | CountedFeatures, options: EventOptions = {}): Matrix {
  const { events = 'documents' } = requireOptions('chi2PerClass', eventOptions, options);
  return perClass(counted, events, chi2OfTable);
}
