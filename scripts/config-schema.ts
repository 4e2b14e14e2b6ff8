import { type Command, globals, kebab, type OptionDef, type OptionDefs } from '../src/cli/declare.ts';

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of `polya.config.json`, from the declarations of the commands, so editors complete what is accepted.
 */
export function configSchema(commands: readonly Command[]): JsonSchema {
  const shared = new Map<string, JsonSchema[]>();
  const sections: Record<string, JsonSchema> = {};
  for (const { name, summary, options } of commands) {
    const own = settingsOf({ ...options, ...globals });
    if (Object.keys(own).length === 0) continue;
    sections[name] = { type: 'object', description: summary, additionalProperties: false, properties: own };
    for (const [key, schema] of Object.entries(own)) {
      const before = shared.get(key) ?? [];
      if (!before.some((other) => JSON.stringify(other) === JSON.stringify(schema)))
        shared.set(key, [...before, schema]);
    }
  }
  const everywhere = [...shared].map(([key, all]) => [key, all.length === 1 ? all[0] : { anyOf: all }]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:polya:schema:config-file',
    title: 'polya.config.json',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(everywhere), ...sections },
  };
}

/** Every setting under both of its names. */
function settingsOf(options: OptionDefs): Record<string, JsonSchema> {
  const entries = Object.entries(options).filter(([, { setting }]) => setting !== false);
  return Object.fromEntries(
    entries.flatMap(([name, def]) => [...new Set([name, kebab(name)])].map((key) => [key, schemaOf(def)])),
  );
}

function schemaOf({ kind, doc: description, choices, min, max, default: usual }: OptionDef): JsonSchema {
  const common = { description, ...(usual !== undefined && { default: usual }) };
  switch (kind) {
    case 'flag':
      return { type: 'boolean', ...common };
    case 'choice':
      return { enum: choices, ...common };
    case 'list':
      return { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }], ...common };
    case 'text':
      return { type: 'string', ...common };
    default: {
      const bounds = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
      return { type: kind, ...bounds, ...common };
    }
  }
}
