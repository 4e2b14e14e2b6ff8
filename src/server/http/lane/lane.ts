import type { Socket } from 'node:net';
import type { Answer, Recipient } from './answer-head.ts';
import type { Head } from './head.ts';
import type { Lanes } from './lanes.ts';

const BLANK_LINE = Buffer.from('\r\n\r\n');

/** A request whose body takes more than this is Node's. */
const MOST_BYTES = 64 * 1024;

/** Bytes of answers that a client may leave unread before it is asked nothing more. */
const MOST_UNREAD = 256 * 1024;

/** One connection as long as plain requests come over it; the first other one takes it to Node for good. */
export class Lane implements Recipient {
  private readonly socket: Socket;
  private readonly all: Lanes;
  /** What came and was not answered yet: a request that is not whole, or those behind the one that is worked on. */
  private rest: Buffer | undefined;
  /** Whether a request is worked on. */
  private busy = false;
  /** Whether what came is looked at in this turn. */
  private queued = false;
  /** Answers that are written at the end of this turn, and whether they are plain ASCII, which is written with less ado. */
  private out = '';
  private ascii = true;
  private half = false;
  private counted = false;
  /** Whether nothing has come yet. */
  isNew = true;
  /** When a request began last, in the time of sweeps. */
  since: number;

  constructor(socket: Socket, all: Lanes, now: number) {
    this.socket = socket;
    this.all = all;
    this.since = now;
    socket.on('data', this.read);
    socket.on('end', this.end);
    socket.on('close', this.close);
    socket.on('error', ignore);
    socket.on('drain', this.proceed);
  }

  /** Whether nothing was asked that is not answered. */
  get isIdle(): boolean {
    return !this.busy && this.rest === undefined && this.out === '' && this.socket.writableLength === 0;
  }

  /** Whether a request has begun that is not whole. */
  get isHalf(): boolean {
    return this.half;
  }

  tell(answer: Answer): void {
    this.busy = false;
    this.uncount();
    const bytes = Buffer.byteLength(answer.text);
    if (bytes !== answer.text.length) this.ascii = false;
    if (this.out === '') this.all.writeLater(this);
    this.out += this.all.heads.write(answer, bytes, this.isLast);
    if (this.rest) this.lookLater();
  }

  /** Looks at what came. */
  look(): void {
    this.queued = false;
    const { rest, socket } = this;
    if (rest && !this.busy) this.take(rest);
    if (socket.readableEnded && !this.busy && this.out === '') socket.end();
  }

  /** Writes what is to be told. */
  write(): void {
    const { socket, out } = this;
    if (out === '' || socket.destroyed) return;
    this.out = '';
    socket.write(out, this.ascii ? 'latin1' : 'utf8');
    this.ascii = true;
    if (this.isLast && !this.busy) socket.end();
  }

  /** Gives the connection to Node, with what was not answered yet. */
  handOver(bytes: Buffer | undefined = this.rest): void {
    const { socket } = this;
    this.write();
    this.leave();
    socket.off('data', this.read).off('end', this.end).off('close', this.close).off('error', ignore);
    socket.off('drain', this.proceed);
    this.all.give(socket);
    if (socket.isPaused()) socket.resume();
    if (bytes && bytes.length > 0) socket.emit('data', bytes);
  }

  destroy(): void {
    this.socket.destroy();
  }

  private get isLast(): boolean {
    return this.all.closing || this.socket.readableEnded;
  }

  private readonly read = (piece: Buffer): void => {
    this.isNew = false;
    if (!this.half) this.since = this.all.now;
    this.rest = this.rest ? Buffer.concat([this.rest, piece]) : piece;
    if (this.busy) this.socket.pause();
    else this.lookLater();
  };

  private lookLater(): void {
    if (this.queued) return;
    this.queued = true;
    this.all.lookLater(this);
  }

  /** Answers the requests in some bytes one after the other, as far as they are whole and plain. */
  private take(bytes: Buffer): void {
    this.rest = undefined;
    if (this.socket.isPaused()) this.socket.resume();
    let at = 0;
    while (at < bytes.length) {
      if (this.busy || this.unread > MOST_UNREAD) return void this.keep(bytes.subarray(at));
      const end = bytes.indexOf(BLANK_LINE, at);
      const head = end < 0 ? undefined : this.all.headOf(bytes.toString('latin1', at, end));
      if (!head) return void this.handOver(bytes.subarray(at));
      const from = end + BLANK_LINE.length;
      const to = from + head.length;
      if (to > bytes.length) return void this.wait(bytes.subarray(at), to - at);
      if (this.half) this.whole();
      this.answer(head, bytes.subarray(from, to));
      at = to;
    }
  }

  private answer(head: Head, body: Buffer): void {
    this.busy = true;
    this.all.answer(head, body, this);
    if (this.busy) this.count();
  }

  /** Keeps what cannot be looked at yet, and asks for no more. */
  private keep(bytes: Buffer): void {
    this.rest = bytes;
    this.socket.pause();
  }

  private wait(bytes: Buffer, whole: number): void {
    if (whole > MOST_BYTES) return void this.handOver(bytes);
    this.rest = bytes;
    if (this.half) return;
    this.half = true;
    this.count();
  }

  private whole(): void {
    this.half = false;
    this.uncount();
  }

  /** The request is one that is worked on. */
  private count(): void {
    this.counted = true;
    this.all.pressure.inFlight++;
  }

  private uncount(): void {
    if (!this.counted) return;
    this.counted = false;
    this.all.pressure.inFlight--;
  }

  /** Bytes that the client has not read. */
  private get unread(): number {
    return this.out.length + this.socket.writableLength;
  }

  private readonly proceed = (): void => {
    if (this.rest && !this.half && !this.busy) this.lookLater();
  };

  private readonly end = (): void => {
    if (!this.busy && !this.queued && this.out === '') this.socket.end();
  };

  private readonly close = (): void => this.leave();

  private leave(): void {
    if (this.half) this.whole();
    this.all.forget(this);
  }
}

function ignore(): void {
  // the connection closes itself, and that is all there is to do
}
