import type { Socket } from 'node:net';
import type { Direct } from '../direct.ts';
import type { Guard } from '../guard.ts';
import type { Limits } from '../limits.ts';
import type { Pressure } from '../pressure.ts';
import { AnswerHeads } from './answer-head.ts';
import { type Head, Heads } from './head.ts';
import { Lane } from './lane.ts';

/** What lanes work with. */
export interface LaneOptions {
  readonly limits: Limits;
  readonly pressure: Pressure;
  readonly direct: Direct;
  readonly guard: () => Guard | undefined;
  /** Gives a connection to Node's server. */
  readonly give: (socket: Socket) => void;
}

/** How often connections are looked at, in milliseconds. */
const SWEEP = 250;

/**
 * The connections over which only plain requests have come. Node's server reads every request through three streams and as many
 * events; for one of a few hundred bytes that costs more than its answer. Here a request that came whole, and says nothing unusual, is
 * answered in the turn in which it came, by one write. Everything else is Node's, from the first byte of the request that is not plain.
 */
export class Lanes {
  readonly pressure: Pressure;
  readonly heads: AnswerHeads;
  closing = false;
  /** The time at the latest sweep. */
  now: number = performance.now();
  readonly give: (socket: Socket) => void;
  private readonly options: LaneOptions;
  private readonly known: Heads;
  private readonly lanes = new Set<Lane>();
  private readonly timer: NodeJS.Timeout;
  private toLook: Lane[] = [];
  private toWrite: Lane[] = [];
  private scheduled = false;
  private readonly welcome = new WeakMap<Head, boolean>();

  constructor(options: LaneOptions) {
    const { limits, pressure, give } = options;
    this.options = options;
    this.pressure = pressure;
    this.give = give;
    this.heads = new AnswerHeads(limits.idleTime);
    this.known = new Heads(limits.bodyBytes);
    this.timer = setInterval(() => this.sweep(), SWEEP).unref();
  }

  /** Takes a new connection. */
  take(socket: Socket): void {
    this.lanes.add(new Lane(socket, this, this.now));
  }

  /** Lets a lane look at what came when all that comes in this turn is there. */
  lookLater(lane: Lane): void {
    this.toLook.push(lane);
    this.schedule();
  }

  /** Lets a lane write when all that is asked in this turn is answered. */
  writeLater(lane: Lane): void {
    this.toWrite.push(lane);
    this.schedule();
  }

  forget(lane: Lane): void {
    this.lanes.delete(lane);
  }

  /** The head of a plain request that may be answered; undefined for one that Node is to read, and perhaps to refuse. */
  headOf(text: string): Head | undefined {
    const head = this.closing ? undefined : this.known.read(text);
    return head && this.mayCall(head) ? head : undefined;
  }

  answer(head: Head, body: Buffer, lane: Lane): void {
    const { direct, pressure } = this.options;
    if (pressure.tooMuch) direct.refuseBusy(head, lane);
    else direct.answer(head, body, lane);
  }

  /** Ends what is idle; what is not whole is given to Node, which waits for it as long as it may. */
  close(): void {
    this.closing = true;
    clearInterval(this.timer);
    for (const lane of [...this.lanes]) {
      if (lane.isHalf) lane.handOver();
      else if (lane.isIdle) lane.destroy();
    }
  }

  /** Cuts what is left. */
  destroy(): void {
    for (const lane of [...this.lanes]) lane.destroy();
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(this.turn);
  }

  /**
   * One turn: all that has come is answered, then all answers are written. Reading, answering and writing request by request would
   * empty the caches and wake the client as often; that costs more than a request.
   */
  private readonly turn = (): void => {
    this.scheduled = false;
    const { toLook } = this;
    this.toLook = [];
    for (const lane of toLook) lane.look();
    this.options.direct.finish();
    const { toWrite } = this;
    this.toWrite = [];
    for (const lane of toWrite) lane.write();
  };

  private mayCall(head: Head): boolean {
    const before = this.welcome.get(head);
    if (before !== undefined) return before;
    const guard = this.options.guard();
    const may = guard !== undefined && guard.refusal({ headers: head.headers, url: '' }) === undefined;
    if (guard) this.welcome.set(head, may);
    return may;
  }

  /** Gives those to Node that keep it waiting, and ends those that nobody uses any more. */
  private sweep(): void {
    this.now = performance.now();
    const { idleTime } = this.options.limits;
    for (const lane of [...this.lanes]) {
      const quiet = this.now - lane.since;
      if (lane.isHalf ? quiet > SWEEP : lane.isNew && quiet > 2 * SWEEP) lane.handOver();
      else if (quiet > idleTime && lane.isIdle) lane.destroy();
    }
  }
}
