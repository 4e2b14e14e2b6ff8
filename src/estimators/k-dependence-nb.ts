import { count, type ExactStats } from '../core/model.ts';
import type { OptionValues } from '../core/options.ts';
import { requireOneEach } from '../data/arguments.ts';
import type { Batch } from '../data/batch.ts';
import type { Level, LevelFeatures } from '../data/levels.ts';
import type { Matrix } from '../data/matrix.ts';
import { type Parents, parentsFirst } from '../data/parents.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { Generator } from '../math/generator.ts';
import type { KDependence, kdb } from '../models/kdb.ts';
import { type Choices, chooseSubmodel, informativeParents, type Structure } from '../models/kdb-structure.ts';
import { type Contexts, codingOf, digitsOf } from '../stats/contexts.ts';
import { levelOffsets } from '../stats/layout.ts';
import { valuesOf } from '../stats/multiset.ts';
import { type Pairs, pairs } from '../stats/pairs.ts';
import { meanChoice } from './auto-alpha.ts';
import { CountingClassifier, withEntries } from './classifier.ts';
import { boundOf, concentrationUnder, kDependenceKind, likelihoodBound } from './kinds/k-dependence.ts';
import { levelsOf, requirePairs } from './kinds/level-columns.ts';
import { Counts, type Learned } from './learned.ts';
import type { Received, Union } from './learning.ts';
import { LevelColumns } from './levels.ts';

/** The most parents that are tried. */
const MOST_PARENTS = 5;

/** Parameters of `KDependenceNB`. */
export type KDependenceNBOptions = Partial<OptionValues<typeof kDependenceKind.spec>>;

/**
 * A k-dependence Bayesian classifier (kDB) for columns of levels: each column depends on the class and on up to k other columns.
 * Tables back off to those with fewer parents, so that rare combinations do no harm. The first rows decide which columns depend on
 * which; further rows are counted in the same tables, exactly as if they had been there from the start.
 */
export class KDependenceNB extends CountingClassifier<
  typeof kDependenceKind.spec,
  Contexts,
  KDependence,
  LevelFeatures
