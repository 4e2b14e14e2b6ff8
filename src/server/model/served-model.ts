import { Classifier } from '../../auto/classifier.ts';
import type { Evaluation } from '../../auto/classifier-report.ts';
import { type LoadedModel, loadState } from '../../auto/load.ts';
import type { RecordColumn } from '../../auto/record-check.ts';
import { decodeState, modelParts, type State } from '../../core/artifact.ts';
import type { Label } from '../../data/labels.ts';
import { Matrix } from '../../data/matrix.ts';
import { refuse } from '../../errors.ts';
import type { Explanation } from '../../estimators/explanation.ts';
import type { Fitted } from '../../estimators/inside.ts';
import { Pipeline } from '../../estimators/pipeline.ts';
import { sum } from '../../math/arrays.ts';
import { analyzerOf } from '../../text/analyze.ts';
import type { AnalyzerOptions } from '../../text/options.ts';
import { DEFAULT_PATTERN } from '../../text/pattern.ts';
import type { Analyzer } from '../../text/terms.ts';
import type { Limits } from '../http/limits.ts';
import { type Instance, InstanceReader } from './instances.ts';

/** An instance with its label, as it is learned. */
export interface Example {
  readonly instance: Instance;
  readonly label: Label;
  /** 1 unless given. */
  readonly weight?: number | undefined;
}

/** The scores of an instance as sums, rest + terms = score, class by class, in nats. */
export interface Reasoning {
  readonly terms: readonly { readonly feature: string; readonly value: unknown; readonly byClass: Float64Array }[];
  readonly rest: Float64Array;
  readonly score: Float64Array;
}

/** The fitted model inside, for rankings, nomograms and counterfactuals. */
export interface Insider {
  readonly fitted: Fitted;
  /** An instance as the fitted model takes it; undefined if it takes none. */
  input(instance: Instance): unknown;
}

/** Any model as the server uses it: instances as they come out of JSON go in, and the model checks them. */
export abstract class ServedModel {
  /** 'Classifier', 'Pipeline', or the name of an estimator. */
  readonly kind: string;
  /** The content of the file. */
  abstract readonly opened: LoadedModel;
  /** The column of the label, if the model has one. */
  abstract readonly target: string | undefined;
  /** Whether it learns and unlearns. */
  abstract readonly learns: boolean;
  /** The family in a few words. */
  abstract readonly summary: string;
  abstract readonly classes: readonly Label[];
  protected readonly reader: InstanceReader;
  /** The weight of all rows that were learned, once it is known: to derive it from a pipeline copies all counts. */
  protected weight: number | undefined;

  constructor({ kind }: LoadedModel, columns: readonly RecordColumn[]) {
    this.kind = kind;
    this.reader = new InstanceReader(columns);
  }

  /** The cells of an instance. A model of one text also takes plain strings. */
  get columns(): readonly RecordColumn[] {
    return this.reader.columns;
  }

  /** p(c) of every class, or their shares in what was learned; null if the model has neither. */
  abstract priors(): readonly number[] | null;

  /** Scores on held-out rows from when it was fitted; null if there are none. */
  evaluation(): Evaluation | null {
    return null;
  }

  /** ln p(c | x); `strict` is that of `RecordOptions`, and `within` the part of the request that refusals point to. */
  predictLogProba(instances: readonly Instance[], strict = true, within?: string): Matrix {
    if (instances.length === 0) return new Matrix(0, this.classes.length);
    return this.reader.pointed(instances, () => this.score(instances, strict, within), within);
  }

  abstract explain(instance: Instance, strict?: boolean): Reasoning;

  /** The share of the distinct terms of a text that have no weight; null if the model does not consist of the terms of one text. */
  unseen(_instance: Instance): number | null {
    return null;
  }

  /** Undefined if there is no single model that takes the rows. */
  abstract insider(): Insider | undefined;

  /** Learns all examples, or none. */
  learn(examples: readonly Example[], strict = true): void {
    this.change('learn', examples, strict);
  }

  /** Removes all examples, which were learned before, or none. */
  unlearn(examples: readonly Example[], strict = true): void {
    this.change('unlearn', examples, strict);
  }

  toBytes(): Uint8Array {
    return this.opened.toBytes();
  }

