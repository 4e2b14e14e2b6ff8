import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Matrix } from '../../data/matrix.ts';
import { ruleFor } from '../../evaluate/decide.ts';
import { findModel, requireCells, requireFew } from '../find-model.ts';
import { sendLines } from '../http/answer-stream.ts';
import { answerLine, readLines } from '../http/lines.ts';
import { inSlices, TurnQueue } from '../http/slices.ts';
import type { Instance } from '../model/instances.ts';
import { decide, type Prediction, type Rules } from '../model/predictions.ts';
import type { ServedModel } from '../model/served-model.ts';
import type { Served } from '../model-store.ts';
import type { Service } from '../service.ts';
import { modelParams, NDJSON, problemAnswer } from '../shapes.ts';
import { type PredictBody, predictAnswer, predictBody, predictLine, predictQuery } from './predict-schema.ts';

type Asked = Partial<PredictBody>;

/** POST /v1/models/{model}/predict */
export function predictRoute(app: FastifyInstance, service: Service): void {
  const small = new TurnQueue<Small>((all) => predictTogether(service, all));
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
      requireFew(given.instances.length, service.limits);
      requireCells(given.instances.length, served, service.limits);
      const send = (answer: Answer) => void reply.header('etag', `"${answer.version}"`).send(answer);
      const fail = (error: unknown) => void reply.send(error);
      if (given.instances.length <= SMALL) small.add({ served, given, send, fail });
      else predictAll(service, served, given).then(send, fail);
      return reply;
    },
  );
}

const rulesOf = ({ model }: Served, { top_k, threshold, costs, reject, explain, strict, remember }: Asked): Rules => ({
  topK: top_k,
  decision: threshold || costs ? ruleFor(model.classes, { threshold, costs }) : undefined,
  reject,
  explain,
  strict,
  remember,
});

/** Predictions of instances, in order, from the rows of `logProba` from `first` on. */
function decideRows(
  { metrics, remembered, sampler }: Service,
  served: Served,
  rules: Rules,
  instances: readonly Instance[],
  logProba: Matrix,
  first = 0,
): Prediction[] {
  const { name, version, model } = served;
  const { classes } = model;
  return instances.map((instance, i) => {
    const { place, prediction } = decide(model, rules, logProba, first + i, instance);
    metrics.predicted(name, classes, place);
    sampler.note(served, instance, prediction);
    if (!rules.remember) return prediction;
    return { id: remembered.add({ model: name, version, instance, label: prediction.label }), ...prediction };
  });
}

function predictRows(service: Service, served: Served, rules: Rules, instances: readonly Instance[]): Prediction[] {
  return decideRows(service, served, rules, instances, served.model.predictLogProba(instances, rules.strict));
}

/** The answer in JSON. */
interface Answer {
  readonly predictions: readonly Prediction[];
  readonly model: string;
  readonly version: number;
}

/** Requests with at most this many instances are answered together with others of the same turn. */
const SMALL = 32;

/** Such a request, and how it is answered. */
interface Small {
  readonly served: Served;
  readonly given: PredictBody;
  readonly send: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/** Answers small requests: those about one model with one call of it. If that is refused, each is answered by itself. */
function predictTogether(service: Service, all: readonly Small[]): void {
  const groups = new Map<ServedModel, Small[]>();
  for (const own of all) {
    const served = service.store.get(own.served.name) ?? own.served; // it may have learned since
    const group = own.given.strict === false ? undefined : groups.get(served.model);
    if (group) group.push({ ...own, served });
    else if (own.given.strict === false) answerGroup(service, [{ ...own, served }]);
    else groups.set(served.model, [{ ...own, served }]);
  }
  for (const group of groups.values()) answerGroup(service, group);
}

function answerGroup(service: Service, group: readonly Small[]): void {
  const [{ served, given }] = group;
  const { name, version, model } = served;
  let logProba: Matrix;
  try {
    logProba = model.predictLogProba(group.flatMap((own) => own.given.instances) as Instance[], given.strict);
  } catch (error) {
    if (group.length === 1) group[0].fail(error);
    else for (const own of group) answerGroup(service, [own]);
    return;
  }
  let first = 0;
  for (const own of group) {
    const instances = own.given.instances as Instance[];
    try {
      const predictions = decideRows(service, served, rulesOf(served, own.given), instances, logProba, first);
      own.send({ predictions, model: name, version });
    } catch (error) {
      own.fail(error);
    }
    first += instances.length;
  }
}

/** Answers a large request a slice at a time. If the model learns in between, the new version answers everything at once. */
async function predictAll(service: Service, served: Served, given: PredictBody): Promise<Answer> {
  const instances = given.instances as Instance[];
  const { name } = served;
  const current = () => service.store.get(name);
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
