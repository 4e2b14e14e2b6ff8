import type { FastifyInstance } from 'fastify';
import type { Static, TProperties } from 'typebox';
import * as Type from 'typebox';
import type { Label } from '../../data/labels.ts';
import type { Matrix } from '../../data/matrix.ts';
import { refuse, show } from '../../errors.ts';
import { argmax } from '../../math/arrays.ts';
import type { Instance } from '../model/instances.ts';
import type { ServedModel } from '../model/served-model.ts';
import type { Service } from '../service.ts';
import type { Served } from '../store/records.ts';
import { addRoute, closed, type RouteRequest } from './route.ts';
import { requireRows, scoreInstances } from './rows.ts';

const datatypes = 'BOOL UINT8 UINT16 UINT32 UINT64 INT8 INT16 INT32 INT64 FP16 FP32 FP64 BYTES'.split(' ');
const parameters = Type.Optional(Type.Object({}, { additionalProperties: true }));
const shape = Type.Array(Type.Integer({ minimum: 0, maximum: 10_000_000 }), { minItems: 1, maxItems: 8 });
const tensor = closed({
  name: Type.String({ maxLength: 1000 }),
  shape,
  datatype: Type.Enum(datatypes),
  parameters,
  data: Type.Array(Type.Unknown(), { description: 'Flat in the order of rows, or nested.' }),
});
const body = closed({
  id: Type.Optional(Type.String({ maxLength: 256 })),
  parameters,
  inputs: Type.Array(tensor, { minItems: 1, maxItems: 10_000 }),
  outputs: Type.Optional(Type.Array(closed({ name: Type.String({ maxLength: 1000 }), parameters }), { maxItems: 16 })),
});
const answer = closed({
  model_name: Type.String(),
  model_version: Type.String(),
  id: Type.Optional(Type.String()),
  outputs: Type.Array(
    closed({
      name: Type.String(),
      shape: Type.Array(Type.Integer({ minimum: 0 })),
      datatype: Type.String(),
      data: Type.Array(Type.Unknown()),
    }),
  ),
});
const port = closed({
  name: Type.String(),
  datatype: Type.String(),
  shape: Type.Array(Type.Integer({ minimum: -1 })),
});
const metadata = closed({
  name: Type.String(),
  versions: Type.Array(Type.String()),
  platform: Type.String(),
  inputs: Type.Array(port),
  outputs: Type.Array(port),
});
const server = closed({ name: Type.String(), version: Type.String(), extensions: Type.Array(Type.String()) });
const tag = 'inference';

/** The Open Inference Protocol, version 2: clients of KServe, Triton and Seldon work unchanged. */
export function inferenceRoutes(app: FastifyInstance, service: Service): void {
  const { version } = service;
  const about = { id: 'inferenceServer', tag, summary: 'The server.', answer: server };
  addRoute(app, 'GET /v2', about, () => ({ name: 'polya', version, extensions: [] }));
  const live = { id: 'inferenceLive', tag, summary: 'Whether the server is alive.' };
  const liveAnswer = closed({ live: Type.Boolean() });
  addRoute(app, 'GET /v2/health/live', { ...live, answer: liveAnswer }, () => ({ live: true }));
  const ready = { id: 'inferenceReady', tag, summary: 'Whether models are loaded.' };
  const readyAnswer = closed({ ready: Type.Boolean() });
  addRoute(app, 'GET /v2/health/ready', { ...ready, answer: readyAnswer }, () => ({ ready: service.ready }));
  modelRoutesAt(app, service, '/v2/models/:model', {}, '');
  const params = { version: Type.String({ pattern: '^[0-9]{1,15}$' }) };
  modelRoutesAt(app, service, '/v2/models/:model/versions/:version', params, 'Version');
}

/** The routes of a model, with or without a version in the address. Only the present version is served. */
function modelRoutesAt(
  app: FastifyInstance,
  service: Service,
  prefix: `/${string}`,
  params: TProperties,
  suffix: string,
): void {
  const find = ({ params: { model, version } }: Pick<RouteRequest, 'params'>): Served => {
    const served = service.store.find(model);
    if (version === undefined || Number(version) === served.version) return served;
    const sentence = `version ${version} of ${model} is not served; ${served.version} is`;
    return refuse('E_NOT_FOUND', sentence, { model, version });
  };
  const get = { id: `inferenceModel${suffix}`, tag, summary: 'The inputs and outputs of a model.', params };
  addRoute(app, `GET ${prefix}`, { ...get, answer: metadata }, (request) => metadataOf(find(request)));
  const ready = { id: `inferenceModelReady${suffix}`, tag, summary: 'Whether a model answers.', params };
  const named = closed({ name: Type.String(), ready: Type.Boolean() });
  addRoute(app, `GET ${prefix}/ready`, { ...ready, answer: named }, (request) => ({
    name: find(request).name,
    ready: true,
  }));
  const infer = {
    id: `infer${suffix}`,
    tag,
    params,
    body,
    answer,
    summary: 'Labels and probabilities of the rows of tensors: BYTES for texts, numbers for numbers.',
  };
  addRoute(app, `POST ${prefix}/infer`, infer, async (request) => {
    const { store, limits, metrics } = service;
    const served = find(request);
    const { id, inputs, outputs } = request.body;
    const instances = instancesOf(served.model, inputs);
    requireRows(instances.length, limits, served);
    const { served: own, logProba } = await scoreInstances(store, served, instances);
    const { name, version, model } = own;
    for (let i = 0; i < logProba.rows; i++) metrics.predicted(name, model.classes, argmax(logProba.row(i)));
    return {
      model_name: name,
      model_version: String(version),
      ...(id !== undefined && { id }),
      outputs: outputsOf(model, logProba, outputs),
    };
  });
}