> {
  declare readonly model: typeof kdb;
  protected override readonly columnRules: LevelColumns<Contexts> = new LevelColumns(this.params, levelWeights);

  constructor(options: KDependenceNBOptions = {}) {
    super(kDependenceKind, options);
  }

  /** The levels of each column, in order: words by code point, or whole numbers. */
  get categories(): Level[][] {
    return this.columnRules.categories(this.fitted());
  }

  /** How many levels each column has. */
  get nCategories(): Int32Array {
    return levelsOf(this.fitted().counts.shape).slice();
  }

  /** Rows of numbers of levels, such as `sample` draws, as the levels themselves; what is missing is null. */
  decode(X: Matrix): (Level | null)[][] {
    return this.columnRules.decode(this.fitted(), X);
  }

  /** The columns that each column depends on, most important first; null for a column that the model does not use. */
  get parents(): (number[] | null)[] {
    const { given, features } = this.fitted().counts.shape;
    return given ? given.map((own) => own && [...own]) : Array.from({ length: features }, () => []);
  }

  /** The greatest number of parents of a column. */
  get k(): number {
    return Math.max(0, ...this.parents.map((own) => own?.length ?? 0));
  }

  /** The greatest concentration by likelihood, as asked for or as the first rows chose it; null where concentrations are a number. */
  get bound(): number | null {
    const concentration = concentrationUnder(this.params, this.fitted().schema);
    return typeof concentration === 'number' ? null : concentration.most;
  }

  /**
   * The concentrations of every column: for p(x | c), p(x | c, first parent) and so on. A column that the model does not use has p(x | c)
   * alone.
   */
  get concentrations(): Float64Array[] {
    return this.parameters().tables.map(({ depths }) =>
      Float64Array.from(depths, ({ concentration }) => concentration),
    );
  }

  protected override receive(
    X: LevelFeatures,
    known: Learned<Contexts> | undefined,
    learning: boolean,
    weights?: Weights,
  ): Received {
    const received = super.receive(X, known, learning, weights);
    const given = known ? known.counts.shape.given : this.firstParents(received.shape.features);
    return { ...received, shape: { ...received.shape, ...(given && { given }) } };
  }

  /** The parents before any rows: those of the options. */
  private firstParents(features: number): Parents | undefined {
    const { parents, k } = this.params;
    if (parents === 'information') return undefined;
    if (parents === 'previous') return previous(features, k === 'auto' ? MOST_PARENTS : k);
    requireOneEach('parents', parents, features);
    return parents;
  }

  /** For engines: whether leaving rows out chooses parents, columns or concentrations. */
  get choosesByRows(): boolean {
    const { depth, features, concentration } = this.choices;
    return depth || features || concentration === 'auto';
  }

  /** For engines: whether parents follow from counts of pairs. */
  get needsPairs(): boolean {
    return this.params.parents === 'information';
  }

  /** For engines: the parents of every column, from counts of pairs if they are needed. */
  parentsFrom(features: number, counts: Pairs | false): Parents {
    return this.firstParents(features) ?? (counts ? this.informative(counts).parents : []);
  }

  private informative(counts: Pairs): Structure {
    const { k, seed } = this.params;
    const random = seed === null ? undefined : new Generator(seed);
    return informativeParents(counts, k === 'auto' ? MOST_PARENTS : k, random);
  }

  override get settles(): boolean {
    return this.needsPairs || this.choosesByRows;
  }

  /** What the first rows choose. */
  private get choices(): Choices {
    const { k, selectColumns, parents, concentration } = this.params;
    return {
      depth: k === 'auto' && typeof parents === 'string',
      features: selectColumns,
      concentration: concentration === 'likelihood' ? likelihoodBound(this.params) : concentration,
    };
  }

  protected override settle(learned: Learned<Contexts>, batch: Batch): Learned<Contexts> {
    if (!this.settles) return learned;
    const weighed = this.weighBatch(batch, learned);
    const { given, concentration } = chooseSubmodel(this.structureFor(weighed), this.choices, weighed);
    const stats: Contexts | ExactStats = this.statisticKind.empty({ ...batch, given });
    this.add(stats, { ...batch, given }, {}, learned.classes, true);
    if (this.params.concentration !== 'auto' || typeof concentration === 'number')
      return { ...learned, counts: Counts.of<Contexts>(stats) };
    const schema = withEntries(learned.schema, { bound: concentration.most });
    return { ...learned, counts: Counts.of<Contexts>(stats), schema };
  }

  private structureFor(batch: Batch): Structure {
    const { given } = batch;
    if (given) {
      const order = (parentsFirst(given) ?? new Int32Array(0)).filter((j) => given[j] !== null);
      return { order, parents: given.map((own) => own ?? []) };
    }
    requirePairs(batch);
    return this.informative(count(pairs, batch));
  }

  protected override unite(mine: Learned<Contexts>, theirs: Learned<Contexts>): Union {
    const union = super.unite(mine, theirs);
    if (JSON.stringify(mine.counts.shape.given) !== JSON.stringify(theirs.counts.shape.given)) {
      refuse(
        'E_MERGE_MISMATCH',
        'in the two estimators columns depend on different columns; fit them with the same parents',
      );
    }
    if (this.params.concentration !== 'auto') return union;
    const [n, m] = [mine, theirs].map((learned) => sum(this.rounded(learned).n));
    const bound = meanChoice([boundOf(mine.schema), n], [boundOf(theirs.schema), m]);
    return { ...union, schema: withEntries(union.schema, { bound }) };
  }
}

/** The weight of every level of every column. */
function levelWeights(stats: Contexts): Float64Array {
  const { features, levels = new Int32Array(features) } = stats;
  const offsets = levelOffsets(levels);
  const weights = new Float64Array(offsets[features]);
  const codings = Array.from(levels, (_, j) => codingOf(stats, j));
  const digits = new Int32Array(features + 1);
  const run = valuesOf(stats);
  for (let e = 0; e < run.cells.length; e++) {
    const j = run.cells[e] % features;
    const value = digitsOf(codings[j], run.values[e], digits)[codings[j].parents.length];
    weights[offsets[j] + value] += run.weights[e];
  }
  return weights;
}

/** The k columns before each column, the nearest first. */
function previous(features: number, k: number): Parents {
  return Array.from({ length: features }, (_, j) => Array.from({ length: Math.min(k, j) }, (_none, d) => j - 1 - d));
}
