import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { findModel } from '../find-model.ts';
import { sendLines } from '../http/answer-stream.ts';
import { errorLine, type Line, readLines } from '../http/lines.ts';
import { rawBody } from '../http/parsers.ts';
import type { Service } from '../service.ts';
import { modelParams, NDJSON, problemAnswer } from '../shapes.ts';
import { doneBy, learnAll, learnOne, optionsFor, requireKey, type Verb } from './learn-answer.ts';
import { answerOf, type LearnBody, learnBody, learnHeaders, lineOf } from './learn-schema.ts';

/** POST /v1/models/{model}/learn and /unlearn */
export function learnRoutes(app: FastifyInstance, service: Service): void {
  for (const verb of ['learn', 'unlearn'] as const) {
    app.post(
      `/v1/models/:model/${verb}`,
      {
        schema: {
          operationId: verb,
          tags: ['learning'],
          summary:
            verb === 'learn'
              ? 'Learns examples; answered when they are on stable storage.'
              : 'Takes examples away: what remains is the model that never saw them.',
          description: 'A stream of lines of JSON, one example each, is learned and answered line by line.',
          params: modelParams,
          headers: learnHeaders,
          body: { content: { 'application/json': { schema: learnBody }, [NDJSON]: { schema: Type.Unknown() } } },
          response: {
            200: {
              description: 'What was done, and the version that knows it.',
              content: {
                'application/json': { schema: answerOf(doneBy[verb]) },
                [NDJSON]: { schema: lineOf(doneBy[verb]) },
              },
            },
            default: problemAnswer,
          },
        },
      },
      (request, reply) => handle(service, verb, request, reply),
    );
  }
}

async function handle(
  service: Service,
  verb: Verb,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { model: name } = request.params as Static<typeof modelParams>;
  const key = request.headers['idempotency-key'] as string | undefined;
  const given = request.body as LearnBody | Readable;
  if (!('examples' in given)) {
    findModel(service.store, name);
    requireKey(key);
    return sendLines(reply, learnLines(service, verb, request, name, given, key), NDJSON);
  }
  const wishes = { verb, name, id: request.id, key, ifMatch: request.headers['if-match'] };
  const answer = await learnAll(service, wishes, given, rawBody(request));
  return reply.header('etag', `"${answer.version}"`).send(answer);
}

/** Lines are learned as they come, many at once, and answered in their order. */
async function* learnLines(
  service: Service,
  verb: Verb,
  request: FastifyRequest,
  name: string,
  source: Readable,
  key: string | undefined,
): AsyncGenerator<string> {
  const answer = async (own: Line): Promise<string> => {
    try {
      if ('error' in own) throw own.error;
      const done = await learnOne(service, verb, name, own.value, own.line - 1, optionsFor(key, own.line, own.bytes));
      const { version, rows, repeated } = done;
      return `${JSON.stringify({ line: own.line, version, [doneBy[verb]]: rows, ...(repeated && { repeated }) })}\n`;
    } catch (error) {
      return errorLine(own.line, error, request.id);
    }
  };
  for await (const lines of readLines(source, service.limits)) yield (await Promise.all(lines.map(answer))).join('');
}
