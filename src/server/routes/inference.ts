import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { refuse } from '../../errors.ts';
import { findModel, requireCells, requireFew, scoreSlices } from '../find-model.ts';
import type { Served } from '../model-store.ts';
import type { Service } from '../service.ts';
import { closed, modelParams, operation } from '../shapes.ts';
import { inferAnswer, inferBody, modelMetadata, serverMetadata, versionParams } from './inference-schema.ts';
import { instancesOf, labelType, outputsOf } from './inference-tensors.ts';

const tag = 'inference';
const live = closed({ live: Type.Boolean() });
const ready = closed({ ready: Type.Boolean() });

/** The Open Inference Protocol, version 2: clients of KServe, Triton and Seldon work unchanged. */
export function inferenceRoutes(app: FastifyInstance, service: Service): void {
  app.get('/v2', operation('inferenceServer', tag, 'What the server is.', { answer: serverMetadata }), () => ({
    name: 'polya',
    version: service.version,
    extensions: [],
  }));
  app.get('/v2/health/live', operation('inferenceLive', tag, 'Whether the server lives.', { answer: live }), () => ({
    live: true,
  }));
  app.get(
    '/v2/health/ready',
    operation('inferenceReady', tag, 'Whether models are loaded.', { answer: ready }),
    () => ({
      ready: service.ready(),
    }),
  );
  modelsAt(app, service, '/v2/models/:model', modelParams, '');
  modelsAt(app, service, '/v2/models/:model/versions/:version', versionParams, 'Version');
}

/** What is asked of a model, with or without a version in the address. */
function modelsAt(app: FastifyInstance, service: Service, prefix: string, params: TSchema, suffix: string): void {
  const found = (request: FastifyRequest) => servedAt(service, request);
  const named = closed({ name: Type.String(), ready: Type.Boolean() });
  app.get(
    prefix,
    operation(`inferenceModel${suffix}`, tag, 'What a model takes and gives.', { params, answer: modelMetadata }),
    (request) => metadataOf(found(request)),
  );
  app.get(
    `${prefix}/ready`,
    operation(`inferenceModelReady${suffix}`, tag, 'Whether a model answers.', { params, answer: named }),
    (request) => ({ name: found(request).name, ready: true }),
  );
  const summary = 'Labels and probabilities of the rows of tensors: BYTES for texts, numbers for numbers.';
  app.post(
    `${prefix}/infer`,
    operation(`infer${suffix}`, tag, summary, { params, body: inferBody, answer: inferAnswer }),
    async (request) => infer(service, found(request), request.body as Static<typeof inferBody>),
  );
}

/** The model of an address; a version that is not the one of now is not served. */
function servedAt({ store }: Service, { params }: FastifyRequest): Served {
  const { model: name, version } = params as { model: string; version?: string };
  const served = findModel(store, name);
  if (version !== undefined && Number(version) !== served.version) {
    refuse('E_NOT_FOUND', `version ${version} of ${name} is not served; ${served.version} is`, {
      model: name,
      version,
    });
  }
  return served;
}

function metadataOf({ name, version, model }: Served): object {
  const { columns, classes } = model;
  const types = { text: 'BYTES', number: 'FP64', date: 'BYTES', level: 'BYTES' } as const;
  const alike = columns.every(({ kind }) => kind === 'number');
  return {
    name,
    versions: [String(version)],
    platform: `polya_${model.kind.toLowerCase()}`,
    inputs: alike
      ? [{ name: 'input', datatype: 'FP64', shape: [-1, columns.length] }]
      : columns.map((column) => ({ name: column.name, datatype: types[column.kind], shape: [-1] })),
    outputs: [
      { name: 'label', datatype: labelType(classes), shape: [-1] },
      { name: 'probabilities', datatype: 'FP64', shape: [-1, classes.length] },
    ],
  };
}

async function infer(
  { limits, store, metrics }: Service,
  served: Served,
  given: Static<typeof inferBody>,
): Promise<object> {
  const { name, version, model } = served;
  const instances = instancesOf(model, given.inputs);
  requireFew(instances.length, limits);
  requireCells(instances.length, served, limits);
  const logProba = await scoreSlices(store, served, instances);
  const outputs = outputsOf(model, logProba, given.outputs);
  const { classes } = model;
  for (let i = 0; i < logProba.rows; i++) {
    const row = logProba.row(i);
    metrics.predicted(name, classes, row.indexOf(Math.max(...row)));
  }
  return { model_name: name, model_version: String(version), ...(given.id !== undefined && { id: given.id }), outputs };
}
