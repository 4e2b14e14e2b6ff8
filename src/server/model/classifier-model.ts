import type { Classifier } from '../../auto/classifier.ts';
import type { Evaluation } from '../../auto/classifier-split.ts';
import type { RecordColumn } from '../../auto/record-check.ts';
import { modelParts, type State } from '../../core/artifact.ts';
import type { DataRow } from '../../data/cells.ts';
import type { Label } from '../../data/labels.ts';
import type { Matrix } from '../../data/matrix.ts';
import { refuse } from '../../errors.ts';
import type { Fitted } from '../../estimators/inside.ts';
import { sum } from '../../math/arrays.ts';
import { type Instance, InstanceReader } from './instances.ts';
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
    this.reader = new InstanceReader(opened.columns);
  }

  get summary(): string {
    return this.opened.report().summary;
  }

  get classes(): readonly Label[] {
    return this.opened.classes;
  }

  get columns(): readonly RecordColumn[] {
    return this.reader.columns;
  }

  priors(): readonly number[] | null {
    const { learned } = this.opened.report();
    return learned && learned.weight > 0 ? learned.classes.map(({ weight }) => weight / learned.weight) : null;
  }

  evaluation(): Evaluation | null {
    return this.opened.report().evaluation;
  }

  predictLogProba(instances: readonly Instance[], strict = true, within?: string): Matrix {
    const { reader, opened } = this;
    const predict = () => opened.predictLogProba(reader.records(instances, within), { strict });
    return reader.pointed(instances, predict, within);
  }

  explain(instance: Instance, strict = true): Told {
    const { reader, opened } = this;
    return reader.pointed([instance], () => opened.explain(reader.records([instance])[0], { strict }));
  }

  unseen(): null {
    return null;
  }

  /** A copy of what counts, kept until something is learned. */
  insider(): Insider | undefined {
    if (this.inside) return this.inside;
    const fitted = this.opened.estimator as (Fitted & { readonly kind: string }) | undefined;
    if (!fitted || !('inside' in fitted)) return undefined;
    const ofText = fitted.kind === 'Pipeline';
    const input = (instance: Instance) => (ofText ? [this.reader.cells([instance], false)[0][0] ?? ''] : undefined);
    this.inside = { fitted, input };
    return this.inside;
  }

  learn(examples: readonly Example[], strict = true): void {
    this.inside = undefined;
    this.change(examples, (rows) => this.opened.partialFit(rows, { ...weightsOf(examples), strict }));
  }

  unlearn(examples: readonly Example[], strict = true): void {
    this.change(examples, (rows) => {
      requireRest(this.opened.report().learned?.weight ?? 0, examples);
      this.inside = undefined;
      this.opened.unlearn(rows, { ...weightsOf(examples), strict });
    });
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

  private change(examples: readonly Example[], act: (rows: DataRow[]) => unknown): void {
    const { reader, target } = this;
    const instances = examples.map(({ instance }) => instance);
    reader.pointed(
      instances,
      () => {
        const rows = reader.records(instances, 'examples');
        act(rows.map((row, i) => Object.assign(Object.create(null), row, { [target]: examples[i].label })));
      },
      'examples',
    );
  }
}

/** The weights of examples, where any has one. */
export function weightsOf(examples: readonly Example[]): { sampleWeight?: number[] } {
  if (!examples.some(({ weight }) => weight !== undefined)) return {};
  return { sampleWeight: examples.map(({ weight = 1 }) => weight) };
}

/** Two sums of weights that differ by less than this share are the same. */
const ROUNDING = 1e-12;

/** Refuses to unlearn every row: a model without classes can neither answer nor be evaluated before it learns again. */
export function requireRest(learned: number, examples: readonly Example[]): void {
  const taken = sum(examples.map(({ weight = 1 }) => weight));
  if (Math.abs(learned - taken) > ROUNDING * learned) return;
  refuse('E_CONFLICT', 'these are all the rows that the model has learned; delete the model instead', {
    rows: examples.length,
  });
}
