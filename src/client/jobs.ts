import type { Caller, CallOptions } from './request.ts';
import type { JobRequest, ServedJob } from './types.ts';

/** The background jobs of a server. */
export class JobClient {
  private readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Starts a job. */
  start(request: JobRequest, { signal }: CallOptions = {}): Promise<ServedJob> {
    return this.caller.json('/v1/jobs', { body: request, signal, repeatable: false });
  }

  /** The status of a job. */
  get(id: string, options: CallOptions = {}): Promise<ServedJob> {
    return this.caller.json(`/v1/jobs/${encodeURIComponent(id)}`, options);
  }

  /** Cancels a job. */
  cancel(id: string, { signal }: CallOptions = {}): Promise<ServedJob> {
    return this.caller.json(`/v1/jobs/${encodeURIComponent(id)}`, { method: 'DELETE', signal });
  }

  /** Every progress event of a job, including the last. */
  async *watch(id: string, options: CallOptions = {}): AsyncGenerator<ServedJob> {
    const response = await this.caller.send(`/v1/jobs/${encodeURIComponent(id)}/events`, options);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + value).split('\n\n');
      rest = events.pop()!;
      for (const event of events) {
        const data = event.split('\n').find((line) => line.startsWith('data: '));
        if (data !== undefined) yield JSON.parse(data.slice(6));
      }
    }
  }

  /** Waits until a job has finished. */
  async finished(id: string, options: CallOptions = {}): Promise<ServedJob> {
    for await (const job of this.watch(id, options)) if (job.ended !== null) return job;
    return this.get(id, options);
  }
}
