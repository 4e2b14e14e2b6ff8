import type { FastifyInstance } from 'fastify';
import * as Type from 'typebox';
import { refuse } from '../../errors.ts';
import { evaluateRows } from '../../evaluate/evaluation.ts';
import { readExample } from '../model/examples.ts';
import type { Service } from '../service.ts';
import { addRoute, amount, anyObject, closed, head, numberOrNull } from './route.ts';
import { requireRows, scoreInstances } from './rows.ts';

const body = closed({ examples: Type.Array(anyObject('A label and the cells, as for learn.')) });
const bounded = closed({ value: Type.Number(), low: Type.Number(), high: Type.Number() });
const line = closed({
  precision: Type.Number(),
  recall: Type.Number(),
  'f1-score': Type.Number(),
  support: Type.Number(),
});
const answer = closed({
  ...head,
  on: Type.String({ description: 'The rows that were scored.' }),
  rows: amount,
  accuracy: bounded,
  report: Type.Record(Type.String(), Type.Union([line, Type.Number()]), {
    description: 'The keys and numbers of classification_report(output_dict=True) of scikit-learn.',
  }),
  intervals: Type.Record(Type.String(), closed({ precision: bounded, recall: bounded })),
  logLoss: numberOrNull,
  brier: numberOrNull,
  calibrationError: numberOrNull,
  confusion: closed({ labels: Type.Array(Type.String()), matrix: Type.Array(Type.Array(Type.Number())) }),
  unknown: amount,
});
const summary = 'Evaluates the model on labelled rows: the full report, with intervals.';

/** POST /v1/models/{model}/evaluate */
export function evaluateRoute(app: FastifyInstance, { store, limits }: Service): void {
  const operation = { id: 'evaluate', tag: 'models', summary, body, answer };
  addRoute(app, 'POST /v1/models/:model/evaluate', operation, async ({ params, body: { examples } }) => {
    const served = store.find(params.model);
    requireRows(examples.length, limits, served);
    if (examples.length === 0) refuse('E_EMPTY_INPUT', 'there are no examples to evaluate on', { rows: 0 });
    const read = examples.map((example, i) => readExample(served.model, example, i));
    const instances = read.map(({ instance }) => instance);
    const { served: own, logProba } = await scoreInstances(store, served, instances);
    const { name, version, model } = own;
    const truth = read.map((example) => String(example.label));
    const scores = evaluateRows({ classes: model.classes.map(String), truth, logProba }, 'the rows of the request');
    return { model: name, version, ...scores };
  });
}