  /** The bytes in parts, one after another; they do not change when the model learns. */
  toParts(): Uint8Array[] {
    return [...modelParts(this.opened).all()];
  }

  /** The model as plain data, which can be copied to other threads. */
  toState(): State {
    return this.opened.toState();
  }

  protected abstract score(instances: readonly Instance[], strict: boolean, within?: string): Matrix;
  protected abstract apply(verb: 'learn' | 'unlearn', examples: readonly Example[], strict: boolean): void;
  /** The weight of all rows that were learned. */
  protected learnedWeight(): number {
    return 0;
  }

  private change(verb: 'learn' | 'unlearn', examples: readonly Example[], strict: boolean): void {
    if (!this.learns) {
      const sentence = `this ${this.kind} has no ${verb}: it keeps no counts; serve one that learns`;
      refuse('E_CONFLICT', sentence, { method: verb });
    }
    const instances = examples.map(({ instance }) => instance);
    this.reader.pointed(instances, () => this.apply(verb, examples, strict), 'examples');
    if (this.weight !== undefined) this.weight += verb === 'learn' ? weightOf(examples) : -weightOf(examples);
  }

  /** Refuses to unlearn every row: a model without classes can neither predict nor be evaluated before it learns again. */
  protected requireRest(examples: readonly Example[]): void {
    this.weight ??= this.learnedWeight();
    if (Math.abs(this.weight - weightOf(examples)) > ROUNDING * this.weight) return;
    const sentence = 'these are all the rows that the model has learned; delete the model instead';
    refuse('E_CONFLICT', sentence, { rows: examples.length });
  }
}

/** Two sums of weights that differ by less than this share are the same. */
const ROUNDING = 1e-12;

const weightOf = (examples: readonly Example[]): number => sum(examples.map(({ weight = 1 }) => weight));

/** The weights of examples, if any has one. */
function weightsOf(examples: readonly Example[]): { sampleWeight?: number[] } {
  if (!examples.some(({ weight }) => weight !== undefined)) return {};
  return { sampleWeight: examples.map(({ weight = 1 }) => weight) };
}

/** The earlier list if nothing has changed: what was derived from it stays valid. */
const sameUnlessChanged = (before: readonly Label[], now: readonly Label[]): readonly Label[] =>
  before.length === now.length && before.every((label, c) => label === now[c]) ? before : now;

/** A classifier of records. Cells may be missing. */
export class ClassifierModel extends ServedModel {
  readonly opened: Classifier;
  readonly target: string;
  readonly learns: boolean;
  classes: readonly Label[];
  private inside: Insider | undefined;

  constructor(opened: Classifier) {
    super(opened, opened.columns);
    this.opened = opened;
    this.target = opened.target;
    this.learns = opened.learns;
    this.classes = opened.classes;
  }

  get summary(): string {
    return this.opened.report().summary;
  }

  priors(): readonly number[] | null {
    const { learned } = this.opened.report();
    return learned && learned.weight > 0 ? learned.classes.map(({ weight }) => weight / learned.weight) : null;
  }

  override evaluation(): Evaluation | null {
    return this.opened.report().evaluation;
  }

  explain(instance: Instance, strict = true): Reasoning {
    const explain = () => this.opened.explain(this.reader.records([instance])[0], { strict });
    return this.reader.pointed([instance], explain);
  }

  insider(): Insider | undefined {
    if (this.inside) return this.inside; // a copy of the counts, valid until something is learned
    const fitted = this.opened.estimator as (Fitted & { readonly kind: string }) | undefined;
    if (!fitted || !('inside' in fitted)) return undefined;
    const isText = fitted.kind === 'Pipeline';
    const input = (instance: Instance) => (isText ? [this.reader.cells([instance], false)[0][0] ?? ''] : undefined);
    this.inside = { fitted, input };
    return this.inside;
  }

  protected score(instances: readonly Instance[], strict: boolean, within?: string): Matrix {
    return this.opened.predictLogProba(this.reader.records(instances, within), { strict });
  }

  protected apply(verb: 'learn' | 'unlearn', examples: readonly Example[], strict: boolean): void {
    const { opened, target } = this;
    const instances = examples.map(({ instance }) => instance);
    const rows = this.reader
      .records(instances, 'examples')
      .map((row, i) => Object.assign(Object.create(null), row, { [target]: examples[i].label }));
    if (verb === 'unlearn') this.requireRest(examples);
    this.inside = undefined;
    opened[verb === 'learn' ? 'partialFit' : 'unlearn'](rows, { ...weightsOf(examples), strict });
    this.classes = sameUnlessChanged(this.classes, opened.classes);
  }

