import type { State, StateOptions } from '../core/artifact.ts';
import type { OptionSpec } from '../core/options.ts';
import { requireLearning, requireLike, requireOptions } from '../data/arguments.ts';
import type { Shape } from '../data/batch.ts';
import { type Features, readFeatures } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { type Numbers, spreadColumns, takeColumns } from '../features/columns.ts';
import { readLabelled } from '../features/labelled.ts';
import {
  nameOfScore,
  type ScoreFunction,
  type ScoreName,
  type Scorer,
  scoreFunctions,
  scorers,
  splitScores,
  type Tally,
  unite,
} from '../features/scorers.ts';
import { Counts, damaged, readColumns, readLearned, SavedArrays, saveColumns, saveCounts, tensor } from './persist.ts';
import type { scoreFunc } from './score-function.ts';
import { type Columns, Transformer } from './transformer.ts';

/** Learned scores, and the statistic they follow from where there is one. */
export interface Selected extends Columns {
  readonly scores: Float64Array;
  readonly pvalues: Float64Array | undefined;
  readonly counted?: Tally | undefined;
}

/** How rows are weighed. */
export interface SelectOptions {
  readonly sampleWeight?: Weights | undefined;
}

type AnyScorer = Scorer<Shape>;

/** What features are selected by: a score for each, and a rule that a subclass gives. */
export abstract class Selector<Spec extends OptionSpec & { readonly scoreFunc: typeof scoreFunc }> extends Transformer<
  Spec,
  Selected,
  Features,
  Numbers
