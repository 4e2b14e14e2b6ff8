import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Service } from '../service.ts';
import { amount, closed, label, modelParams, operation } from '../shapes.ts';
import { learnOne, optionsFor } from './learn-answer.ts';

const body = closed({
  id: Type.String({ maxLength: 64, description: 'The id of a prediction that was asked for with "remember".' }),
  label: Type.Unsafe<string | number | boolean>({ ...label, description: 'The true label.' }),
});
const answer = closed({
  model: Type.String(),
  version: amount,
  predicted: label,
  correct: Type.Boolean(),
  repeated: Type.Optional(Type.Boolean({ description: 'This was learned before: nothing was done again.' })),
});

/** POST /v1/models/{model}/feedback */
export function feedbackRoute(app: FastifyInstance, service: Service): void {
  const summary = 'Learns the true label of a remembered prediction, once; answered when it is on stable storage.';
  app.post(
    '/v1/models/:model/feedback',
    operation('feedback', 'learning', summary, { params: modelParams, body, answer }),
    async (request: FastifyRequest, reply) => {
      const { model: name } = request.params as Static<typeof modelParams>;
      const given = request.body as Static<typeof body>;
      const { instance, label: predicted } = service.remembered.get(name, given.id);
      const key = optionsFor(`feedback ${given.id}`, 0, Buffer.from(JSON.stringify(given.label)));
      const done = await learnOne(service, 'learn', name, { instance, label: given.label }, 0, key);
      const { version, repeated } = done;
      const correct = predicted === given.label;
      reply.header('etag', `"${version}"`);
      return { model: name, version, predicted, correct, ...(repeated && { repeated }) };
    },
  );
}