function metadataOf({ name, version, model }: Served): object {
  const { columns, classes } = model;
  const types = { text: 'BYTES', number: 'FP64', date: 'BYTES', level: 'BYTES' } as const;
  const isNumeric = columns.every(({ kind }) => kind === 'number');
  return {
    name,
    versions: [String(version)],
    platform: `polya_${model.kind.toLowerCase()}`,
    inputs: isNumeric
      ? [{ name: 'input', datatype: 'FP64', shape: [-1, columns.length] }]
      : columns.map((column) => ({ name: column.name, datatype: types[column.kind], shape: [-1] })),
    outputs: [
      { name: 'label', datatype: labelType(classes), shape: [-1] },
      { name: 'probabilities', datatype: 'FP64', shape: [-1, classes.length] },
    ],
  };
}

type Tensor = Static<typeof tensor>;

const bad = (pointer: string, sentence: string): never => refuse('E_BAD_REQUEST', sentence, { pointer });

/** The instances of tensors: one tensor with all columns, or one for each column. */
function instancesOf({ columns }: ServedModel, inputs: readonly Tensor[]): Instance[] {
  const rows = inputs[0].shape[0];
  for (const [k, { name, shape: own }] of inputs.entries()) {
    if (own[0] !== rows)
      bad(`/inputs/${k}/shape`, `${show(name)} has ${own[0]} rows, ${show(inputs[0].name)} has ${rows}`);
  }
  const cells = inputs.map(cellsOf);
  if (inputs.length === 1 && (columns.length !== 1 || columns[0].kind === 'text')) {
    const width = widthOf(inputs[0]);
    if (columns.length === 1) {
      if (width !== 1) bad('/inputs/0/shape', `the model takes one text per row, the tensor has ${width}`);
      return cells[0] as string[];
    }
    if (width === columns.length || !columns.some(({ name }) => name === inputs[0].name)) {
      return Array.from({ length: rows }, (_, i) => cells[0].slice(i * width, (i + 1) * width));
    }
  }
  for (const [k, own] of inputs.entries()) {
    if (widthOf(own) !== 1)
      bad(`/inputs/${k}/shape`, `${show(own.name)} is one column; its shape is [rows] or [rows, 1]`);
  }
  return Array.from({ length: rows }, (_, i) => {
    const row: Record<string, unknown> = Object.create(null);
    for (const [k, { name }] of inputs.entries()) row[name] = cells[k][i];
    return row;
  });
}

const widthOf = ({ shape: own }: Tensor): number => own.slice(1).reduce((product, n) => product * n, 1);

/** The cells of a tensor in the order of rows, as many as its shape says and of its data type. */
function cellsOf({ name, shape: own, datatype, data }: Tensor, k: number): unknown[] {
  const cells = data.some(Array.isArray) ? (data.flat(8) as unknown[]) : data;
  const count = own.reduce((product, n) => product * n, 1);
  if (cells.length !== count) {
    bad(`/inputs/${k}/data`, `${show(name)} has ${cells.length} cells, its shape [${own.join(', ')}] says ${count}`);
  }
  const expected = datatype === 'BYTES' ? 'string' : datatype === 'BOOL' ? 'boolean' : 'number';
  const isWhole = expected === 'number' && !datatype.startsWith('FP');
  const wrong = cells.findIndex((cell) => typeof cell !== expected || (isWhole && !Number.isInteger(cell)));
  if (wrong >= 0)
    bad(`/inputs/${k}/data`, `cell ${wrong} of ${show(name)} is ${show(cells[wrong])}, which is no ${datatype}`);
  return cells;
}

function labelType([first]: readonly Label[]): 'BYTES' | 'INT64' | 'BOOL' {
  return typeof first === 'number' ? 'INT64' : typeof first === 'boolean' ? 'BOOL' : 'BYTES';
}

const outputNames = ['label', 'probabilities'];

/** The outputs that were requested; both unless given. */
function outputsOf(
  { classes }: ServedModel,
  logProba: Matrix,
  asked: readonly { readonly name: string }[] = [],
): object[] {
  const { rows, cols, data } = logProba;
  const wanted = asked.length > 0 ? asked.map(({ name }) => name) : outputNames;
  return wanted.map((name, k) => {
    if (name === 'label') {
      const labels = Array.from({ length: rows }, (_, i) => classes[argmax(logProba.row(i))]);
      return { name, shape: [rows], datatype: labelType(classes), data: labels };
    }
    if (name === 'probabilities') {
      const probabilities = Array.from(data, (log) => Math.min(1, Math.exp(log)));
      return { name, shape: [rows, cols], datatype: 'FP64', data: probabilities };
    }
    return bad(`/outputs/${k}/name`, `there is no output ${show(name)}; there are ${outputNames.join(' and ')}`);
  });
}