  protected override learnedWeight(): number {
    return this.opened.report().learned?.weight ?? 0;
  }
}

/** What estimators and pipelines have in common. */
export interface Opened {
  readonly kind: string;
  readonly classes?: Label[];
  readonly steps?: readonly Opened[];
  readonly featureNamesIn?: readonly (string | null)[] | undefined;
  readonly nFeaturesIn?: number;
  readonly classCount?: ArrayLike<number>;
  readonly capabilities?: { readonly online: boolean };
  predictLogProba?(X: unknown): Matrix;
  explain?(X: unknown): Explanation[];
  partialFit?(X: unknown, y: readonly Label[], options: object): unknown;
  unlearn?(X: unknown, y: readonly Label[], options: object): unknown;
  getParams?(): object;
}

const vectorizers: ReadonlySet<string> = new Set(['CountVectorizer', 'TfidfVectorizer', 'HashingVectorizer']);
const withLevels: ReadonlySet<string> = new Set([
  'CategoricalNB',
  'MixedNB',
  'TreeAugmentedNB',
  'KDependenceNB',
  'AveragedOneDependenceNB',
]);

/** Whether a model reads one text. */
export const isTextModel = ({ kind, steps = [] }: Opened): boolean => vectorizers.has(steps[0]?.kind ?? kind);

/** Whether a model takes levels, which may be words. */
export const takesLevels = (kind: string): boolean => withLevels.has(kind);

/** An explanation as sums; `cellOf` returns the cell of a feature. */
export function reasoningOf(
  { contributions, prior, rest }: Explanation,
  cellOf: (feature: string | number) => unknown,
): Reasoning {
  const terms = contributions.map(({ feature, byClass }) => ({
    feature: String(feature),
    value: cellOf(feature),
    byClass,
  }));
  const start = prior.map((value, c) => value + (rest?.[c] ?? 0));
  const score = start.map((value, c) => terms.reduce((total, { byClass }) => total + byClass[c], value));
  return { terms, rest: start, score };
}

/** The columns of a model by the names or the number of its features. */
function columnsOf(model: Opened): RecordColumn[] {
  if (isTextModel(model)) return [{ name: 'text', kind: 'text', optional: false }];
  const { kind, featureNamesIn, nFeaturesIn = 0 } = model.steps?.[0] ?? model;
  const isLevel = takesLevels(kind);
  const names = featureNamesIn?.filter((name): name is string => typeof name === 'string') ?? [];
  const all = names.length === nFeaturesIn ? names : Array.from({ length: nFeaturesIn }, (_, j) => `x${j}`);
  return all.map((name) => ({ name, kind: isLevel ? 'level' : 'number', optional: isLevel }));
}

/** An estimator, a pipeline or a pool of text models. */
class EstimatorModel extends ServedModel {
  readonly target: undefined;
  readonly learns: boolean;
  readonly opened: LoadedModel;
  classes: readonly Label[];
  private readonly model: Opened;
  private readonly isText: boolean;
  private analyze: Analyzer | undefined;

  constructor(opened: LoadedModel, keepsCounts: boolean) {
    const model = opened as Opened;
    super(opened, columnsOf(model));
    const { kind } = model;
    this.opened = opened;
    this.model = model;
    if (!model.predictLogProba || !model.classes) {
      const sentence = `the file contains a ${kind}, which predicts no class; serve a classifier or a pipeline`;
      refuse('E_CONFLICT', sentence, { kind });
    }
    this.isText = isTextModel(model);
    const last = model.steps?.at(-1) ?? model;
    this.learns = last.capabilities?.online === true && model.partialFit !== undefined && keepsCounts;
    this.classes = model.classes;
    if (this.learns) this.weight = sum(last.classCount ?? []);
  }

  get summary(): string {
    const { kind, steps } = this.model;
    return steps ? steps.map((step) => step.kind).join(' → ') : kind;
  }

  priors(): readonly number[] | null {
    const inside = this.insider()?.fitted.inside();
    return inside ? Array.from(inside.model.logPrior(inside.params), Math.exp) : null;
  }

