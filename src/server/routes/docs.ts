import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Service } from '../service.ts';
import { content, operation } from '../shapes.ts';
import { docsPage, docsStyle, type OpenApi } from './docs-page.ts';

const tag = 'operation';
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
  const json = { 200: content('The description.', { 'application/json': Type.Unknown() }) };
  app.get('/openapi.json', operation('openapi', tag, 'This description, as OpenAPI 3.1.', { responses: json }), () =>
    app.swagger(),
  );
  const redirect = { 302: { description: 'To /docs.' } };
  app.get('/', operation('start', tag, 'Redirects to the docs page.', { responses: redirect }), (_, reply) =>
    reply.redirect('/docs'),
  );
  const html = { 200: content('The page.', { 'text/html': Type.String() }) };
  app.get(
    '/docs',
    operation('docs', tag, 'The description as a page; it loads nothing from elsewhere.', { responses: html }),
    (_, reply) => {
      page ??= docsPage(app.swagger() as unknown as OpenApi);
      return reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', csp).send(page);
    },
  );
}
