import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ruleFor } from '../../evaluate/decide.ts';
import { answerLines } from '../http/lines.ts';
import { problem } from '../http/problem.ts';
import type { Instance } from '../model/instances.ts';
import { decide, type Prediction, type Rules } from '../model/predictions.ts';
import type { ServedModel } from '../model/served-model.ts';
import type { Service } from '../service.ts';
import type { Served } from '../store/records.ts';
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
  description: 'A stream of JSON Lines, one instance each, is answered line by line, in bounded memory.',
  answer: closed({ predictions: Type.Array(closed(prediction)), ...head }),
  line: Type.Union([
    closed({ line: amount, version: amount, ...prediction }),
    closed({ line: Type.Optional(amount), error: problem }),
  ]),
};

/** What a request asks for, apart from its instances. */
type Asked = Partial<Static<typeof body>>;

/** Instances to predict, and the callbacks of the pending request. */
interface Question {
  readonly served: Served;
  readonly asked: Asked;
  readonly instances: readonly Instance[];
  readonly answer: (served: Served, predictions: Prediction[]) => void;
  readonly fail: (error: unknown) => void;
}

/** POST /v1/models/{model}/predict */
export function predictRoute(app: FastifyInstance, service: Service): void {
  const { store, limits } = service;
  const questions = new TurnQueue<Question>((all) => predictTogether(service, all));
  addRoute(app, 'POST /v1/models/:model/predict', operation, (request, reply) => {
    const served = store.find(request.params.model);
    const given = request.body as Static<typeof body> | Readable;
    if ('instances' in given) {
      const instances = given.instances as Instance[];
      requireRows(instances.length, limits, served);
      const answer = ({ name, version }: Served, predictions: Prediction[]) =>
        reply.send(tagged(reply, { predictions, model: name, version }));
      questions.add({ served, asked: given, instances, answer, fail: (error) => reply.send(error) });
      return undefined; // the queue sends the answer; returning the reply would cost a listener for its end
    }
    const asked = askedOf(request.query);
    return answerLines(reply, given, limits, ({ line, value }) => {
      const own = store.find(served.name);
      return new Promise((resolve, reject) => {
        const answer = ({ version }: Served, [found]: Prediction[]) => resolve({ line, version, ...found });
        questions.add({ served: own, asked, instances: [value as Instance], answer, fail: reject });
      });
    });
  });
}

/** What the query of a stream asks for. */
const askedOf = ({ top_k, reject, explain, strict }: Static<typeof query>): Asked => ({
  ...(top_k !== undefined && { top_k: Number(top_k) }),
  ...(reject !== undefined && { reject: Number(reject) }),
  ...(explain !== undefined && { explain: Number(explain) }),
  strict: strict !== 'false',
});

/** Answers what arrived in one turn: all that is about one model, with the same strictness, by one call of the model. */
function predictTogether(service: Service, all: readonly Question[]): void {
  const groups = new Map<ServedModel, [strict: Question[], others: Question[]]>();
  for (const own of all) {
    const { model } = own.served;
    let group = groups.get(model);
    if (!group) groups.set(model, (group = [[], []]));
    group[own.asked.strict === false ? 1 : 0].push(own);
  }
  for (const pair of groups.values()) {
    for (const group of pair) if (group.length > 0) void predictGroup(service, group);
  }
}

/** Answers questions by one call of a model, a slice at a time. If it refuses, each is answered by itself. */
async function predictGroup(service: Service, group: readonly Question[]): Promise<void> {
  const rows = group.length === 1 ? group[0].instances.length : group.reduce((n, own) => n + own.instances.length, 0);
  const [{ served: first }] = group;
  const now = service.store.get(first.name);
  try {
    const found = await inSlices(service.store, now?.model === first.model ? now : first, rows, (served, from, to) =>
      predictRows(service, served, group, from, to),
    );
    let at = 0;
    for (const { instances, answer } of group) answer(found.served, found.results.slice(at, (at += instances.length)));
  } catch (error) {
    if (group.length === 1) group[0].fail(error);
    else for (const own of group) await predictGroup(service, [own]);
  }
}

/** Predictions of the rows of a group from one to another. */
function predictRows(
  { metrics, remembered, sampler }: Service,
  served: Served,
  group: readonly Question[],
  from: number,
  to: number,
): Prediction[] {
  const { name, model } = served;
  const { classes } = model;
  const rows: { readonly instance: Instance; readonly rules: Rules }[] = [];
  let at = 0;
  for (const { asked, instances } of group) {
    const [start, end] = [Math.max(from - at, 0), Math.min(to - at, instances.length)];
    at += instances.length;
    if (start >= end) continue;
    const rules = rulesOf(served, asked);
    for (let i = start; i < end; i++) rows.push({ instance: instances[i], rules });
  }
  const { strict } = group[0].asked;
  const logProba = model.predictLogProba(
    rows.map(({ instance: own }) => own),
    strict,
  );
  return rows.map(({ instance: own, rules }, i) => {
    const { place, prediction: found } = decide(model, rules, logProba, i, own);
    metrics.predicted(name, classes, place);
    sampler.note(served, own, found);
    if (!rules.remember) return found;
    const { label, probability } = found;
    return { id: remembered.add({ model: name, instance: own, label, probability }), ...found };
  });
}

function rulesOf({ model }: Served, asked: Asked): Rules {
  const { top_k: topK, threshold, costs, reject, explain, remember, strict } = asked;
  const decision = threshold || costs ? ruleFor(model.classes, { threshold, costs }) : undefined;
  return { topK, decision, reject, explain, remember, strict };
}
