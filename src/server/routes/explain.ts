import type { FastifyInstance } from 'fastify';
import * as Type from 'typebox';
import type { Label } from '../../data/labels.ts';
import { PolyaError } from '../../errors.ts';
import { whatIf } from '../../estimators/what-if.ts';
import { argmax } from '../../math/arrays.ts';
import type { Instance } from '../model/instances.ts';
import { classIndex, reasonsOf } from '../model/predictions.ts';
import type { ServedModel } from '../model/served-model.ts';
import type { Service } from '../service.ts';
import { reasons } from './predict.ts';
import { addRoute, closed, head, instance, label, probability, tagged } from './route.ts';

const body = closed({
  instance,
  label: Type.Optional(label),
  against: Type.Optional(label),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});
const answer = closed({
  ...head,
  label,
  probability,
  ...reasons,
  counterfactual: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    description: 'The smallest set of words or cells whose removal changes the label; null if unknown.',
    properties: { instead: label, without: Type.Array(Type.Unknown()) },
  }),
});
const summary = 'Why an instance gets its label: what each word or cell adds, and what would change the label.';

/** POST /v1/models/{model}/explain */
export function explainRoute(app: FastifyInstance, { store }: Service): void {
  const operation = { id: 'explain', tag: 'models', summary, body, answer };
  addRoute(app, 'POST /v1/models/:model/explain', operation, ({ params, body: given }, reply) => {
    const { name, version, model } = store.find(params.model);
    const own = given.instance as Instance;
    const { data } = model.predictLogProba([own]);
    const chosen = classIndex(model.classes, given.label) ?? argmax(data);
    const against = classIndex(model.classes, given.against);
    return tagged(reply, {
      model: name,
      version,
      label: model.classes[chosen],
      probability: Math.min(1, Math.exp(data[chosen])),
      ...reasonsOf(model, model.explain(own), chosen, against, given.limit ?? 10),
      counterfactual: counterfactual(model, own),
    });
  });
}

/** The fewest features to remove for another label, if the model can find them. */
function counterfactual(model: ServedModel, own: Instance): { instead: Label; without: unknown[] } | null {
  const insider = model.insider();
  const rows = insider?.input(own);
  if (!insider || rows === undefined) return null;
  try {
    const [found] = whatIf(insider.fitted, rows as never);
    return found ? { instead: found.instead, without: [...found.without] } : null;
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_CONFLICT') return null; // its score is no sum over features
    throw error;
  }
}
