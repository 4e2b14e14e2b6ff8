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
  /** Reports progress; a phase begins with its first step. */
  step(phase: string, step: Step): void;
  /** Ends the current phase. */
  end(): void;
}

/** Progress that draws on the line where other output would appear. */
export interface CommandProgress extends Progress {
  /** A stream that clears what is drawn before it writes. */
  over?(sink: Sink): Sink;
}

/**
 * Several passes over the data as one phase: the share is that of all passes, and so is the remaining time. A pass begins when the
 * share decreases.
 */
export function inPasses(progress: Progress, phase: string, passes: number): Progress {
  let [done, last] = [0, 0];
  return {
    step(_, { share = last, ...step }) {
      if (share < last) done++;
      last = share;
      progress.step(phase, { ...step, share: Math.min(0.99, (done + share) / passes) });
    },
    end: () => undefined,
  };
}

/** Part number `part` of work with `parts` equal parts, shown as one phase with the share of the whole. */
export const partOf = (progress: Progress, phase: string, part: number, parts: number): Progress => ({
  step: (_, { share = 0, ...step }) => progress.step(phase, { ...step, share: (part + share) / parts }),
  end: () => undefined,
});

/** No progress. */
export const silent: Progress = { step: () => undefined, end: () => undefined };

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
abstract class Phases implements Progress {
  protected readonly io: Io;
  protected phase = '';
  protected begun = 0;
  protected last: Step = {};
  protected shown = 0;

  constructor(io: Io) {
    this.io = io;
  }

  step(phase: string, step: Step): void {
    const now = performance.now();
    if (phase !== this.phase) {
      if (this.phase !== '') this.end();
      [this.phase, this.begun, this.shown, this.last] = [phase, now, 0, {}];
      this.begin();
    }
    const before = this.last;
    this.last = step;
    this.show(now, before);
  }

  end(): void {
    if (this.phase === '') return;
    this.finish(performance.now() - this.begun);
    this.phase = '';
  }

  protected begin(): void {}
  protected abstract show(now: number, before: Step): void;
  protected abstract finish(spent: number): void;

  /** Remaining time, amount and speed, if known; the least important last, where the line may be cut off. */
  protected facts({ share, rows, bytes: read, what }: Step, spent: number): string {
    const left = share && share < 1 && spent > PATIENCE ? `${duration((spent * (1 - share)) / share)} left` : '';
    const amount = rows === undefined ? '' : `${count(rows)} rows`;
    const speed = rows && spent > PATIENCE ? rate(rows / (spent / 1000), 'rows') : '';
    return [left, what ?? '', amount, speed, read === undefined ? '' : bytes(read)].filter(Boolean).join('  ');
  }
}

const BAR = 20;

/** One line that is redrawn, and cleared when a phase ends. The cursor stays visible. */
class BarProgress extends Phases implements CommandProgress {
  private drawn = false;

  protected show(now: number): void {
    if (now - this.begun < PATIENCE || now - this.shown < REDRAW) return;
    this.shown = now;
    this.draw(this.facts(this.last, now - this.begun));
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

  protected finish(): void {
    this.clear();
  }

  private clear(): void {
    if (this.drawn) this.io.stderr.write('\r\u001b[2K');
    this.drawn = false;
  }

  private draw(facts: string): void {
    const { share } = this.last;
    const full = Math.round((share ?? 0) * BAR);
    const bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
    const line = `${pad(this.phase, 10)}${share === undefined ? '' : `${bar} ${pad(percent(share, 0), 5, 'right')}  `}${facts}`;
    this.io.stderr.write(`\r\u001b[2K${[...line].slice(0, this.io.stderr.columns - 1).join('')}`);
    this.drawn = true;
  }
}

/** A line for every 10 % or every ten seconds, for logs. */
class PlainProgress extends Phases {
  private written: Step | undefined;

  protected show(now: number, before: Step): void {
    if (now - this.begun < PATIENCE) return;
    const tenth = ({ share = 0 }: Step) => Math.floor(share * 10);
    const since = now - Math.max(this.shown, this.begun);
    if (!(tenth(this.last) > tenth(before) && since > REDRAW) && since < PLAIN_EVERY) return;
    this.shown = now;
    this.write(now - this.begun);
  }

  protected finish(spent: number): void {
    if (this.shown > 0 && this.written !== this.last) this.write(spent);
  }

  private write(spent: number): void {
    const { share } = this.last;
    this.written = this.last;
    this.io.stderr.write(
      `${[this.phase, share === undefined ? '' : percent(share, 0), this.facts(this.last, spent)].filter(Boolean).join('  ')}\n`,
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
    this.write(now - this.begun, false);
  }

  protected finish(spent: number): void {
    this.write(spent, true);
  }

  private write(spent: number, done: boolean): void {
    const printed: Prints['progress@1'] = { phase: this.phase, ...this.last, seconds: spent / 1000, done };
    this.io.stderr.write(`${JSON.stringify({ schema: 'polya/progress@1', ...printed })}\n`);
  }
}
