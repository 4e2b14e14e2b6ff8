import type { News, Racer, Settings } from '../protocol.ts';

/** The models that `auto` compares, reported as they are scored, and when it finishes with the best ones: after a time, or when stopped. */
export class Race {
  private readonly tell: (news: News) => void;
  private readonly end: number;
  private readonly found = new Map<string, Racer>();

  /** Whether the search was stopped by hand. */
  readonly isStopped: () => boolean;

  constructor(tell: (news: News) => void, begun: number, { model, budget }: Settings, isStopped: () => boolean) {
    this.tell = tell;
    this.isStopped = isStopped;
    this.end = model === 'auto' && budget ? begun + 1000 * budget : Infinity;
  }

  get racers(): readonly Racer[] {
    return [...this.found.values()];
  }

  /** Whether to finish with the best models so far. */
  readonly isOver = (): boolean => this.isStopped() || performance.now() >= this.end;

  /** Adds the scores so far of some models. */
  add(scored: readonly (Omit<Racer, 'points'> & Racer['points'][number])[]): void {
    for (const { of, name, ...point } of scored) {
      const key = JSON.stringify([of, name]);
      this.found.set(key, { of, name, points: [...(this.found.get(key)?.points ?? []), point] });
    }
    this.tell({ kind: 'race', race: this.racers });
  }
}
