import type { LoadedModel } from '../../auto/load.ts';
import type { RecordColumn } from '../../auto/record-check.ts';
import { modelParts, type State } from '../../core/artifact.ts';
import type { Label } from '../../data/labels.ts';
import { Matrix } from '../../data/matrix.ts';
import { refuse } from '../../errors.ts';
import type { Explanation } from '../../estimators/explanation.ts';
import type { Fitted } from '../../estimators/inside.ts';
import { Pipeline } from '../../estimators/pipeline.ts';
import { sum } from '../../math/arrays.ts';
import { analyzerOf } from '../../text/analyze.ts';
import type { AnalyzerOptions } from '../../text/options.ts';
import type { Analyzer } from '../../text/terms.ts';
import { requireRest, weightsOf } from './classifier-model.ts';
import { type Instance, InstanceReader } from './instances.ts';
import type { Example, Insider, ServedModel, Told } from './served-model.ts';

/** What estimators, pipelines and pools of text models have in common. */
interface Opened {
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
  toBytes(): Uint8Array;
  toState(): State;
}

const vectorizers: ReadonlySet<string> = new Set(['CountVectorizer', 'TfidfVectorizer', 'HashingVectorizer']);
const byLevels: ReadonlySet<string> = new Set([
  'CategoricalNB',
  'MixedNB',
  'TreeAugmentedNB',
  'KDependenceNB',
  'AveragedOneDependenceNB',
]);

/** An estimator, a pipeline or a pool of text models as the server uses it. */
export class EstimatorModel implements ServedModel {
  readonly kind: string;
  readonly target = undefined;
  readonly learns: boolean;
  readonly opened: LoadedModel;
  private readonly model: Opened;
  private readonly reader: InstanceReader;
  private readonly ofText: boolean;
  private readonly levels: boolean;
  private known: readonly Label[];
  private analyze: Analyzer | undefined;

  constructor(opened: LoadedModel, keepsCounts: boolean) {
    const model = opened as unknown as Opened;
    const { kind } = model;
    this.kind = kind;
    this.opened = opened;
    this.model = model;
    if (!model.predictLogProba || !model.classes) {
      refuse('E_CONFLICT', `the file holds a ${kind}, which gives no class; serve a classifier or a pipeline`, {
        kind,
      });
    }
    const first = model.steps?.[0] ?? model;
    const last = model.steps?.at(-1) ?? model;
    this.ofText = kind === 'TextPool' || vectorizers.has(first.kind);
    this.levels = byLevels.has(first.kind);
    this.learns = last.capabilities?.online === true && model.partialFit !== undefined && keepsCounts;
    this.known = model.classes;
    this.reader = new InstanceReader(this.columnsOf(first));
  }

  get summary(): string {
    const { kind, steps } = this.model;
    return steps ? steps.map((step) => step.kind).join(' → ') : kind;
  }

  get classes(): readonly Label[] {
    return this.known;
  }

  get columns(): readonly RecordColumn[] {
    return this.reader.columns;
  }

  priors(): readonly number[] | null {
    const inside = this.insider()?.fitted.inside();
    return inside ? Array.from(inside.model.logPrior(inside.params), Math.exp) : null;
  }

  evaluation(): null {
    return null;
  }

  predictLogProba(instances: readonly Instance[], strict = true, within?: string): Matrix {
    if (instances.length === 0) return new Matrix(0, this.known.length);
    const predict = () => this.model.predictLogProba!(this.read(instances, strict, within));
    return this.reader.pointed(instances, predict, within);
  }

  explain(instance: Instance, strict = true): Told {
    const { kind } = this;
    if (!this.model.explain) {
      return refuse('E_CONFLICT', `a ${kind} does not say why; serve a naive Bayes model instead`, { kind });
    }
    const explain = () => this.model.explain!(this.read([instance], strict));
    const [{ contributions, prior, rest }] = this.reader.pointed([instance], explain);
    const terms = contributions.map(({ feature, byClass }) => ({
      feature: String(feature),
      value: this.valueOf(instance, feature),
      byClass,
    }));
    const start = prior.map((value, c) => value + (rest?.[c] ?? 0));
    const score = start.map((value, c) => terms.reduce((sum, { byClass }) => sum + byClass[c], value));
    return { terms, rest: start, score };
  }

  unseen(instance: Instance): number | null {
    const { opened, ofText } = this;
    if (!ofText || !(opened instanceof Pipeline)) return null;
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

  learn(examples: readonly Example[], strict = true): void {
    this.change(examples, 'learn', strict, (X, y) => this.model.partialFit!(X, y, weightsOf(examples)));
  }

  unlearn(examples: readonly Example[], strict = true): void {
    this.change(examples, 'unlearn', strict, (X, y) => {
      requireRest(sum((this.model.steps?.at(-1) ?? this.model).classCount ?? []), examples);
      this.model.unlearn!(X, y, weightsOf(examples));
    });
  }

  toBytes(): Uint8Array {
    return this.model.toBytes();
  }

  toParts(): Uint8Array[] {
    return modelParts(this.model);
  }

  toState(): State {
    return this.model.toState();
  }

  private change(
    examples: readonly Example[],
    method: string,
    strict: boolean,
    act: (X: unknown, y: readonly Label[]) => unknown,
  ): void {
    if (!this.learns) {
      refuse('E_CONFLICT', `this ${this.kind} has no ${method}: it keeps no counts; serve one that learns`, { method });
    }
    const instances = examples.map(({ instance }) => instance);
    const labels = examples.map(({ label }) => label);
    this.reader.pointed(instances, () => act(this.read(instances, strict, 'examples'), labels), 'examples');
    this.known = this.model.classes!;
  }

  private columnsOf({ kind, featureNamesIn, nFeaturesIn = 0 }: Opened): RecordColumn[] {
    if (this.ofText) return [{ name: 'text', kind: 'text', optional: false }];
    const own = kind === 'MixedNB' || this.levels ? 'level' : 'number';
    const names = featureNamesIn?.filter((name): name is string => typeof name === 'string') ?? [];
    const all = names.length === nFeaturesIn ? names : Array.from({ length: nFeaturesIn }, (_, j) => `x${j}`);
    return all.map((name) => ({ name, kind: own, optional: own === 'level' }));
  }

  /** Instances as the model takes them: documents, or a matrix of cells in the order of its columns. */
  private read(instances: readonly Instance[], strict: boolean, within?: string): unknown {
    if (this.ofText && instances.every((instance) => typeof instance === 'string')) return instances;
    const cells = this.reader.cells(instances, strict, within);
    return this.ofText ? cells.map(([text]) => text) : cells;
  }

  private valueOf(instance: Instance, feature: string | number): unknown {
    if (this.ofText || typeof instance !== 'object') return feature;
    const [row] = this.reader.records([instance]);
    return Object.hasOwn(row, String(feature)) ? row[String(feature)] : feature;
  }
}