> {
  /** Which features the rule keeps. */
  protected abstract mark(scores: Float64Array): boolean[];

  /** The score of every feature. */
  get scores(): Float64Array {
    return this.fitted().scores.slice();
  }

  /** The p-value of every feature, where the score has one. */
  get pvalues(): Float64Array | undefined {
    return this.fitted().pvalues?.slice();
  }

  /** Scores the features of these rows alone. */
  fit(X: Features, y?: ArrayLike<Label>, options: SelectOptions = {}): this {
    const { sampleWeight } = requireLearning(this.kind, options);
    const labels = y as ArrayLike<Label>;
    if (this.scorer()) {
      this.learned = this.count(X, labels, sampleWeight, undefined);
      return this;
    }
    if (sampleWeight !== undefined) refuse('E_PARAM', 'this score function takes no weights', { name: 'sampleWeight' });
    const { batch, names } = readLabelled(X, labels, { sparse: true });
    const { scores, pvalues } = splitScores(this.scoreFunction()(X, labels));
    if (scores.length !== batch.features) {
      refuse('E_SHAPE', `the score function answered ${scores.length} scores for ${batch.features} features`, {
        expected: batch.features,
        actual: scores.length,
      });
    }
    this.learned = { features: batch.features, names, scores, pvalues };
    return this;
  }

  /** Goes on counting, for scores that follow from a statistic: fClassif, chi2, documentInformation, wordInformation. */
  partialFit(X: Features, y: ArrayLike<Label>, options: SelectOptions = {}): this {
    const { sampleWeight } = requireLearning(this.kind, options);
    this.requireScorer();
    this.learned = this.count(X, y, sampleWeight, this.learned);
    return this;
  }

  /** Adds what another selector of the same score has counted. */
  merge(other: this): this {
    const scorer = this.requireScorer();
    requireLike(other, 'another selector', { kind: 'string', scoreName: 'function' });
    const [mine, theirs] = [this.learned, other.learned];
    const alike = other.kind === this.kind && this.scoreName() === other.scoreName();
    if (!alike || (mine && theirs && (mine.features !== theirs.features || differ(mine.names, theirs.names)))) {
      refuse('E_MERGE_MISMATCH', 'the two selectors have another score or other columns', {
        expected: this.kind,
        actual: other.kind,
      });
    }
    if (!theirs) return this;
    this.learned = this.scored(theirs, unite(scorer.statistic, countedOf(mine), countedOf(theirs) as Tally));
    return this;
  }

  /** Which features are kept: a flag for each, or with `indices` their numbers. */
  getSupport(options?: { readonly indices?: false }): boolean[];
  getSupport(options: { readonly indices: true }): number[];
  getSupport(options: { readonly indices?: boolean } = {}): boolean[] | number[] {
    const { indices = false } = requireOptions('getSupport', ['indices'], options);
    const mask = this.mark(this.fitted().scores);
    return indices ? mask.flatMap((kept, j) => (kept ? [j] : [])) : mask;
  }

  /** The kept features of every row; sparse rows stay sparse. */
  transform(X: Features): Numbers {
    const { names, features } = this.fitted();
    const { rows } = readFeatures(X, { sparse: true, names, features });
    return takeColumns(rows, this.getSupport({ indices: true }));
  }

  /** Rows of kept features with zeros for those that were left out. */
  inverseTransform(X: Features): Numbers {
    const columns = this.getSupport({ indices: true });
    const { rows } = readFeatures(X, { sparse: true, features: columns.length });
    return spreadColumns(rows, columns, this.fitted().features);
  }

  /** The names of the kept features. */
  getFeatureNamesOut(inputFeatures?: readonly string[]): string[] {
    const names = this.namesIn(inputFeatures);
    return this.getSupport({ indices: true }).map((j) => names[j]);
  }

  protected override plainParams(): Record<string, JsonValue> {
    return JSON.parse(JSON.stringify({ ...this.params, scoreFunc: this.scoreName() })) as Record<string, JsonValue>;
  }

  protected save(learned: Selected, { slim }: StateOptions): Pick<State, 'learned' | 'arrays'> {
    const scorer = this.scorer();
    if (scorer && learned.counted && !slim)
      return saveCounts(scorer.statistic, {
        ...learned,
        classes: learned.counted.classes,
        counts: Counts.of(learned.counted.stats),
        closed: false,
        schema: undefined,
      });
    const { scores, pvalues } = learned;
    return {
      learned: { ...saveColumns(learned), ...(scorer && { slim: true }) },
      arrays: { scores: tensor(scores), ...(pvalues && { pvalues: tensor(pvalues) }) },
    };
  }

  protected revive(state: State): Selected {
    const scorer = this.scorer();
    if (scorer && !('slim' in state.learned)) {
      const { names, classes, counts } = readLearned(scorer.statistic, state);
      return this.scored({ names, features: counts.shape.features }, { classes, stats: counts.read() as Shape });
    }
    if (scorer && state.learned.slim !== true) damaged('it does not tell whether it is slim');
    const columns = readColumns(state, ...(scorer ? ['slim'] : []));
    const arrays = new SavedArrays(state);
    const scores = arrays.take('scores', columns.features);
    const pvalues = arrays.has('pvalues') ? arrays.take('pvalues', columns.features) : undefined;
    arrays.close();
    return { ...columns, scores, pvalues };
  }

  private scoreName(): ScoreName | 'custom' {
    return nameOfScore(this.params.scoreFunc as ScoreFunction | ScoreName | 'custom');
  }

  private scoreFunction(): ScoreFunction {
    const given = this.params.scoreFunc as ScoreFunction | ScoreName | 'custom';
    if (typeof given === 'function') return given;
    if (given !== 'custom') return scoreFunctions[given];
    return refuse('E_PARAM', 'the score function was not part of the model file; give it anew', { name: 'scoreFunc' });
  }

  private scorer(): AnyScorer | undefined {
    const name = this.scoreName();
    return name === 'custom' ? undefined : (scorers[name] as AnyScorer | undefined);
  }

  private requireScorer(): AnyScorer {
    return (
      this.scorer() ??
      refuse('E_PARAM', `scores by ${this.scoreName()} cannot be learned in parts or merged`, { name: 'scoreFunc' })
    );
  }

  private count(
    X: Features,
    y: ArrayLike<Label>,
    weights: Weights | undefined,
    before: Selected | undefined,
  ): Selected {
    const scorer = this.requireScorer();
    const expected = { ...scorer.expectation, names: before?.names, features: before?.features };
    const { batch, classes, names } = readLabelled(X, y, expected, weights);
    const counted = { classes, stats: scorer.count(batch) };
    const known = countedOf(before);
    const columns = { features: batch.features, names: before?.names ?? names };
    return this.scored(columns, unite(scorer.statistic, known, counted));
  }

  private scored({ features, names }: Columns, counted: Tally): Selected {
    return { features, names, counted, ...splitScores(this.requireScorer().score(counted.stats)) };
  }
}

/** What was counted so far; refuses where only the scores are left of it. */
function countedOf(known: Selected | undefined): Tally | undefined {
  if (!known || known.counted) return known?.counted;
  const advice = 'load the full file to learn or merge';
  return refuse('E_CONFLICT', `this selector was saved slim, with scores and without counts; ${advice}`, {
    slim: true,
  });
}

function differ(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.join('\0') !== b.join('\0');
}
