import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Matrix } from '../../data/matrix.ts';
import { ruleFor } from '../../evaluate/decide.ts';
import { answerLines } from '../http/lines.ts';
import { problem } from '../http/problem.ts';
import type { Instance } from '../model/instances.ts';
import { decide, type Prediction, type Rules } from '../model/predictions.ts';
import type { ServedModel } from '../model/served-model.ts';
import type { Served } from '../model-store.ts';
import type { Service } from '../service.ts';
import { TurnQueue } from '../turn-queue.ts';
import { addRoute, amount, closed, head, instance, label, probability, tagged } from './route.ts';
import { inSlices, requireRows } from './rows.ts';

const body = closed({
  instances: Type.Array(instance),
  top_k: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Return the k most probable classes only.' }),
  ),
  threshold: Type.Optional(
    Type.Record(Type.String(), probability, { description: 'Predict a label only from this probability on.' }),
  ),
  costs: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Number({ minimum: 0 })), {
      description: 'Costs of errors, by the true label and the predicted one; others cost 1. Excludes threshold.',
    }),
  ),
  reject: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Mark predictions below this probability.' }),
  ),
  explain: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Return this many features with the largest weight.' }),
  ),
  remember: Type.Optional(Type.Boolean({ description: 'Give each prediction an id, for feedback.' })),
  strict: Type.Optional(
    Type.Boolean({
      description:
        'Whether an instance with a missing or unknown column, or a cell of another type, is refused. Default: true.',
    }),
  ),
});
const ofStream = { description: 'For streams: as in the body.' };
const query = closed({
  top_k: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', ...ofStream })),
  reject: Type.Optional(Type.String({ pattern: '^(0(\\.[0-9]{1,16})?|1)$', ...ofStream })),
  explain: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$', ...ofStream })),
  strict: Type.Optional(Type.Enum(['true', 'false'], ofStream)),
});

/** What features add to the log-odds of a label against another. */
export const reasons = {
  against: label,
  log_odds: Type.Number(),
  prior: Type.Number({ description: 'What belongs to no feature, mainly the prior.' }),
  contributions: Type.Array(closed({ feature: Type.String(), value: Type.Unknown(), weight: Type.Number() })),
};
const prediction = {
  id: Type.Optional(Type.String({ description: 'For feedback.' })),
  label,
  probability,
  probabilities: Type.Record(Type.String(), probability),
  rejected: Type.Optional(Type.Boolean()),
  ...Type.Partial(Type.Object(reasons)).properties,
};

const operation = {
  id: 'predict',
  tag: 'models',
  body,
  query,
  summary: 'The label of every instance in order, all of one version, with probabilities and, if requested, reasons.',
  description: 'A stream of lines of JSON, one instance each, is answered line by line, in bounded memory.',
  answer: closed({ predictions: Type.Array(closed(prediction)), ...head }),
  line: Type.Union([
    closed({ line: amount, version: amount, ...prediction }),
    closed({ line: Type.Optional(amount), error: problem }),
  ]),
};

/** What a request asks for, apart from its instances. */
type Asked = Partial<Static<typeof body>>;

/** Requests with at most this many instances are answered together with others of the same turn. */
const SMALL = 32;

/** Such a request, and how it is answered. */
interface Small {
  readonly served: Served;
  readonly asked: Asked;
  readonly instances: readonly Instance[];
  readonly reply: FastifyReply;
}

/** POST /v1/models/{model}/predict */
export function predictRoute(app: FastifyInstance, service: Service): void {
  const { store, limits } = service;
  const small = new TurnQueue<Small>((all) => predictTogether(service, all));
  addRoute(app, 'POST /v1/models/:model/predict', operation, (request, reply) => {
    const served = store.find(request.params.model);
    const given = request.body as Static<typeof body> | Readable;
    if (!('instances' in given)) return predictLines(service, served.name, given, request.query, reply);
    const instances = given.instances as Instance[];
    requireRows(instances.length, limits, served);
    if (instances.length > SMALL) return predictMany(service, served, given, instances, reply);
    small.add({ served, asked: given, instances, reply });
    return undefined; // the queue sends the answer; returning the reply would cost a listener for its end
  });
}

