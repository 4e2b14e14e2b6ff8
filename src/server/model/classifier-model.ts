import { type DataRow, numberOf } from '../../auto/cells.ts';
import type { Classifier } from '../../auto/classifier.ts';
import type { Evaluation } from '../../auto/classifier-evaluation.ts';
import type { SchemaColumn } from '../../auto/schema.ts';
import { modelParts, type State } from '../../core/artifact.ts';
import { momentOf } from '../../data/cell-format.ts';
import type { Label } from '../../data/labels.ts';
import type { Matrix } from '../../data/matrix.ts';
import type { Fitted } from '../../estimators/inside.ts';
import { type Column, type Instance, InstanceReader } from './instances.ts';
import type { Example, Insider, ServedModel, Told } from './served-model.ts';

/** A classifier of records as the server uses it. Missing cells are ordinary. */
export class ClassifierModel implements ServedModel {
  readonly kind = 'Classifier';
  readonly opened: Classifier;
  readonly target: string;
  readonly learns: boolean;
  private readonly reader: InstanceReader;
  private inside: Insider | undefined;

  constructor(opened: Classifier) {
    this.opened = opened;
    this.target = opened.target;
    this.learns = opened.learns;
    const features = opened.schema.columns.filter(({ role }) => role === 'feature');
    this.reader = new InstanceReader(features.map(columnOf));
  }

  get summary(): string {
    return this.opened.report().summary;
  }

  get classes(): readonly Label[] {
    return this.opened.classes;
  }

  get columns(): readonly Column[] {
    return this.reader.columns;
  }

  priors(): readonly number[] | null {
    const { learned } = this.opened.report();
    return learned && learned.weight > 0 ? learned.classes.map(({ weight }) => weight / learned.weight) : null;
  }

  evaluation(): Evaluation | null {
    return this.opened.report().evaluation;
  }

  predictLogProba(instances: readonly Instance[], extra = false): Matrix {
    return this.opened.predictLogProba(instances.map((instance, i) => this.reader.row(instance, i, extra)));
  }

  explain(instance: Instance): Told {
    return this.opened.explain(this.reader.row(instance, 0, false));
  }

  /** A copy of what counts, kept until something is learned. */
  insider(): Insider | undefined {
    if (this.inside) return this.inside;
    const fitted = this.opened.estimator as (Fitted & { readonly kind: string }) | undefined;
    if (!fitted || !('inside' in fitted)) return undefined;
    const ofText = fitted.kind === 'Pipeline';
    const input = (instance: Instance) => (ofText ? [this.reader.text(instance, 0, false)] : undefined);
    this.inside = { fitted, input };
    return this.inside;
  }

  learn(examples: readonly Example[]): void {
    this.inside = undefined;
    this.opened.partialFit(this.rows(examples), weightsOf(examples));
  }

  unlearn(examples: readonly Example[]): void {
    this.inside = undefined;
    this.opened.unlearn(this.rows(examples), weightsOf(examples));
  }

  toBytes(): Uint8Array {
    return this.opened.toBytes();
  }

  toParts(): Uint8Array[] {
    return modelParts(this.opened);
  }

  toState(): State {
    return this.opened.toState();
  }

  private rows(examples: readonly Example[]): DataRow[] {
    return examples.map(({ instance, label }, i) => {
      const row = this.reader.row(instance, i, false, 'examples');
      return Object.assign(Object.create(null), row, { [this.target]: label });
    });
  }
}

function columnOf({ name, kind, format }: SchemaColumn): Column {
  const { numbers, dates } = format ?? {};
  if (dates) {
    const reads = (text: string) => !Number.isNaN(momentOf(text, dates));
    return { name, kind: 'date', optional: true, reads };
  }
  if (kind !== 'number') return { name, kind: kind === 'text' ? 'text' : 'level', optional: true };
  const reads = numbers && ((text: string) => !Number.isNaN(numberOf(text, numbers)));
  return { name, kind, optional: true, reads };
}

/** The weights of examples, where any has one. */
export function weightsOf(examples: readonly Example[]): { sampleWeight?: number[] } {
  if (!examples.some(({ weight }) => weight !== undefined)) return {};
  return { sampleWeight: examples.map(({ weight = 1 }) => weight) };
}
