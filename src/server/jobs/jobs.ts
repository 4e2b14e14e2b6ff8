import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type PolyaError, refuse, show } from '../../errors.ts';
import type { Limits } from '../http/limits.ts';
import type { Log } from '../http/log.ts';
import { toPolyaError } from '../http/problem.ts';
import type { TaskPool } from './pool.ts';
import type { Task, TaskProgress, TaskResult } from './task.ts';

type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** A task in the background. It emits `change` with every step, the last one included. */
export class Job extends EventEmitter<{ change: [] }> {
  readonly id: string = `j-${randomBytes(9).toString('hex')}`;
  readonly kind: string;
  private readonly stopper = new AbortController();
  private readonly created: Date = new Date();
  private ended: Date | undefined;
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
    return this.ended !== undefined;
  }

  /** The job as plain data, apart from its error. */
  view() {
    const { id, kind, state, progress, result, error } = this;
    const [created, ended] = [this.created.toISOString(), this.ended?.toISOString() ?? null];
    return { id, kind, state, progress, created, ended, result, error };
  }

  /** Stops the task; what is done stays done. */
  cancel(): void {
    this.stopper.abort();
  }

  /** Runs the task; `finish` turns its result into the one that clients see. */
  async run(pool: TaskPool, task: Task, finish: (done: TaskResult) => Promise<object>): Promise<void> {
    const { signal } = this.stopper;
    try {
      const onProgress = (progress: TaskProgress) => this.change('running', progress);
      this.result = await finish(await pool.run(task, { signal, onProgress }));
      this.ended = new Date();
      this.change('done', { share: 1, what: 'done' });
    } catch (error) {
      this.error = toPolyaError(error);
      this.ended = new Date();
      this.change(signal.aborted ? 'cancelled' : 'failed', this.progress);
    }
  }

  private change(state: JobState, { share, what }: TaskProgress): void {
    this.state = state;
    this.progress = { share: Math.max(0, Math.min(1, share)), what };
    this.emit('change');
  }
}

/** The jobs of a server: a few run, some wait, the latest are listed. */
export class Jobs {
  private readonly pool: TaskPool;
  private readonly limits: Limits;
  private readonly log: Log;
  private readonly jobs = new Map<string, Job>();

  constructor(pool: TaskPool, limits: Limits, log: Log) {
    this.pool = pool;
    this.limits = limits;
    this.log = log;
  }

  start(task: Task, finish: (done: TaskResult) => Promise<object>): Job {
    const open = this.list().filter(({ over }) => !over);
    if (open.length >= this.limits.waitingJobs) refuse('E_OVERLOADED', 'too many jobs are waiting already; try again');
    const job = new Job(task.kind);
    this.jobs.set(job.id, job);
    for (const [id, { over }] of this.jobs) if (this.jobs.size > this.limits.jobs && over) this.jobs.delete(id);
    this.log('info', 'job', { id: job.id, kind: job.kind, state: 'waiting' });
    void job.run(this.pool, task, finish).then(() => {
      const { state, error } = job.view();
      if (error?.code === 'E_INTERNAL') this.log('error', 'bug', { id: job.id, message: String(error.cause) });
      this.log('info', 'job', { id: job.id, kind: job.kind, state });
    });
    return job;
  }

  get(id: string): Job {
    return this.jobs.get(id) ?? refuse('E_NOT_FOUND', `there is no job ${show(id)}`, { job: id });
  }

  list(): Job[] {
    return [...this.jobs.values()];
  }

  /** Runs a task for one request; it is not listed. */
  run(task: Task): Promise<TaskResult> {
    return this.pool.run(task);
  }

  /** Stops all jobs. */
  close(): void {
    for (const job of this.jobs.values()) job.cancel();
  }
}
