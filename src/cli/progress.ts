import { sum } from '../math/arrays.ts';
import type { GlobalValues } from './declare.ts';
import type { Io, Sink } from './io.ts';
import { bytes, count, duration, percent, rate } from './numbers.ts';
import { pad } from './terminal.ts';

/** A clock in milliseconds; Node's `performance` takes five of them to load. */
function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return 1e3 * seconds + nanoseconds / 1e6;
}

/** The progress of a phase. */
export interface Step {
  /** From 0 to 1; undefined if unknown. */
  readonly share?: number | undefined;
  readonly rows?: number | undefined;
  readonly bytes?: number | undefined;
  /** The current step. */
  readonly what?: string | undefined;
}

/** Progress of long work, on stderr. */
export interface Progress {
  /**
   * Sets the phases of the command and how long each takes, relative to the others: the share and the remaining time are then those
   * of the whole command.
   */
  plan(phases: PhaseWeights): void;
  /** Reports progress; a phase begins with its first step. */
  step(phase: string, step: Step): void;
  /** Ends the current phase. */
  end(): void;
}

/** The progress of a whole command. */
export interface CommandProgress extends Progress {
  /** A stream that clears a drawn line before it writes. */
  over(sink: Sink): Sink;
  /** Ends the command. */
  close(): void;
}

/** Phases and how long each takes, relative to the others. */
export type PhaseWeights = Readonly<Record<string, number>>;

/** The share of all phases that is done; it never decreases. Phases without a weight are on their own. */
class Plan {
  private readonly phases: PhaseWeights;
  private reached = 0;

  constructor(phases: PhaseWeights) {
    this.phases = phases;
  }

  has(phase: string): boolean {
    return Object.hasOwn(this.phases, phase);
  }

  shareOf(phase: string, share: number | undefined): number | undefined {
    if (!this.has(phase) || share === undefined) return share;
    const weights = Object.values(this.phases);
    const place = Object.keys(this.phases).indexOf(phase);
    this.reached = Math.max(this.reached, (sum(weights, 0, place) + share * weights[place]) / sum(weights));
    return this.reached;
  }
}

/** Part number `part` of work with `parts` equal parts, which may have phases, shown as one phase with the share of the whole. */
export function partOf(
  progress: Progress,
  phase: string,
  part: number,
  parts: number,
  phases: PhaseWeights = {},
): Progress {
  const plan = new Plan(phases);
  return {
    plan: nothing,
    step: (own, { share, ...step }) =>
      progress.step(phase, { ...step, share: (part + (plan.shareOf(own, share) ?? 0)) / parts }),
    end: nothing,
  };
}

const nothing = () => undefined;
/** No progress. */
export const silent: CommandProgress = {
  ...{ plan: nothing, step: nothing, end: nothing, close: nothing },
  over: (sink) => sink,
};

/** No progress is shown before this many milliseconds. */
const PATIENCE = 500;
/** The minimum time between two updates, in milliseconds. */
const REDRAW = 100;
/** The maximum time between two plain lines, in milliseconds. */
const PLAIN_EVERY = 10_000;
/** The columns of a full bar. */
const BAR = 20;
/** Clears the line. */
const CLEAR = '\r\u001b[2K';

/** The progress of a command, by its options. */
export function progressOf(
  io: Io,
  { progress, quiet, json }: Pick<GlobalValues, 'progress' | 'quiet' | 'json'>,
): CommandProgress {
  const { tty } = io.stderr;
  const form = progress === 'auto' ? (tty && io.env.TERM !== 'dumb' ? 'bar' : json ? 'none' : 'plain') : progress;
  return quiet || form === 'none' ? silent : new ShownProgress(io, form);
}

/** What is printed to stderr with `--progress json`. */
export interface Prints {
  /** A step of long work, on stderr (--progress json). */
  'progress@1': Step & { phase: string; seconds: number; done: boolean };
}

/**
 * Progress as one line that is redrawn (the cursor stays visible), as a plain line for every 10 % or every ten seconds, for logs, or as a
 * JSON object per step, for programs.
 */
