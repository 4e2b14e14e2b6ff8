import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as Type from 'typebox';
import { NDJSON } from '../http/lines.ts';
import type { Service } from '../service.ts';
import { FORM, readForm } from './models.ts';
import { addRoute, amount, anyObject, closed } from './route.ts';

const upload = {
  id: 'uploadDataset',
  tag: 'jobs',
  consumes: [FORM, NDJSON],
  status: 201,
  summary: 'Uploads a table (CSV, JSON Lines, Parquet …) as a form, or as JSON Lines in the body.',
  answer: closed({ id: Type.String(), name: Type.String(), bytes: amount }),
};
const profile = {
  id: 'profileDataset',
  tag: 'jobs',
  summary: 'Format, kinds of columns, likely target, balance and leaks of a data set.',
  params: { id: Type.String({ pattern: '^d-[0-9a-f]{18}$' }) },
  query: closed({ target: Type.Optional(Type.String({ maxLength: 1000 })) }),
  answer: closed({
    id: Type.String(),
    name: Type.String(),
    format: Type.String(),
    formatReason: Type.String(),
    encoding: Type.String(),
    compressed: Type.Boolean(),
    columns: Type.Array(Type.String()),
    rows: amount,
    bytes: amount,
    profile: anyObject('Kinds of columns, the target, balance, gaps, copies, warnings.'),
  }),
};

/** Data sets to fit models on: upload and profile. */
export function datasetRoutes(app: FastifyInstance, { datasets, jobs }: Service): void {
  addRoute(app, 'POST /v1/datasets', upload, async (request, reply) => {
    const { id, name, bytes } = request.isMultipart()
      ? await readForm(request, ['format'], (part, { format }) => datasets.add(part.file, part.filename, format))
      : await datasets.add(request.body as Readable, 'upload.jsonl', 'jsonl');
    return reply.status(201).header('location', `/v1/datasets/${id}/profile`).send({ id, name, bytes });
  });
  addRoute(app, 'GET /v1/datasets/:id/profile', profile, async ({ params: { id }, query: { target } }) => {
    const { result } = await jobs.run({ kind: 'profile', data: datasets.get(id), target });
    return { id, ...result };
  });
}
