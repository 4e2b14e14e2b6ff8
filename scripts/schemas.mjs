// Writes the JSON Schemas in the package: of every output of --json, and of polya.config.json.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'tsx/esm/api';
import { fileOf, printedSchemas } from './printed-types.mjs';

register();
const { configSchema } = await import('./config-schema.ts');
const { allCommands } = await import('../src/cli/registry.ts');

const folder = new URL('../schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (name.endsWith('.schema.json')) rmSync(new URL(name, folder));
const put = (name, schema) => writeFileSync(new URL(name, folder), `${JSON.stringify(schema, null, 2)}\n`);
const draft = 'https://json-schema.org/draft/2020-12/schema';
for (const [name, schema] of Object.entries(printedSchemas())) put(fileOf(name), { $schema: draft, ...schema });
put('config.schema.json', configSchema(await allCommands()));
spawnSync('npx', ['biome', 'format', '--write', 'schemas'], { stdio: 'ignore', shell: process.platform === 'win32' });
