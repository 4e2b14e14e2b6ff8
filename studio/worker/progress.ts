import type { News, Phase } from '../protocol.ts';

/** The phases of a training with their approximate share of the time. */
const SPANS: Readonly<Record<Exclude<Phase, 'reading'>, number>> = {
  ...{ learning: 0.8, evaluating: 0.06, again: 0.08, curve: 0.06 },
};
/** The share of the learning phase spent on the search of `auto`; the rest fits the chosen models. */
const SEARCH = 0.75;
/** Milliseconds between reports of the same phase. */
const LEAST_GAP = 50;
/** Milliseconds before the remaining time is estimated. */
const LEAST_ELAPSED = 1_000;

/** The progress of a training as one increasing share, with the remaining time. */
export class Progress {
  private readonly begun = performance.now();
  private readonly tell: (news: News) => void;
  private last = 0;
  private share = 0;
  private phase: Phase | undefined;
  /** Steps reported after the search had ended. */
  private after = 0;

  constructor(tell: (news: News) => void) {
    this.tell = tell;
  }

  /** Reports the progress of a phase. */
  readonly at = (phase: Exclude<Phase, 'reading'>, part: number, what = ''): void => {
    const names = Object.keys(SPANS) as (keyof typeof SPANS)[];
    const before = names.slice(0, names.indexOf(phase)).reduce((sum, name) => sum + SPANS[name], 0);
    if (phase === 'learning' && part >= 1) this.after++;
    const own = phase === 'learning' ? this.learned(part) : part;
    this.share = Math.max(this.share, Math.min(1, before + SPANS[phase] * own));
    const now = performance.now();
    if (this.phase === phase && now - this.last < LEAST_GAP) return;
    this.last = now;
    this.phase = phase;
    const elapsed = now - this.begun;
    const left = elapsed > LEAST_ELAPSED ? (elapsed / 1000) * (1 / this.share - 1) : undefined;
    this.tell({ kind: 'progress', phase, share: this.share, what, ...(left !== undefined && { left }) });
  };

  /** The library reports candidates as shares up to 1, then each later step as 1. */
  private learned(part: number): number {
    return part < 1 ? SEARCH * part : SEARCH + (1 - SEARCH) * (this.after / (this.after + 2));
  }
}