function rulesOf({ model }: Served, asked: Asked): Rules {
  const { top_k: topK, threshold, costs, reject, explain, remember, strict } = asked;
  const decision = threshold || costs ? ruleFor(model.classes, { threshold, costs }) : undefined;
  return { topK, decision, reject, explain, remember, strict };
}

/** Predictions of instances, in order, from the rows of `logProba` from `first` on. */
function decideRows(
  { metrics, remembered, sampler }: Service,
  served: Served,
  rules: Rules,
  instances: readonly Instance[],
  logProba: Matrix,
  first = 0,
): Prediction[] {
  const { name, model } = served;
  const { classes } = model;
  return instances.map((own, i) => {
    const { place, prediction } = decide(model, rules, logProba, first + i, own);
    metrics.predicted(name, classes, place);
    sampler.note(served, own, prediction);
    if (!rules.remember) return prediction;
    const { label, probability } = prediction;
    return { id: remembered.add({ model: name, instance: own, label, probability }), ...prediction };
  });
}

function predictRows(service: Service, served: Served, asked: Asked, instances: readonly Instance[]): Prediction[] {
  const logProba = served.model.predictLogProba(instances, asked.strict);
  return decideRows(service, served, rulesOf(served, asked), instances, logProba);
}

/** Answers small requests: those for one model in one call. */
function predictTogether(service: Service, all: readonly Small[]): void {
  const groups = new Map<ServedModel, Small[]>();
  for (const own of all) {
    const served = service.store.get(own.served.name) ?? own.served; // it may have learned since
    if (own.asked.strict === false) {
      answerGroup(service, served, [own]);
      continue;
    }
    const group = groups.get(served.model);
    if (group) group.push(own);
    else groups.set(served.model, [{ ...own, served }]);
  }
  for (const group of groups.values()) answerGroup(service, group[0].served, group);
}

/** Answers requests with one call of a model. If it refuses, each is answered by itself. */
function answerGroup(service: Service, served: Served, group: readonly Small[]): void {
  const { name, version, model } = served;
  let logProba: Matrix;
  try {
    const all = group.length === 1 ? group[0].instances : group.flatMap(({ instances }) => instances);
    logProba = model.predictLogProba(all, group[0].asked.strict);
  } catch (error) {
    if (group.length === 1) group[0].reply.send(error);
    else for (const own of group) answerGroup(service, served, [own]);
    return;
  }
  let first = 0;
  for (const { asked, instances, reply } of group) {
    try {
      const predictions = decideRows(service, served, rulesOf(served, asked), instances, logProba, first);
      reply.send(tagged(reply, { predictions, model: name, version }));
    } catch (error) {
      reply.send(error);
    }
    first += instances.length;
  }
}

/** Answers a large request a slice at a time. */
async function predictMany(
  service: Service,
  found: Served,
  asked: Asked,
  instances: readonly Instance[],
  reply: FastifyReply,
): Promise<object> {
  const { served, results } = await inSlices(service.store, found, instances.length, (own, from, to) =>
    predictRows(service, own, asked, instances.slice(from, to)),
  );
  const { name, version } = served;
  return tagged(reply, { predictions: results, model: name, version });
}

/** Answers a stream line by line. */
function predictLines(
  service: Service,
  name: string,
  source: Readable,
  { top_k, reject, explain, strict }: Static<typeof query>,
  reply: FastifyReply,
): FastifyReply {
  const asked: Asked = {
    ...(top_k !== undefined && { top_k: Number(top_k) }),
    ...(reject !== undefined && { reject: Number(reject) }),
    ...(explain !== undefined && { explain: Number(explain) }),
    strict: strict !== 'false',
  };
  return answerLines(reply, source, service.limits, ({ line, value }) => {
    const served = service.store.find(name);
    const [own] = predictRows(service, served, asked, [value as Instance]);
    return { line, version: served.version, ...own };
  });
}
