import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import * as Type from 'typebox';
import { refusals } from '../../errors.ts';
import type { Service } from '../service.ts';
import { addRoute, content } from './route.ts';

const tag = 'operation';
const about =
  'Classification by counting: predictions, reasons, online learning. Errors are application/problem+json with a stable code.';

/** GET /, /openapi.json and /docs: what the routes declare, for programs and for people. */
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
  const json = { 200: content('The description.', { 'application/json': Type.Unknown() }) };
  const description = { id: 'openapi', tag, summary: 'This description, as OpenAPI 3.1.', responses: json };
  addRoute(app, 'GET /openapi.json', description, () => app.swagger());
  const redirect = { 302: { description: 'To /docs.' } };
  const start = { id: 'start', tag, summary: 'Redirects to the docs page.', responses: redirect };
  addRoute(app, 'GET /', start, (_, reply) => reply.redirect('/docs'));
  const html = { 200: content('The page.', { 'text/html': Type.String() }) };
  const docs = { id: 'docs', tag, summary: 'The description as a page without external resources.', responses: html };
  const hash = createHash('sha256').update(style).digest('base64');
  const csp = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  let page: string | undefined;
  addRoute(app, 'GET /docs', docs, (_, reply) => {
    page ??= pageOf(app.swagger() as object as OpenApi);
    return reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', csp).send(page);
  });
}

type Contents = Readonly<Record<string, { readonly schema: unknown }>>;

/** The part of an OpenAPI description that the page shows. */
interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Contents }>>;
}

/** The style of the page; it follows the color scheme of the system. */
const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{margin-top:2.5rem}code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{overflow:auto;padding:.75rem;border:1px solid #8886;border-radius:.4rem}
details{border:1px solid #8886;border-radius:.4rem;padding:.5rem .75rem;margin:.5rem 0}summary{cursor:pointer}b.verb{display:inline-block;min-width:4.5rem}
table{border-collapse:collapse}th,td{text-align:left;padding:.15rem .75rem .15rem 0;vertical-align:top}:target{outline:2px solid currentColor;outline-offset:2px}`;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const text = (value: unknown): string => String(value).replace(/[&<>"']/g, (sign) => escapes[sign]);
const bodyPart = (type: string, schema: unknown): string =>
  `<p><code>${text(type)}</code></p><pre tabindex="0"><code>${text(JSON.stringify(schema, null, 2))}</code></pre>`;
const bodyParts = (contents: Contents = {}): string =>
  Object.entries(contents)
    .map(([type, { schema }]) => bodyPart(type, schema))
    .join('');

/** The page: every route with its parameters and schemas, then every error code. */
function pageOf({ info, paths }: OpenApi): string {
  const byTag = new Map<string, string>();
  for (const [path, verbs] of Object.entries(paths)) {
    for (const [verb, operation] of Object.entries(verbs)) {
      const [own] = operation.tags;
      if (verb !== 'head') byTag.set(own, (byTag.get(own) ?? '') + operationPart(path, verb, operation));
    }
  }
  const parts = Array.from(byTag, ([own, part]) => `<h2 id="${text(own)}">${text(own)}</h2>${part}`);
  const codes = Object.entries(refusals).map(
    ([code, title]) => `<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${text(title)}</td></tr>`,
  );
  const title = `${text(info.title)} ${text(info.version)}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main><h1>${title}</h1><p>${text(info.description)} The same for programs: <a href="/openapi.json">/openapi.json</a>.</p>${parts.join('')}<h2 id="codes">Error codes</h2><table>${codes.join('')}</table></main></body></html>`;
}

function operationPart(path: string, verb: string, operation: Operation): string {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const rows = parameters.map(
    (own) =>
      `<tr><th scope="row"><code>${text(own.name)}</code></th><td>${text(own.in)}${own.required ? '' : ', optional'}</td><td>${text(own.description ?? '')}</td></tr>`,
  );
  const answers = Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(([status, own]) => `<p>${text(status)}: ${text(own.description ?? '')}</p>${bodyParts(own.content)}`);
  return `<details id="${text(operationId)}"><summary><b class="verb">${text(verb.toUpperCase())}</b> <code>${text(path)}</code> ${text(summary)}</summary><p>${text(description)}</p><table>${rows.join('')}</table>${requestBody ? `<p>Body</p>${bodyParts(requestBody.content)}` : ''}${answers.join('')}</details>`;
}
