// Writes the JSON Schemas that the package ships: of every output of --json, and of polya.config.json.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'tsx/esm/api';

register();
const { outputs } = await import('../src/cli/schemas/index.ts');
const { fileOf } = await import('../src/cli/schemas/shapes.ts');
const { configSchema } = await import('../src/cli/config-schema.ts');
const { commands } = await import('../src/cli/registry.ts');

const folder = new URL('../schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (name.endsWith('.schema.json')) rmSync(new URL(name, folder));
const put = (name, schema) => writeFileSync(new URL(name, folder), `${JSON.stringify(schema, null, 2)}\n`);
const draft = 'https://json-schema.org/draft/2020-12/schema';
for (const [name, schema] of Object.entries(outputs)) put(fileOf(name), { $schema: draft, ...schema });
put('config.schema.json', configSchema(commands));
spawnSync('npx', ['biome', 'format', '--write', 'schemas'], { stdio: 'ignore', shell: process.platform === 'win32' });