  explain(instance: Instance, strict = true): Reasoning {
    const { kind } = this;
    if (!this.model.explain) {
      const sentence = `a ${kind} cannot explain its predictions; serve a naive Bayes model instead`;
      return refuse('E_CONFLICT', sentence, { kind });
    }
    const explain = () => this.model.explain!(this.read([instance], strict));
    const [found] = this.reader.pointed([instance], explain);
    return reasoningOf(found, (feature) => this.cellOf(instance, feature));
  }

  override unseen(instance: Instance): number | null {
    const { opened } = this;
    if (!this.isText || !(opened instanceof Pipeline)) return null;
    const [text] = this.read([instance], false) as string[];
    const known = opened.knownTerms([text])?.[0];
    if (known === undefined) return null;
    this.analyze ??= analyzerOf(this.model.steps?.[0].getParams?.() as AnalyzerOptions);
    const { size } = new Set(this.analyze(text));
    return size === 0 ? 0 : Math.max(0, 1 - known / size);
  }

  insider(): Insider | undefined {
    const { opened } = this;
    if (!('inside' in opened)) return undefined;
    return { fitted: opened as Fitted, input: (instance) => this.read([instance], true) };
  }

  protected score(instances: readonly Instance[], strict: boolean, within?: string): Matrix {
    return this.model.predictLogProba!(this.read(instances, strict, within));
  }

  protected apply(verb: 'learn' | 'unlearn', examples: readonly Example[], strict: boolean): void {
    const instances = examples.map(({ instance }) => instance);
    const X = this.read(instances, strict, 'examples');
    if (verb === 'unlearn') this.requireRest(examples);
    const y = examples.map(({ label }) => label);
    this.model[verb === 'learn' ? 'partialFit' : 'unlearn']!(X, y, weightsOf(examples));
    this.classes = sameUnlessChanged(this.classes, this.model.classes!);
  }

  /** Instances as the model takes them: documents, or a matrix of cells in the order of its columns. */
  private read(instances: readonly Instance[], strict: boolean, within?: string): unknown {
    if (this.isText && instances.every((instance) => typeof instance === 'string')) return instances;
    const cells = this.reader.cells(instances, strict, within);
    return this.isText ? cells.map(([text]) => text) : cells;
  }

  private cellOf(instance: Instance, feature: string | number): unknown {
    if (this.isText || typeof instance !== 'object') return feature;
    const [row] = this.reader.records([instance]);
    return Object.hasOwn(row, String(feature)) ? row[String(feature)] : feature;
  }
}

/** A model file as a model to serve; ends in one or in a `PolyaError`. */
export function serveModel(bytes: Uint8Array): ServedModel {
  const state = decodeState(bytes);
  const opened = loadState(state);
  const model =
    opened instanceof Classifier ? new ClassifierModel(opened) : new EstimatorModel(opened, keepsCounts(state));
  if ('condense' in opened) opened.condense();
  return model;
}

/** A slim file has parameters and no counts. */
function keepsCounts({ learned, steps = [] }: State): boolean {
  return learned.slim !== true && steps.every(keepsCounts);
}

/**
 * Refuses an uploaded model that would take long over a short text: one with its own token pattern, which can take hours, or with n-grams
 * longer than `ngrams`. The server has one event loop. Such a model can be served from a file.
 */
export function requireFastReading({ params, steps = [] }: State, { ngrams }: Pick<Limits, 'ngrams'>): void {
  const { tokenPattern, ngramRange } = params;
  const longest = Array.isArray(ngramRange) ? Number(ngramRange[1]) : 1;
  if (!(longest <= ngrams)) {
    const sentence = `the model reads n-grams up to ${longest}, at most ${ngrams} may be uploaded; serve it from a file with -m`;
    refuse('E_LIMIT', sentence, { name: 'ngramRange', limit: ngrams, actual: longest });
  }
  if (tokenPattern !== undefined && tokenPattern !== DEFAULT_PATTERN) {
    const sentence = 'the model has its own tokenPattern, which cannot be uploaded; serve it from a file with -m';
    refuse('E_CONFLICT', sentence, { name: 'tokenPattern' });
  }
  for (const step of steps) requireFastReading(step, { ngrams });
}
