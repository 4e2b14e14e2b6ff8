import { sum } from '../math/arrays.ts';
import type { GlobalValues } from './declare.ts';
import type { Io, Sink } from './io.ts';
import { bytes, count, duration, percent, rate } from './numbers.ts';
import { pad } from './terminal.ts';

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

/** Progress that draws on the line where other output would appear. */
export interface CommandProgress extends Progress {
  /** A stream that clears what is drawn before it writes. */
  over?(sink: Sink): Sink;
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
export const silent: CommandProgress = { plan: nothing, step: nothing, end: nothing, close: nothing };

/** No progress is shown before this many milliseconds. */
const PATIENCE = 500;
/** The minimum time between two updates, in milliseconds. */
const REDRAW = 100;
/** The maximum time between two plain lines, in milliseconds. */
const PLAIN_EVERY = 10_000;

/** The progress of a command, by its options. */
export function progressOf(
  io: Io,
  { progress, quiet, json }: Pick<GlobalValues, 'progress' | 'quiet' | 'json'>,
): CommandProgress {
  const { tty } = io.stderr;
  const kind = progress === 'auto' ? (tty && io.env.TERM !== 'dumb' ? 'bar' : json ? 'none' : 'plain') : progress;
  if (quiet || kind === 'none') return silent;
  if (kind === 'bar') return new BarProgress(io);
  return kind === 'json' ? new JsonProgress(io) : new PlainProgress(io);
}

/** Keeps the start of a phase and its last step. */
abstract class Phases implements CommandProgress {
  protected readonly io: Io;
  protected phase = '';
  protected last: Step = {};
  protected shown = 0;
  /** When the command began, when its planned phases began, and when this phase began. */
  private readonly start = performance.now();
  private origin = this.start;
  private begun = 0;
  private phases = new Plan({});

  constructor(io: Io) {
    this.io = io;
  }

  plan(phases: PhaseWeights): void {
    [this.phases, this.origin] = [new Plan(phases), performance.now()];
  }

  step(phase: string, step: Step): void {
    const now = performance.now();
    if (phase !== this.phase) {
      this.end();
      [this.phase, this.begun, this.shown, this.last] = [phase, now, 0, {}];
    }
    const before = this.last;
    this.last = { ...step, share: this.phases.shareOf(phase, step.share) };
    this.show(now, before);
  }

  end(): void {
    if (this.phase !== '') this.finish();
    this.phase = '';
  }

  close(): void {
    this.end();
  }

  /** Milliseconds of this phase. */
  protected get spent(): number {
    return performance.now() - this.begun;
  }

  /** Whether the command is too short so far to show anything. */
  protected isEarly(now: number): boolean {
    return now - this.start < PATIENCE;
  }

  protected abstract show(now: number, before: Step): void;
  protected abstract finish(): void;

  /** Remaining time, amount and speed, if known; the least important last, where the line may be cut off. */
  protected facts({ share, rows, bytes: read, what }: Step): string {
    const { spent } = this;
    const all = this.phases.has(this.phase) ? performance.now() - this.origin : spent;
    const left = share && share < 1 && all > PATIENCE ? `${duration((all * (1 - share)) / share)} left` : '';
    const amount = rows === undefined ? '' : `${count(rows)} rows`;
    const speed = rows && spent > PATIENCE ? rate(rows / (spent / 1000), 'rows') : '';
    return [left, what ?? '', amount, speed, read === undefined ? '' : bytes(read)].filter(Boolean).join('  ');
  }
}

const BAR = 20;

/** One line that is redrawn, and cleared by other output and when the command ends. The cursor stays visible. */
class BarProgress extends Phases implements CommandProgress {
  private drawn = false;

  protected show(now: number): void {
    if (this.isEarly(now) || now - this.shown < REDRAW) return;
    this.shown = now;
    this.draw(this.facts(this.last));
  }

  override close(): void {
    super.close();
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

  /** The line stays until the next phase. */
  protected finish(): void {}

  private clear(): void {
    if (this.drawn) this.io.stderr.write('\r\u001b[2K');
    this.drawn = false;
  }

  private draw(facts: string): void {
    const { share } = this.last;
    const full = Math.round((share ?? 0) * BAR);
    const bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
    const line = `${pad(this.phase, 12)}${share === undefined ? '' : `${bar} ${pad(percent(share, 0), 5, 'right')}  `}${facts}`;
    this.io.stderr.write(`\r\u001b[2K${[...line].slice(0, this.io.stderr.columns - 1).join('')}`);
    this.drawn = true;
  }
}

/** A line for every 10 % or every ten seconds, for logs. */
class PlainProgress extends Phases {
  private written: Step | undefined;

  protected show(now: number, before: Step): void {
    if (this.isEarly(now)) return;
    const tenth = ({ share = 0 }: Step) => Math.floor(share * 10);
    const since = Math.min(now - this.shown, this.spent);
    if (!(tenth(this.last) > tenth(before) && since > REDRAW) && since < PLAIN_EVERY) return;
    this.shown = now;
    this.write();
  }

  protected finish(): void {
    if (this.shown > 0 && this.written !== this.last) this.write();
  }

  private write(): void {
    const { share } = this.last;
    this.written = this.last;
    this.io.stderr.write(
      `${[this.phase, share === undefined ? '' : percent(share, 0), this.facts(this.last)].filter(Boolean).join('  ')}\n`,
    );
  }
}

/** What is printed to stderr with `--progress json`. */
export interface Prints {
  /** A step of long work, on stderr (--progress json). */
  'progress@1': Step & { phase: string; seconds: number; done: boolean };
}

/** A JSON object per step, for programs. */
class JsonProgress extends Phases {
  protected show(now: number): void {
    if (this.shown > 0 && now - this.shown < REDRAW) return;
    this.shown = now;
    this.write(false);
  }

  protected finish(): void {
    this.write(true);
  }

  private write(done: boolean): void {
    const printed: Prints['progress@1'] = { phase: this.phase, ...this.last, seconds: this.spent / 1000, done };
    this.io.stderr.write(`${JSON.stringify({ schema: 'polya/progress@1', ...printed })}\n`);
  }
}
