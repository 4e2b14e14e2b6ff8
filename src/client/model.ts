import type { Caller, CallOptions } from './request.ts';
import type {
  FeedbackAnswer,
  LearnAnswer,
  OpenPrediction,
  Prediction,
  Predictions,
  PredictOptions,
  ServedCard,
  ServedDifference,
  ServedExample,
  ServedExplanation,
  ServedInstance,
  ServedLabel,
  ServedReport,
  ServedVersion,
  UnlearnAnswer,
} from './types.ts';

/** Options for learning rows. */
export interface ClientLearnOptions extends CallOptions {
  /** Requests with the same key are applied once. Default: a random key, so a call can be retried. */
  readonly key?: string | undefined;
  /** Apply the change only to this version; otherwise the server answers with a conflict. Default: any version. */
  readonly ifVersion?: number | undefined;
}

const BATCH = 256;

/** One model of a server. */
export class ModelClient<L extends ServedLabel = ServedLabel> {
  readonly name: string;
  private readonly caller: Caller;

  constructor(caller: Caller, name: string) {
    this.caller = caller;
    this.name = name;
  }

  /** The description of the model. */
  card(options: CallOptions = {}): Promise<ServedCard<L>> {
    return this.caller.json(this.path(), options);
  }

  /** Predicts labels for instances, all with the same version of the model. */
  predict(instances: readonly ServedInstance[], options: PredictOptions & CallOptions = {}): Promise<Predictions<L>> {
    const { signal, topK, ...rules } = options;
    const body = { instances, ...rules, ...(topK !== undefined && { top_k: topK }) };
    return this.caller.json(this.path('/predict'), { body, signal });
  }

  /** Predicts the label of one instance. */
  async predictOne(instance: ServedInstance, options: PredictOptions & CallOptions = {}): Promise<Prediction<L>> {
    return (await this.predict([instance], options)).predictions[0];
  }

  /** Predicts labels for a stream of instances, a few hundred per request. */
  async *predictAll(
    instances: Iterable<ServedInstance> | AsyncIterable<ServedInstance>,
    options: PredictOptions & CallOptions = {},
  ): AsyncGenerator<Prediction<L>> {
    for await (const some of batches(instances)) yield* (await this.predict(some, options)).predictions;
  }

  /** Explains the label of one instance, and what would change it. */
  explain(
    instance: ServedInstance,
    { signal, ...rules }: CallOptions & { readonly label?: L; readonly against?: L; readonly limit?: number } = {},
  ): Promise<ServedExplanation<L>> {
    return this.caller.json(this.path('/explain'), { body: { instance, ...rules }, signal });
  }

  /** Learns examples: all or none. Returns when they are on stable storage. */
  learn(examples: readonly ServedExample<L>[], options: ClientLearnOptions = {}): Promise<LearnAnswer> {
    return this.change('/learn', { examples }, options);
  }

  /** Learns the true label of a prediction made with `remember`; repeats count once. */
  feedback(id: string, label: L, { signal }: CallOptions = {}): Promise<FeedbackAnswer<L>> {
    return this.caller.json(this.path('/feedback'), { body: { id, label }, signal });
  }

  /** Remembered predictions without feedback, the least certain first; `below` keeps those with a lower probability. */
  async open(
    query: { readonly below?: number; readonly limit?: number } = {},
    options: CallOptions = {},
  ): Promise<readonly OpenPrediction<L>[]> {
    const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const path = this.path(`/predictions?${asked}`);
    return (await this.caller.json<{ predictions: OpenPrediction<L>[] }>(path, options)).predictions;
  }

  /** Unlearns examples: the result equals a model that never saw them. */
  unlearn(examples: readonly ServedExample<L>[], options: ClientLearnOptions = {}): Promise<UnlearnAnswer> {
    return this.change('/unlearn', { examples }, options);
  }

  /** Learns a stream of examples, a few hundred per request; returns the number of examples and the last version. */
  async learnAll(
    examples: Iterable<ServedExample<L>> | AsyncIterable<ServedExample<L>>,
    options: CallOptions = {},
  ): Promise<{ learned: number; version: number | undefined }> {
    let learned = 0;
    let version: number | undefined;
    for await (const some of batches(examples)) {
      const answer = await this.learn(some, options);
      learned += answer.learned;
      version = answer.version;
    }
    return { learned, version };
  }

  /** Evaluates the model on labelled rows. */
  evaluate(examples: readonly ServedExample<L>[], { signal }: CallOptions = {}): Promise<ServedReport> {
    return this.caller.json(this.path('/evaluate'), { body: { examples }, signal });
  }

  /** All versions, oldest first. */
  async versions(options: CallOptions = {}): Promise<readonly ServedVersion[]> {
    return (await this.caller.json<{ versions: ServedVersion[] }>(this.path('/versions'), options)).versions;
  }

  /** Compares two versions. `to` defaults to the current version. */
  difference(
    from: number,
    { to, limit, signal }: CallOptions & { readonly to?: number; readonly limit?: number } = {},
  ): Promise<ServedDifference> {
    const query = new URLSearchParams({ from: String(from) });
    if (to !== undefined) query.set('to', String(to));
    if (limit !== undefined) query.set('limit', String(limit));
    return this.caller.json(`${this.path('/difference')}?${query}`, { signal });
  }

  /** Restores the model of an earlier version, as a new version. */
  rollback(
    version: number,
    { ifVersion, signal }: ClientLearnOptions = {},
  ): Promise<{ model: string; version: number }> {
    const headers = { 'if-match': matchOf(ifVersion) };
    return this.caller.json(this.path('/rollback'), { body: { version }, headers, signal, repeatable: false });
  }

  /** Writes a snapshot of the current model. */
  snapshot({ signal }: CallOptions = {}): Promise<{ model: string; version: number; bytes: number }> {
    return this.caller.json(this.path('/snapshot'), { method: 'POST', signal });
  }

  /** The words or columns that are most informative about the class. */
  features(
    query: { readonly by?: string; readonly class?: string; readonly limit?: number } = {},
    options: CallOptions = {},
  ): Promise<{ readonly features: readonly Readonly<Record<string, unknown>>[] }> {
    const words = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return this.caller.json(`${this.path('/features')}?${words}`, options);
  }

  /** The model as a file. */
  async export(format: 'polya' | 'onnx' | 'json' | 'ts' = 'polya', options: CallOptions = {}): Promise<Uint8Array> {
    const response = await this.caller.send(`${this.path('/export')}?format=${format}`, options);
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Removes the model. */
  async remove({ ifVersion, signal }: ClientLearnOptions = {}): Promise<void> {
    const headers = { 'if-match': matchOf(ifVersion) };
    await this.caller.json(this.path(), { method: 'DELETE', headers, signal, repeatable: false });
  }

  private change<T>(verb: string, body: object, { key, ifVersion, signal }: ClientLearnOptions): Promise<T> {
    const headers = { 'idempotency-key': key ?? globalThis.crypto.randomUUID(), 'if-match': matchOf(ifVersion) };
    return this.caller.json(this.path(verb), { body, headers, signal });
  }

  private path(more = ''): string {
    return `/v1/models/${encodeURIComponent(this.name)}${more}`;
  }
}

const matchOf = (version: number | undefined): string | undefined =>
  version === undefined ? undefined : `"${version}"`;

async function* batches<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T[]> {
  let some: T[] = [];
  for await (const value of values) {
    some.push(value);
    if (some.length < BATCH) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