class ShownProgress implements CommandProgress {
  private readonly io: Io;
  private readonly form: 'bar' | 'plain' | 'json';
  private phase = '';
  private last: Step = {};
  /** What was shown last, and when: 0 if nothing of this phase was. */
  private written: Step | undefined;
  private shown = 0;
  private drawn = false;
  /** When the command began, when its planned phases began, and when this phase began. */
  private readonly start = now();
  private origin = this.start;
  private begun = 0;
  private phases = new Plan({});

  constructor(io: Io, form: 'bar' | 'plain' | 'json') {
    this.io = io;
    this.form = form;
  }

  plan(phases: PhaseWeights): void {
    [this.phases, this.origin] = [new Plan(phases), now()];
  }

  step(phase: string, step: Step): void {
    const time = now();
    if (phase !== this.phase) {
      this.end();
      [this.phase, this.begun, this.shown, this.last] = [phase, time, 0, {}];
    }
    const before = this.last;
    this.last = { ...step, share: this.phases.shareOf(phase, step.share) };
    if (!this.isDue(time, before)) return;
    this.shown = time;
    this.show(false);
  }

  /** A drawn line stays until the next phase. */
  end(): void {
    const isOver = this.form === 'json' || (this.form === 'plain' && this.shown > 0 && this.written !== this.last);
    if (this.phase !== '' && isOver) this.show(true);
    this.phase = '';
  }

  close(): void {
    this.end();
    this.clear();
  }

  over(sink: Sink): Sink {
    return {
      ...sink,
      write: (text) => {
        this.clear();
        return sink.write(text);
      },
    };
  }

  private clear(): void {
    if (this.drawn) this.io.stderr.write(CLEAR);
    this.drawn = false;
  }

  private isDue(now: number, before: Step): boolean {
    const since = now - this.shown;
    if (this.form === 'json') return since >= REDRAW;
    if (now - this.start < PATIENCE) return false;
    if (this.form === 'bar') return since >= REDRAW;
    const tenth = ({ share = 0 }: Step) => Math.floor(share * 10);
    const quiet = Math.min(since, now - this.begun);
    return quiet >= PLAIN_EVERY || (quiet > REDRAW && tenth(this.last) > tenth(before));
  }

  private show(done: boolean): void {
    const { form, phase, last } = this;
    const spent = now() - this.begun;
    this.written = last;
    this.drawn = form === 'bar';
    if (form === 'json') {
      const printed: Prints['progress@1'] = { phase, ...last, seconds: spent / 1000, done };
      this.io.stderr.write(`${JSON.stringify({ schema: 'polya/progress@1', ...printed })}\n`);
      return;
    }
    const { share } = last;
    const part = share === undefined ? '' : percent(share, 0);
    if (form === 'plain') {
      this.io.stderr.write(`${[phase, part, this.facts(spent)].filter(Boolean).join('  ')}\n`);
      return;
    }
    const full = Math.round((share ?? 0) * BAR);
    const bar = part && `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${pad(part, 5, 'right')}  `;
    const line = `${pad(phase, 12)}${bar}${this.facts(spent)}`;
    this.io.stderr.write(`${CLEAR}${[...line].slice(0, this.io.stderr.columns - 1).join('')}`);
  }

  /** Remaining time, amount and speed, if known; the least important last, where the line may be cut off. */
  private facts(spent: number): string {
    const { share, rows, bytes: read, what } = this.last;
    const all = this.phases.has(this.phase) ? now() - this.origin : spent;
    const left = share && share < 1 && all > PATIENCE ? `${duration((all * (1 - share)) / share)} left` : '';
    const amount = rows === undefined ? '' : `${count(rows)} rows`;
    const speed = rows && spent > PATIENCE ? rate(rows / (spent / 1000), 'rows') : '';
    return [left, what ?? '', amount, speed, read === undefined ? '' : bytes(read)].filter(Boolean).join('  ');
  }
}
