import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { PolyaError, refuse, show } from '../../errors.ts';
import type { Limits } from '../http/limits.ts';
import type { Log } from '../http/log.ts';
import type { Office } from './office.ts';
import type { Task, TaskProgress, TaskResult } from './task.ts';

/** Where a job is. */
export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** A job as clients see it. */
export interface JobView {
  readonly id: string;
  readonly kind: string;
  readonly state: JobState;
  readonly progress: TaskProgress;
  readonly created: string;
  readonly ended: string | null;
  readonly result: object | null;
  readonly error: PolyaError | null;
}

/** One job. It emits `change` with every step, the last one included. */
export class Job extends EventEmitter<{ change: [] }> {
  readonly id: string = `j-${randomBytes(9).toString('hex')}`;
  readonly kind: string;
  private readonly stopper = new AbortController();
  private readonly created: Date = new Date();
  private ended: Date | null = null;
  private state: JobState = 'waiting';
  private progress: TaskProgress = { share: 0, what: 'waiting' };
  private result: object | null = null;
  private error: PolyaError | null = null;

  constructor(kind: string) {
    super();
    this.kind = kind;
    this.setMaxListeners(100);
  }

  get over(): boolean {
    return this.ended !== null;
  }

  /** The job as plain data. */
  view(): JobView {
    const { id, kind, state, progress, created, ended, result, error } = this;
    return {
      id,
      kind,
      state,
      progress,
      created: created.toISOString(),
      ended: ended?.toISOString() ?? null,
      result,
      error,
    };
  }

  /** Stops the work; what is done stays done. */
  cancel(): void {
    this.stopper.abort();
  }

  /** Does the work: `finish` makes of what was done what clients are told. */
  async work(office: Office, task: Task, finish: (done: TaskResult) => Promise<object>): Promise<void> {
    const { signal } = this.stopper;
    const tell = (progress: TaskProgress) => this.change('running', progress);
    try {
      const done = await office.run(task, { signal, tell });
      this.result = await finish(done);
      this.end('done', { share: 1, what: 'done' });
    } catch (error) {
      this.error = error instanceof PolyaError ? error : new PolyaError('E_INTERNAL', 'a bug in Pólya', {}, error);
      this.end(signal.aborted ? 'cancelled' : 'failed', this.progress);
    }
  }

  private change(state: JobState, progress: TaskProgress): void {
    this.state = state;
    this.progress = { share: Math.max(0, Math.min(1, progress.share)), what: progress.what };
    this.emit('change');
  }

  private end(state: JobState, progress: TaskProgress): void {
    this.ended = new Date();
    this.change(state, progress);
  }
}

/** The jobs of a server: a few run, some wait, the latest are remembered. */
export class Jobs {
  private readonly office: Office;
  private readonly limits: Limits;
  private readonly log: Log;
  private readonly jobs = new Map<string, Job>();

  constructor(office: Office, limits: Limits, log: Log) {
    this.office = office;
    this.limits = limits;
    this.log = log;
  }

  /** Begins a job. */
  start(task: Task, finish: (done: TaskResult) => Promise<object>): Job {
    const open = [...this.jobs.values()].filter(({ over }) => !over);
    if (open.length >= this.limits.waitingJobs) refuse('E_OVERLOADED', 'too many jobs are waiting already; try again');
    const job = new Job(task.kind);
    this.jobs.set(job.id, job);
    for (const [id, { over }] of this.jobs) if (this.jobs.size > this.limits.jobs && over) this.jobs.delete(id);
    this.log('info', 'job', { id: job.id, kind: job.kind, state: 'waiting' });
    void job.work(this.office, task, finish).then(() => {
      const { state, error } = job.view();
      if (error?.code === 'E_INTERNAL') this.log('error', 'bug', { id: job.id, message: String(error.cause) });
      this.log('info', 'job', { id: job.id, kind: job.kind, state });
    });
    return job;
  }

  /** A job by its id. */
  get(id: string): Job {
    return this.jobs.get(id) ?? refuse('E_NOT_FOUND', `there is no job ${show(id)}`, { job: id.slice(0, 100) });
  }

  list(): JobView[] {
    return Array.from(this.jobs.values(), (job) => job.view());
  }

  /** Long work for one request; it is not remembered. */
  ask(task: Task, signal?: AbortSignal): Promise<TaskResult> {
    return this.office.run(task, { signal });
  }

  /** Stops all work. */
  close(): void {
    for (const job of this.jobs.values()) job.cancel();
  }
}
