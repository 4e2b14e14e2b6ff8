import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Label } from '../../data/labels.ts';
import { PolyaError, refuse, show } from '../../errors.ts';
import { whatIf } from '../../estimators/what-if.ts';
import { findModel } from '../find-model.ts';
import type { Instance } from '../model/instances.ts';
import { reasonsOf } from '../model/predictions.ts';
import type { ServedModel } from '../model/served-model.ts';
import type { Service } from '../service.ts';
import { amount, closed, instance, label, modelParams, operation, probability } from '../shapes.ts';
import { reasonEntries } from './predict-schema.ts';

const body = closed({
  instance,
  label: Type.Optional(label),
  against: Type.Optional(label),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});
const answer = closed({
  model: Type.String(),
  version: amount,
  label,
  probability,
  ...reasonEntries,
  counterfactual: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    description: 'The fewest words or cells without which the answer would be another; null where none are known.',
    properties: { instead: label, without: Type.Array(Type.Unknown()) },
  }),
});

/** POST /v1/models/{model}/explain */
export function explainRoute(app: FastifyInstance, { store }: Service): void {
  app.post(
    '/v1/models/:model/explain',
    operation(
      'explain',
      'models',
      'Why one instance gets its label: what each word or cell adds, and what would change the answer.',
      { params: modelParams, body, answer },
    ),
    (request, reply) => {
      const { model: name } = request.params as Static<typeof modelParams>;
      const { version, model } = findModel(store, name);
      const given = request.body as Static<typeof body>;
      const own = given.instance as Instance;
      const { data } = model.predictLogProba([own]);
      const place = (wanted: Label | undefined) => (wanted === undefined ? undefined : placeOf(model, wanted));
      const chosen = place(given.label) ?? data.indexOf(Math.max(...data));
      const reasons = reasonsOf(model, model.explain(own), chosen, place(given.against), given.limit ?? 10);
      return reply.header('etag', `"${version}"`).send({
        model: name,
        version,
        label: model.classes[chosen],
        probability: Math.min(1, Math.exp(data[chosen])),
        ...reasons,
        counterfactual: counterfactual(model, own),
      });
    },
  );
}

function placeOf({ classes }: ServedModel, wanted: Label): number {
  const place = classes.indexOf(wanted);
  if (place < 0) refuse('E_CLASS_UNKNOWN', `there is no class ${show(wanted)}`, { class: wanted });
  return place;
}

/** The fewest features to take away for another answer, where the model can tell. */
function counterfactual(model: ServedModel, own: Instance): { instead: Label; without: unknown[] } | null {
  const insider = model.insider();
  const rows = insider?.input(own);
  if (!insider || rows === undefined) return null;
  try {
    const [told] = whatIf(insider.fitted, rows as never);
    return told ? { instead: told.instead, without: [...told.without] } : null;
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_CONFLICT') return null; // it weighs all cells together
    throw error;
  }
}
