import type { Caller, CallOptions } from './request.ts';

/** The datasets uploaded to a server. */
export class DatasetClient {
  private readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Uploads a table: CSV, JSON Lines, Parquet and others, detected from the content. Rows are sent as JSON Lines. */
  upload(
    data: Blob | Uint8Array | readonly Readonly<Record<string, unknown>>[],
    { name = 'upload', format, signal }: CallOptions & { readonly name?: string; readonly format?: string } = {},
  ): Promise<{ id: string; name: string; bytes: number }> {
    const rows = Array.isArray(data) ? data.map((row) => `${JSON.stringify(row)}\n`) : undefined;
    const file = data instanceof Blob ? data : new Blob(rows ?? [new Uint8Array(data as Uint8Array)]);
    const body = new FormData();
    const sent = rows ? 'jsonl' : format;
    if (sent !== undefined) body.set('format', sent);
    body.set('file', file, name);
    return this.caller.json('/v1/datasets', { body, signal, repeatable: false });
  }

  /** The columns and size of a dataset. */
  profile(
    id: string,
    { target, ...options }: CallOptions & { readonly target?: string } = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const query = target === undefined ? '' : `?target=${encodeURIComponent(target)}`;
    return this.caller.json(`/v1/datasets/${encodeURIComponent(id)}/profile${query}`, options);
  }
}
