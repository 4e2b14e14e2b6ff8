import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { ruleFor } from '../../evaluate/decide.ts';
import { findModel, requireCells, requireFew } from '../find-model.ts';
import { sendLines } from '../http/answer-stream.ts';
import { answerLine, readLines } from '../http/lines.ts';
import { endOfTurn, inSlices } from '../http/slices.ts';
import type { Instance } from '../model/instances.ts';
import { decide, type Prediction, type Rules } from '../model/predictions.ts';
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
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { model: name } = request.params as Static<typeof modelParams>;
      const served = findModel(service.store, name);
      const given = request.body as PredictBody | Readable;
      if (!('instances' in given)) return stream(service, request, reply, name, given);
      await endOfTurn();
      const answer = await predictAll(service, served, given);
      reply.header('etag', `"${answer.version}"`);
      return answer;
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

/** Predictions of instances, in order. */
function predictRows(
  { metrics }: Service,
  { name, model }: Served,
  rules: Rules,
  instances: readonly Instance[],
): Prediction[] {
  const { classes } = model;
  const logProba = model.predictLogProba(instances, rules.strict);
  return instances.map((instance, i) => {
    const { place, prediction } = decide(model, rules, logProba, i, instance);
    metrics.predicted(name, classes, place);
    return prediction;
  });
}

/** Answers a JSON request a slice at a time. If the model learns in between, the new version answers everything at once. */
async function predictAll(service: Service, served: Served, given: PredictBody) {
  const instances = given.instances as Instance[];
  const { name } = served;
  const current = () => service.store.get(name);
  requireFew(instances.length, service.limits);
  requireCells(instances.length, served, service.limits);
  const rules = rulesOf(served, given);
  const predictions: Prediction[] = [];
  let changed = false;
  await inSlices(instances.length, (from, to) => {
    changed ||= changedSince(served, current());
    if (!changed) predictions.push(...predictRows(service, served, rules, instances.slice(from, to)));
  });
  if (!changed) return { predictions, model: name, version: served.version };
  const now = current() ?? served;
  return { predictions: predictRows(service, now, rulesOf(now, given), instances), model: name, version: now.version };
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
  const asked = {
    top_k: number(top_k),
    reject: number(reject),
    explain: number(explain),
    strict: strict !== 'false',
  } as Asked;
  const one = (line: number, value: unknown): object => {
    const served = findModel(service.store, name);
    const [prediction] = predictRows(service, served, rulesOf(served, asked), [value as Instance]);
    return { line, version: served.version, ...prediction };
  };
  async function* lines(): AsyncGenerator<string> {
    for await (const some of readLines(source, service.limits)) {
      yield some.map((own) => answerLine(own, request.id, one)).join('');
    }
  }
  return sendLines(reply, lines(), NDJSON);
}
