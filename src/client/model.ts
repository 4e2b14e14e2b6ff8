import type { Caller, CallOptions } from './request.ts';
import type {
  FeedbackAnswer,
  LearnAnswer,
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

/** How rows are learned. */
export interface ClientLearnOptions extends CallOptions {
  /** Repeats of a key are done once; one is made up unless given, so that a call can be tried again. */
  readonly key?: string | undefined;
  /** Change only this version. */
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

  /** What the model is. */
  card(options: CallOptions = {}): Promise<ServedCard<L>> {
    return this.caller.json(this.path(), options);
  }

  /** The labels of instances, all of one version. */
  predict(instances: readonly ServedInstance[], options: PredictOptions & CallOptions = {}): Promise<Predictions<L>> {
    const { signal, topK, ...rules } = options;
    const body = { instances, ...rules, ...(topK !== undefined && { top_k: topK }) };
    return this.caller.json(this.path('/predict'), { body, signal });
  }

  /** The label of one instance. */
  async predictOne(instance: ServedInstance, options: PredictOptions & CallOptions = {}): Promise<Prediction<L>> {
    return (await this.predict([instance], options)).predictions[0];
  }

  /** The labels of any number of instances, as they come, a few hundred in one call. */
  async *predictAll(
    instances: Iterable<ServedInstance> | AsyncIterable<ServedInstance>,
    options: PredictOptions & CallOptions = {},
  ): AsyncGenerator<Prediction<L>> {
    for await (const some of batches(instances)) yield* (await this.predict(some, options)).predictions;
  }

  /** Why one instance gets its label, and what would change it. */
  explain(
    instance: ServedInstance,
    { signal, ...rules }: CallOptions & { readonly label?: L; readonly against?: L; readonly limit?: number } = {},
  ): Promise<ServedExplanation<L>> {
    return this.caller.json(this.path('/explain'), { body: { instance, ...rules }, signal });
  }

  /** Learns examples: all, or none. It is acknowledged when it is on stable storage. */
  learn(examples: readonly ServedExample<L>[], options: ClientLearnOptions = {}): Promise<LearnAnswer> {
    return this.change('/learn', { examples }, options);
  }

  /** Learns the true label of a prediction that was asked for with `remember`; repeats count once. */
  feedback(id: string, label: L, { signal }: CallOptions = {}): Promise<FeedbackAnswer<L>> {
    return this.caller.json(this.path('/feedback'), { body: { id, label }, signal });
  }

  /** Takes examples away that were learned: what remains is the model that never saw them. */
  unlearn(examples: readonly ServedExample<L>[], options: ClientLearnOptions = {}): Promise<UnlearnAnswer> {
    return this.change('/unlearn', { examples }, options);
  }

  /** Learns any number of examples as they come, a few hundred in one call; answers with the last version. */
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

  /** Judges the model by labelled rows. */
  evaluate(examples: readonly ServedExample<L>[], { signal }: CallOptions = {}): Promise<ServedReport> {
    return this.caller.json(this.path('/evaluate'), { body: { examples }, signal });
  }

  /** The versions, from the first to the one of now. */
  async versions(options: CallOptions = {}): Promise<readonly ServedVersion[]> {
    return (await this.caller.json<{ versions: ServedVersion[] }>(this.path('/versions'), options)).versions;
  }

  /** What moved between two versions; the later one is the present one unless given. */
  difference(
    from: number,
    { to, limit, signal }: CallOptions & { readonly to?: number; readonly limit?: number } = {},
  ): Promise<ServedDifference> {
    const query = new URLSearchParams({ from: String(from) });
    if (to !== undefined) query.set('to', String(to));
    if (limit !== undefined) query.set('limit', String(limit));
    return this.caller.json(`${this.path('/difference')}?${query}`, { signal });
  }

  /** The model as it was at a version, under a new version number. */
  rollback(
    version: number,
    { ifVersion, signal }: ClientLearnOptions = {},
  ): Promise<{ model: string; version: number }> {
    const headers = { 'if-match': matchOf(ifVersion) };
    return this.caller.json(this.path('/rollback'), { body: { version }, headers, signal, repeatable: false });
  }

  /** Writes the model of now as a whole. */
  snapshot({ signal }: CallOptions = {}): Promise<{ model: string; version: number; bytes: number }> {
    return this.caller.json(this.path('/snapshot'), { method: 'POST', signal });
  }

  /** The words or columns that tell most about the class. */
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
