import { DatasetClient } from './datasets.ts';
import { JobClient } from './jobs.ts';
import { ModelClient } from './model.ts';
import { Caller, type CallOptions, type ClientOptions } from './request.ts';
import type { ModelSummary, ServedCard, ServedLabel } from './types.ts';

/**
 * A client for a Pólya server. Errors of the server are thrown as `PolyaError` with the same code as in the library.
 * Idempotent requests are retried when the server is busy.
 */
export class PolyaClient {
  private readonly caller: Caller;
  /** Background jobs. */
  readonly jobs: JobClient;
  /** Datasets to fit from. */
  readonly datasets: DatasetClient;

  constructor(url: string | URL, options: ClientOptions = {}) {
    this.caller = new Caller(url, options);
    this.jobs = new JobClient(this.caller);
    this.datasets = new DatasetClient(this.caller);
  }

  /** One model. Pass its labels as a type parameter for typed results: `client.model<'ham' | 'spam'>('spam')`. */
  model<L extends ServedLabel = ServedLabel>(name: string): ModelClient<L> {
    return new ModelClient<L>(this.caller, name);
  }

  /** All models. */
  async models(options: CallOptions = {}): Promise<readonly ModelSummary[]> {
    return (await this.caller.json<{ models: ModelSummary[] }>('/v1/models', options)).models;
  }

  /** Uploads a model file, as a new model or replacing the one with this name. */
  upload(
    name: string,
    file: Uint8Array | Blob,
    { ifVersion, ...options }: CallOptions & { readonly ifVersion?: number } = {},
  ): Promise<ServedCard> {
    const body = new FormData();
    body.set('name', name);
    body.set('file', file instanceof Blob ? file : new Blob([new Uint8Array(file)]), 'model.polya');
    const headers = { 'if-match': ifVersion === undefined ? undefined : `"${ifVersion}"` };
    return this.caller.json('/v1/models', { ...options, body, headers, repeatable: false });
  }

  /** The counters of the server, as text for Prometheus. */
  async metrics(options: CallOptions = {}): Promise<string> {
    return (await this.caller.send('/metrics', options)).text();
  }

  /** Whether the server accepts requests, and whether its models can learn. */
  ready(options: CallOptions = {}): Promise<{ ready: boolean; models: number; learning: string; version: string }> {
    return this.caller.json('/readyz', options);
  }
}
