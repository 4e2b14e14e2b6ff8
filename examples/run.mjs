// Runs one of the example programs: node examples/run.mjs quick-start
import { existsSync, readdirSync } from 'node:fs';
import { register } from 'tsx/esm/api';

const [name = ''] = process.argv.slice(2);
const file = new URL(`./${name}.ts`, import.meta.url);
if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(new URL('.', import.meta.url)).filter((entry) => entry.endsWith('.ts'));
  console.error(`there is no example "${name}"; there are ${names.map((entry) => entry.slice(0, -3)).join(', ')}`);
  process.exit(2);
}
register();
await import(file.href);
