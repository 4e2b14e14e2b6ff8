import { refusals } from '../../errors.ts';

/** The part of an OpenAPI description that the page shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description?: string; readonly content?: Readonly<Record<string, { readonly schema: unknown }>> }
    >
  >;
}

/** The look of the page: it follows the scheme of the system. */
export const docsStyle = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:2rem auto;padding:0 1rem}
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
const json = (value: unknown): string => `<pre tabindex="0"><code>${text(JSON.stringify(value, null, 2))}</code></pre>`;

/** The page: every route with its parameters and schemas, then every code of an error. No script, nothing from elsewhere. */
export function docsPage({ info, paths }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([verb]) => verb !== 'head')
      .map(([verb, operation]) => ({ path, verb, operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? ''))];
  const parts = tags.map((tag) => {
    const own = operations.filter(({ operation }) => (operation.tags?.[0] ?? '') === tag);
    return `<h2 id="${text(tag)}">${text(tag)}</h2>${own.map(operationPart).join('')}`;
  });
  const codes = Object.entries(refusals).map(
    ([code, title]) => `<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${text(title)}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text(info.title)} ${text(info.version)}</title><link rel="icon" href="data:,"><style>${docsStyle}</style></head><body><main><h1>${text(info.title)} ${text(info.version)}</h1><p>${text(info.description)} The same for programs: <a href="/openapi.json">/openapi.json</a>.</p>${parts.join('')}<h2 id="codes">Codes of errors</h2><table>${codes.join('')}</table></main></body></html>`;
}

function operationPart({ path, verb, operation }: { path: string; verb: string; operation: Operation }): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const rows = parameters.map(
    (own) =>
      `<tr><th scope="row"><code>${text(own.name)}</code></th><td>${text(own.in)}${own.required ? '' : ', optional'}</td><td>${text(own.description ?? '')}</td></tr>`,
  );
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<p>Body, <code>${text(type)}</code></p>${json(schema)}`,
  );
  const answers = Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .flatMap(([status, { description: says = '', content = {} }]) => [
      `<p>${text(status)}: ${text(says)}</p>`,
      ...Object.entries(content).map(([type, { schema }]) => `<p><code>${text(type)}</code></p>${json(schema)}`),
    ]);
  return `<details id="${text(operationId)}"><summary><b class="verb">${text(verb.toUpperCase())}</b> <code>${text(path)}</code> ${text(summary)}</summary>${description ? `<p>${text(description)}</p>` : ''}${rows.length > 0 ? `<table>${rows.join('')}</table>` : ''}${bodies.join('')}${answers.join('')}</details>`;
}
