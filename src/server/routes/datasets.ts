import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { refuse, show } from '../../errors.ts';
import type { Dataset } from '../datasets.ts';
import type { Service } from '../service.ts';
import { amount, closed, NDJSON, operation } from '../shapes.ts';

const dataset = closed({ id: Type.String(), name: Type.String(), bytes: amount });
const profile = closed({
  id: Type.String(),
  name: Type.String(),
  format: Type.String(),
  formatReason: Type.String(),
  encoding: Type.String(),
  compressed: Type.Boolean(),
  columns: Type.Array(Type.String()),
  rows: amount,
  bytes: amount,
  profile: Type.Object(
    {},
    { additionalProperties: true, description: 'Kinds of columns, the target, balance, gaps, copies, warnings.' },
  ),
});
const params = closed({ id: Type.String({ pattern: '^d-[0-9a-f]{18}$' }) });
const query = closed({ target: Type.Optional(Type.String({ maxLength: 1000 })) });
const tag = 'jobs';

/** Data sets to fit from: upload and profile. */
export function datasetRoutes(app: FastifyInstance, { datasets, jobs }: Service): void {
  app.post(
    '/v1/datasets',
    operation('uploadDataset', tag, 'Uploads a table (CSV, JSON Lines, Parquet …) as a form, or as lines of JSON.', {
      consumes: ['multipart/form-data', NDJSON],
      answer: dataset,
      status: 201,
    }),
    async (request, reply) => {
      const own = request.isMultipart() ? await fromForm(request, datasets) : await fromLines(request.body, datasets);
      const { id, name, bytes } = own;
      return reply.status(201).header('location', `/v1/datasets/${id}/profile`).send({ id, name, bytes });
    },
  );
  app.get(
    '/v1/datasets/:id/profile',
    operation('profileDataset', tag, 'Format, kinds of columns, likely target, balance and leaks of a data set.', {
      params,
      querystring: query,
      answer: profile,
    }),
    async (request) => {
      const { id } = request.params as Static<typeof params>;
      const { target } = request.query as Static<typeof query>;
      const { result } = await jobs.ask({ kind: 'profile', data: datasets.get(id), target });
      return { id, ...result };
    },
  );
}

async function fromForm(request: FastifyRequest, datasets: Service['datasets']): Promise<Dataset> {
  let format: string | undefined;
  let found: Dataset | undefined;
  for await (const part of request.parts()) {
    if (part.type === 'file') found = await datasets.add(part.file, part.filename, format);
    else if (part.fieldname === 'format') format = String(part.value);
    else
      refuse('E_BAD_REQUEST', `the form has the unknown field ${show(part.fieldname)}`, {
        pointer: `/${part.fieldname.slice(0, 64)}`,
      });
  }
  return found ?? refuse('E_BAD_REQUEST', 'there is no file in the form');
}

async function fromLines(body: unknown, datasets: Service['datasets']): Promise<Dataset> {
  if (typeof (body as Readable | undefined)?.pipe !== 'function') {
    refuse('E_MEDIA_TYPE', `send a form with a file, or lines of JSON as ${NDJSON}`);
  }
  return datasets.add(body as Readable, 'upload.jsonl', 'jsonl');
}
