import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { ruleFor } from '../../evaluate/decide.ts';
import { findModel, requireFew } from '../find-model.ts';
import { sendLines } from '../http/answer-stream.ts';
import { errorLine, readLines } from '../http/lines.ts';
import { inSlices, isShort } from '../http/slices.ts';
import type { Instance } from '../model/instances.ts';
import { PredictionWriter, type Rules } from '../model/predictions.ts';
import type { Served } from '../model-store.ts';
import type { Service } from '../service.ts';
import { modelParams, NDJSON, problemAnswer } from '../shapes.ts';
import { type PredictBody, predictAnswer, predictBody, predictLine, predictQuery } from './predict-schema.ts';

type Asked = Partial<PredictBody>;

/** POST /v1/models/{model}/predict */
export function predictRoute(app: FastifyInstance, service: Service): void {
  app.post(
    '/v1/models/:model/predict',
    {
      schema: {
        operationId: 'predict',
        tags: ['models'],
        summary: 'The label of every instance, with probabilities and, if asked, reasons.',
        description: 'A stream of lines of JSON, one instance each, is answered line by line, in bounded memory.',
        params: modelParams,
        querystring: predictQuery,
        body: { content: { 'application/json': { schema: predictBody }, [NDJSON]: { schema: Type.Unknown() } } },
        response: {
          200: {
            description: 'Predictions in the order of the instances, all of one version.',
            content: { 'application/json': { schema: predictAnswer }, [NDJSON]: { schema: predictLine } },
          },
          default: problemAnswer,
        },
      },
    },
    (request: FastifyRequest, reply: FastifyReply) => {
      const { model: name } = request.params as Static<typeof modelParams>;
      const served = findModel(service.store, name);
      const given = request.body as PredictBody | Readable;
      if (!('instances' in given)) return stream(service, request, reply, name, given);
      return predictAll(service, served, given).then(({ text, of }) =>
        reply.header('content-type', 'application/json; charset=utf-8').header('etag', `"${of.version}"`).send(text),
      );
    },
  );
}

const rulesOf = ({ model }: Served, { top_k, threshold, costs, reject, explain, strict }: Asked): Rules => ({
  topK: top_k,
  decision: threshold || costs ? ruleFor(model.classes, { threshold, costs }) : undefined,
  reject,
  explain,
  strict,
});

function writerOf({ metrics }: Service, served: Served, given: Asked): PredictionWriter {
  const { name, model } = served;
  const { classes } = model;
  return new PredictionWriter(model, rulesOf(served, given), (place) => metrics.predicted(name, classes, place));
}

/** An answer in JSON, and the version that it is of. */
interface Answered {
  readonly text: string;
  readonly of: Served;
}

/** Answers a request in JSON: at once where that is short, with pauses otherwise. */
export async function predictAll(service: Service, served: Served, given: PredictBody): Promise<Answered> {
  if (isShort(given.instances.length)) return { text: predictShort(service, served, given), of: served };
  return sliced(service, served, given);
}

/** Answers a request at once. */
export function predictShort(service: Service, served: Served, given: PredictBody): string {
  const { name, version } = served;
  return `{"predictions":[${whole(service, served, given)}],"model":"${name}","version":${version}}`;
}

/** Answers requests that ask about one text each. */
export function predictEach(service: Service, served: Served, texts: readonly string[]): string[] {
  const writer = writerOf(service, served, {});
  const logProba = served.model.predictLogProba(texts);
  const end = `],"model":"${served.name}","version":${served.version}}`;
  return texts.map((text, i) => `{"predictions":[${writer.write(logProba, i, text)}${end}`);
}

/** All predictions, without a pause. */
function whole(service: Service, served: Served, given: PredictBody): string {
  const instances = given.instances as Instance[];
  requireFew(instances.length, service.limits);
  const writer = writerOf(service, served, given);
  const logProba = served.model.predictLogProba(instances, given.strict);
  let text = '';
  for (let i = 0; i < instances.length; i++) text += `${i > 0 ? ',' : ''}${writer.write(logProba, i, instances[i])}`;
  return text;
}

/** The same with pauses; if the model learns in one of them, all is said again by the new version, and without a pause. */
async function sliced(service: Service, served: Served, given: PredictBody): Promise<Answered> {
  const instances = given.instances as Instance[];
  requireFew(instances.length, service.limits);
  const writer = writerOf(service, served, given);
  const current = () => service.store.get(served.name);
  const parts: string[] = [];
  let changed = false;
  await inSlices(instances.length, (from, to) => {
    if (changed || (changed = changedSince(served, current()))) return;
    const some = instances.slice(from, to);
    const logProba = served.model.predictLogProba(some, given.strict);
    some.forEach((own, i) => {
      parts.push(writer.write(logProba, i, own));
    });
  });
  const now = changed ? (current() ?? served) : served;
  if (changed) return { text: predictShort(service, now, given), of: now };
  return { text: `{"predictions":[${parts.join(',')}],"model":"${now.name}","version":${now.version}}`, of: now };
}

/** Whether the very model has learned since; one that was swapped still answers as it did. */
const changedSince = (served: Served, now: Served | undefined): boolean =>
  now !== undefined && now.model === served.model && now.version !== served.version;

/** Lines in, lines out. */
function stream(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  source: Readable,
): FastifyReply {
  const { top_k, reject, explain, strict } = request.query as Static<typeof predictQuery>;
  const number = (word: string | undefined) => (word === undefined ? undefined : Number(word));
  const rules = {
    top_k: number(top_k),
    reject: number(reject),
    explain: number(explain),
    strict: strict !== 'false',
  } as Asked;
  async function* lines(): AsyncGenerator<string> {
    for await (const some of readLines(source, service.limits)) {
      let text = '';
      for (const own of some)
        text += 'error' in own ? errorLine(own.line, own.error, request.id) : one(own.line, own.value);
      yield text;
    }
  }
  const one = (number: number, value: unknown): string => {
    try {
      const served = findModel(service.store, name);
      const logProba = served.model.predictLogProba([value as Instance], strict !== 'false');
      const text = writerOf(service, served, rules).write(logProba, 0, value as Instance);
      return `{"line":${number},"version":${served.version},${text.slice(1)}\n`;
    } catch (error) {
      return errorLine(number, error, request.id);
    }
  };
  return sendLines(reply, lines(), NDJSON);
}
