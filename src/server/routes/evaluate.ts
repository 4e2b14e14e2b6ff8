import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { refuse } from '../../errors.ts';
import { findModel, requireCells, requireFew, scoreSlices } from '../find-model.ts';
import { judge } from '../insight/judge.ts';
import { judgementEntries } from '../insight/judgement-schema.ts';
import { readExample } from '../model/examples.ts';
import type { Service } from '../service.ts';
import { amount, closed, modelParams, operation } from '../shapes.ts';

const body = closed({
  examples: Type.Array(
    Type.Object({}, { additionalProperties: true, description: 'A label and the cells, as for learn.' }),
  ),
});
const answer = closed({
  model: Type.String(),
  version: amount,
  ...judgementEntries,
});

/** POST /v1/models/{model}/evaluate */
export function evaluateRoute(app: FastifyInstance, { store, limits }: Service): void {
  app.post(
    '/v1/models/:model/evaluate',
    operation('evaluate', 'models', 'Evaluates the model on labelled rows: the full report, with intervals.', {
      params: modelParams,
      body,
      answer,
    }),
    async (request) => {
      const { model: name } = request.params as Static<typeof modelParams>;
      const served = findModel(store, name);
      const { version, model } = served;
      const { examples } = request.body as Static<typeof body>;
      requireFew(examples.length, limits);
      requireCells(examples.length, served, limits);
      if (examples.length === 0) refuse('E_EMPTY_INPUT', 'there are no examples to judge by', { rows: 0 });
      const read = examples.map((example, i) => readExample(model, example, i));
      const classes = model.classes.map(String);
      const instances = read.map(({ instance }) => instance);
      const logProba = await scoreSlices(store, served, instances);
      const truth = read.map(({ label }) => String(label));
      return { model: name, version, ...judge({ classes, truth, logProba }, 'the rows of the request') };
    },
  );
}
