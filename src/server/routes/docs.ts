import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Service } from '../service.ts';
import { content, problemAnswer } from '../shapes.ts';
import { docsPage, docsStyle, type OpenApi } from './docs-page.ts';

const about =
  'Classification by counting: predictions, reasons, online learning. Errors are application/problem+json with a stable code.';

/** GET /openapi.json and /docs: what the routes declare, for programs and for people. */
export async function addDocs(app: FastifyInstance, { version }: Service): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Pólya', version, description: about, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{}, { token: [] }],
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
  });
  let page: string | undefined;
  const hash = createHash('sha256').update(docsStyle).digest('base64');
  const csp = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'openapi',
        tags: ['operation'],
        summary: 'This description, as OpenAPI 3.1.',
        response: { 200: content('The description.', { 'application/json': Type.Unknown() }), default: problemAnswer },
      },
    },
    () => app.swagger(),
  );
  app.get(
    '/',
    {
      schema: {
        operationId: 'start',
        tags: ['operation'],
        summary: 'Leads to the description for people.',
        response: { 302: { description: 'To /docs.' }, default: problemAnswer },
      },
    },
    (_, reply) => reply.redirect('/docs'),
  );
  app.get(
    '/docs',
    {
      schema: {
        operationId: 'docs',
        tags: ['operation'],
        summary: 'The description for people; it loads nothing from elsewhere.',
        response: { 200: content('The page.', { 'text/html': Type.String() }), default: problemAnswer },
      },
    },
    (_, reply) => {
      page ??= docsPage(app.swagger() as unknown as OpenApi);
      return reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', csp).send(page);
    },
  );
}
