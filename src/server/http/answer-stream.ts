import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { errorLine } from './lines.ts';

/** Sends lines as they are made; what goes wrong on the way is the last line. */
export function sendLines(reply: FastifyReply, lines: AsyncIterable<string>, type: string): FastifyReply {
  const { id } = reply.request;
  async function* guarded(): AsyncGenerator<string> {
    try {
      yield* lines;
    } catch (error) {
      yield errorLine(undefined, error, id);
    }
  }
  return reply
    .header('content-type', type)
    .send(Readable.from(guarded(), { objectMode: false, highWaterMark: 65_536 }));
}
