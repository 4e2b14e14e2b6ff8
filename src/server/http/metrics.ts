import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Label } from '../../data/labels.ts';
import type { ModelStore } from '../model-store.ts';

const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Predictions of a model with more classes are counted in one number. */
const MAX_CLASSES = 100;

/** Metrics of the server for Prometheus. Counts of rows are kept here and read when metrics are collected: that costs requests less. */
export class Metrics {
  readonly registry: Registry = new Registry();
  private readonly predictions = new Map<string, { classes: readonly Label[]; counts: number[] }>();
  private readonly learned = { learn: new Map<string, number>(), unlearn: new Map<string, number>() };
  private readonly seconds: Histogram<'method' | 'route' | 'status'>;
  private readonly refused: Counter<'code'>;
  private readonly others: (() => Promise<readonly (readonly object[])[]>) | undefined;

  /** `others` gives the metrics of other processes of the server. */
  constructor(store: ModelStore, inFlight: () => number, others?: () => Promise<readonly (readonly object[])[]>) {
    this.others = others;
    const { registry, predictions, learned } = this;
    const registers = [registry];
    collectDefaultMetrics({ register: registry });
    this.seconds = new Histogram({
      name: 'polya_request_seconds',
      help: 'Time from the first byte of a request to the last byte of its response.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers,
    });
    this.refused = new Counter({
      name: 'polya_refused_total',
      help: 'Requests that were refused, by code.',
      labelNames: ['code'],
      registers,
    });
    /** A metric whose values are read when it is collected. */
    const read = (
      type: typeof Gauge | typeof Counter,
      config: { readonly name: string; readonly help: string; readonly aggregator?: 'max' },
      labelNames: readonly string[],
      values: () => Iterable<readonly [labels: Record<string, string>, value: number]>,
    ) =>
      new type({
        ...config,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [labels, value] of values()) this.inc(labels, value);
        },
      });
    const ofModels = { name: 'polya_model_version', help: 'The version of each model.', aggregator: 'max' } as const;
    read(Gauge, ofModels, ['model'], () =>
      store.list().map(({ name, version }) => [{ model: name }, version] as const),
    );
    const ofRequests = { name: 'polya_requests_in_flight', help: 'Requests that are being handled.' };
    read(Gauge, ofRequests, [], () => [[{}, inFlight()]]);
    const ofRows = { name: 'polya_learned_rows_total', help: 'Rows that were learned or unlearned, acknowledged.' };
    read(Counter, ofRows, ['model', 'what'], function* () {
      for (const [what, rows] of Object.entries(learned)) for (const [model, n] of rows) yield [{ model, what }, n];
    });
    const ofClasses = {
      name: 'polya_predictions_total',
      help: 'Predictions by class, since the model has these classes.',
    };
    read(Gauge, ofClasses, ['model', 'class'], function* () {
      for (const [model, { classes, counts }] of predictions) {
        const isMany = classes.length > MAX_CLASSES;
        if (isMany) yield [{ model, class: '' }, counts.reduce((sum, n) => sum + n, 0)];
        else for (const [c, label] of classes.entries()) yield [{ model, class: String(label) }, counts[c]];
      }
    });
  }

  /** All metrics as text for Prometheus; those of several processes are added up. */
  async text(): Promise<string> {
    const { registry, others } = this;
    if (!others) return registry.metrics();
    const all = [await registry.getMetricsAsJSON(), ...(await others())];
    return AggregatorRegistry.aggregate(all.filter((own) => own.length > 0) as object[]).metrics();
  }

  /** Returns a function that notes the time of a request of a route. */
  timer(method: string, route: string): (status: number, milliseconds: number) => void {
    const known = new Map<number, { observe(value: number): void }>();
    return (status, milliseconds) => {
      let own = known.get(status);
      if (!own) known.set(status, (own = this.seconds.labels(method, route, String(status))));
      own.observe(milliseconds / 1000);
    };
  }

  /** Notes a predicted class, by its index among the classes of the model. */
  predicted(model: string, classes: readonly Label[], c: number): void {
    let own = this.predictions.get(model);
    if (!own || (own.classes !== classes && !sameLabels(own.classes, classes))) {
      this.predictions.set(model, (own = { classes, counts: classes.map(() => 0) }));
    }
    own.counts[c]++;
  }

  /** Notes rows that were learned or unlearned. */
  learnedRows(model: string, what: 'learn' | 'unlearn', rows: number): void {
    const own = this.learned[what];
    own.set(model, (own.get(model) ?? 0) + rows);
  }

  /** Notes a refusal. */
  refusedWith(code: string): void {
    this.refused.inc({ code });
  }
}

const sameLabels = (a: readonly Label[], b: readonly Label[]): boolean =>
  a.length === b.length && a.every((label, c) => label === b[c]);
