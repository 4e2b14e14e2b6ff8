import type { State, StateOptions } from '../core/artifact.ts';
import type { Option, OptionSpec, OptionValues } from '../core/options.ts';
import { requireLearning, requireLike, requireOptions } from '../data/arguments.ts';
import type { Shape } from '../data/batch.ts';
import { type Features, readFeatures } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { RowWeightOptions, Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { type Numbers, spreadColumns, takeColumns } from '../features/columns.ts';
import { readLabelled } from '../features/labelled.ts';
import {
  nameOfScore,
  type ScoreFunction,
  type ScoreName,
  type Scorer,
  type ScoreStatistic,
  scoreFunctions,
  scorers,
  splitScores,
  unite,
} from '../features/scorers.ts';
import { type ColumnNames, Counts, damaged, readColumns, readLearned, SavedArrays } from './learned.ts';
import { savedParams } from './learning.ts';
import { saveColumns, saveCounts, tensor } from './persist.ts';
import { Transformer, type TransformRules } from './transformer.ts';

const isName = (value: unknown): value is ScoreName =>
  typeof value === 'string' && Object.hasOwn(scoreFunctions, value);

type ScoreOption = ScoreFunction | ScoreName | 'custom';

interface Scoring {
  readonly scoreFunc: ScoreOption;
}

/** The score function: one of the library, as a function or by name, or your own. */
const scoreFunc: Option<ScoreOption> = {
  kind: 'custom',
  default: 'fClassif',
  expects: `a function of rows and labels, or one of ${Object.keys(scoreFunctions).join(', ')}`,
  // 'custom' marks a function in a model file, which cannot contain it
  accept: (value) =>
    typeof value === 'function' || isName(value) || value === 'custom' ? (value as ScoreOption) : undefined,
};

/** Learned scores, and the statistic they follow from where there is one. */
interface Selected extends ColumnNames {
  readonly scores: Float64Array;
  readonly pvalues: Float64Array | undefined;
  readonly counted?: ScoreStatistic | undefined;
}

type AnyScorer = Scorer<Shape>;

/** Which features to keep, by their scores and p-values. */
type Rule = (scores: Float64Array, pvalues: Float64Array | undefined) => boolean[];

/** Selects features by a score for each, and a rule which of them to keep. */
class Selection implements TransformRules<Selected, Features, Numbers, Numbers> {
  /** The name of the score function. */
  readonly score: ScoreName | 'custom';
  private readonly options: Scoring;
  private readonly keep: Rule;

  constructor(options: Scoring, keep: Rule) {
    this.options = options;
    this.keep = keep;
    this.score = nameOfScore(options.scoreFunc);
  }

  learn(X: Features, y: ArrayLike<Label> | undefined, weights: Weights | undefined): Selected {
    const labels = y as ArrayLike<Label>;
    if (this.scorer) return this.count(X, labels, weights, undefined);
    if (weights !== undefined) refuse('E_PARAM', 'this score function takes no weights', { name: 'sampleWeight' });
    const unlabelled = this.score === 'custom' && y === undefined; // a user-defined function may ignore labels
    const { rows, names } = readFeatures(X, { sparse: true });
    if (!unlabelled) readLabelled(X, labels, { sparse: true });
    const { features } = rows;
    const { scores, pvalues } = splitScores(this.scoreFunction()(X, labels));
    if (scores.length !== features) {
      refuse('E_SHAPE', `the score function returned ${scores.length} scores for ${features} features`, {
        expected: features,
        actual: scores.length,
      });
    }
    return { features, names, scores, pvalues };
  }

  /** Goes on counting, for scores that follow from a statistic: fClassif, chi2, documentInformation, wordInformation. */
  count(X: Features, y: ArrayLike<Label>, weights: Weights | undefined, before: Selected | undefined): Selected {
    const scorer = this.requireScorer();
    const expected = { ...scorer.expectation, names: before?.names, features: before?.features };
    const { batch, classes, names } = readLabelled(X, y, expected, weights);
    const columns = { features: batch.features, names: before?.names ?? names };
    return this.scored(columns, unite(scorer.statistic, countedOf(before), { classes, stats: scorer.count(batch) }));
  }

  /** What two selectors of the same score have counted together. */
  merge(mine: Selected | undefined, theirs: Selected | undefined): Selected | undefined {
    const { statistic } = this.requireScorer();
    if (mine && theirs && (mine.features !== theirs.features || differ(mine.names, theirs.names))) {
      refuse('E_MERGE_MISMATCH', 'the two selectors have other columns', {
        expected: mine.features,
        actual: theirs.features,
      });
    }
    return theirs ? this.scored(theirs, unite(statistic, countedOf(mine), countedOf(theirs) as ScoreStatistic)) : mine;
  }

  /** Which features are kept. */
  support({ scores, pvalues }: Selected): boolean[] {
    return this.keep(scores, pvalues);
  }

  /** The kept features of every row; sparse rows stay sparse. */
  transform(selected: Selected, X: Features): Numbers {
    const { names, features } = selected;
    const { rows } = readFeatures(X, { sparse: true, names, features });
    return takeColumns(rows, this.kept(selected));
  }

  /** Rows of kept features with zeros for those that were left out. */
  inverse(selected: Selected, X: Features): Numbers {
    const columns = this.kept(selected);
    const { rows } = readFeatures(X, { sparse: true, features: columns.length });
    return spreadColumns(rows, columns, selected.features);
  }

  namesOut(selected: Selected, names: readonly string[]): string[] {
    return this.kept(selected).map((j) => names[j]);
  }

  params(): Record<string, JsonValue> {
    return savedParams({ ...this.options, scoreFunc: this.score });
  }

  save(selected: Selected, { slim }: StateOptions): Pick<State, 'learned' | 'arrays'> {
    const { scores, pvalues, counted } = selected;
    if (this.scorer && counted && !slim) {
      const { classes, stats } = counted;
      const learned = { names: selected.names, classes, counts: Counts.of(stats), closed: false, schema: undefined };
      return saveCounts(this.scorer.statistic, learned);
    }
    return {
      learned: { ...saveColumns(selected), ...(this.scorer && { slim: true }) },
      arrays: { scores: tensor(scores), ...(pvalues && { pvalues: tensor(pvalues) }) },
    };
  }

  revive(state: State): Selected {
    const { scorer } = this;
    if (scorer && !('slim' in state.learned)) {
      const { names, classes, counts } = readLearned(scorer.statistic, state);
      return this.scored({ names, features: counts.shape.features }, { classes, stats: counts.read() });
    }
    if (scorer && state.learned.slim !== true) damaged('it does not say whether it is slim');
    const columns = readColumns(state, ...(scorer ? ['slim'] : []));
    const arrays = new SavedArrays(state);
    const scores = arrays.take('scores', columns.features);
    const pvalues = arrays.has('pvalues') ? arrays.take('pvalues', columns.features) : undefined;
    arrays.close();
    return { ...columns, scores, pvalues };
  }

  private kept(selected: Selected): number[] {
    return indicesOf(this.support(selected));
  }

  private scoreFunction(): ScoreFunction {
    const given = this.options.scoreFunc;
    if (typeof given === 'function') return given;
    if (given !== 'custom') return scoreFunctions[given];
    return refuse('E_PARAM', 'the score function was not part of the model file; pass it again', { name: 'scoreFunc' });
  }

  private get scorer(): AnyScorer | undefined {
    return this.score === 'custom' ? undefined : (scorers[this.score] as AnyScorer | undefined);
  }

  private requireScorer(): AnyScorer {
    const sentence = `scores by ${this.score} cannot be learned in parts or merged`;
    return this.scorer ?? refuse('E_PARAM', sentence, { name: 'scoreFunc' });
  }

  private scored({ features, names }: ColumnNames, counted: ScoreStatistic): Selected {
    return { features, names, counted, ...splitScores(this.requireScorer().score(counted.stats)) };
  }
}

/** The options of a selector: what features are scored by, and which of them are kept. */
type SelectorSpec<Spec extends OptionSpec> = Spec & {
  /** The function that scores features, or its name. Default: 'fClassif'. */ readonly scoreFunc: typeof scoreFunc;
};

/** A transformer that keeps some of the features, by a score for each. */
export interface Selector<Spec extends OptionSpec>
  extends Transformer<SelectorSpec<Spec>, Selected, Features, Numbers, Numbers> {
  /** The score of every feature. */
  readonly scores: Float64Array;
  /** The p-value of every feature, where the score has one. */
  readonly pvalues: Float64Array | undefined;
  /** Which features are kept: a flag for each, or with `indices` their numbers. */
  getSupport(options?: { readonly indices?: false }): boolean[];
  getSupport(options: { readonly indices: true }): number[];
  /** Goes on counting, for scores that follow from a statistic: fClassif, chi2, documentInformation, wordInformation. */
  partialFit(X: Features, y: ArrayLike<Label>, options?: RowWeightOptions): this;
  /** Adds what another selector of the same score has counted. */
  merge(other: this): this;
}

/** The class of selectors with a rule of their own. */
export interface SelectorClass<Spec extends OptionSpec> {
  new (options?: Partial<OptionValues<SelectorSpec<Spec>>>): Selector<Spec>;
}

/** Makes the class of selectors with these options and this rule. */
export function selector<Spec extends OptionSpec>(
  kind: string,
  spec: Spec,
  keep: (params: OptionValues<Spec>, ...scored: Parameters<Rule>) => boolean[],
): SelectorClass<Spec> {
  const all: SelectorSpec<Spec> = { scoreFunc, ...spec };
  const classes = {
    [kind]: class extends Transformer<typeof all, Selected, Features, Numbers, Numbers> implements Selector<Spec> {
      protected readonly rules: Selection = new Selection(this.params as Scoring, (...scored) =>
        keep(this.params, ...scored),
      );

      constructor(options: Partial<OptionValues<typeof all>> = {}) {
        super(kind, all, options);
      }

      get scores(): Float64Array {
        return this.fitted().scores.slice();
      }

      get pvalues(): Float64Array | undefined {
        return this.fitted().pvalues?.slice();
      }

      getSupport(options?: { readonly indices?: false }): boolean[];
      getSupport(options: { readonly indices: true }): number[];
      getSupport(options: { readonly indices?: boolean } = {}): boolean[] | number[] {
        const { indices = false } = requireOptions('getSupport', ['indices'], options);
        const mask = this.rules.support(this.fitted());
        return indices ? indicesOf(mask) : mask;
      }

      partialFit(X: Features, y: ArrayLike<Label>, options: RowWeightOptions = {}): this {
        const { sampleWeight } = requireLearning(this.kind, options);
        this.learned = this.rules.count(X, y, sampleWeight, this.learned);
        return this;
      }

      merge(other: this): this {
        requireLike(other, 'another selector', { kind: 'string', getSupport: 'function' });
        if (other.kind !== kind || other.rules.score !== this.rules.score) {
          refuse('E_MERGE_MISMATCH', 'the two selectors have another score', { expected: kind, actual: other.kind });
        }
        this.learned = this.rules.merge(this.learned, other.learned);
        return this;
      }
    },
  };
  return classes[kind];
}

/** The numbers of the features that are kept. */
export function indicesOf(mask: readonly boolean[]): number[] {
  return mask.flatMap((kept, j) => (kept ? [j] : []));
}

/** The counts so far; throws if only the scores were saved. */
function countedOf(known: Selected | undefined): ScoreStatistic | undefined {
  if (!known || known.counted) return known?.counted;
  const advice = 'load the full file to learn or merge';
  return refuse('E_CONFLICT', `this selector was saved slim, with scores and without counts; ${advice}`, {
    slim: true,
  });
}

function differ(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.join('\0') !== b.join('\0');
}
