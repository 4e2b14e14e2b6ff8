// Runs one of the example programs or lessons: node examples/run.mjs quick-start
import { existsSync, readdirSync } from 'node:fs';
import { register } from 'tsx/esm/api';

const [name = ''] = process.argv.slice(2);
const places = ['.', './lessons'].map((folder) => new URL(`${folder}/${name}.ts`, import.meta.url));
const file = places.find((place) => existsSync(place));
if (!/^[a-z0-9-]+$/.test(name) || !file) {
  const names = ['.', './lessons']
    .flatMap((folder) => readdirSync(new URL(`${folder}/`, import.meta.url)))
    .filter((entry) => entry.endsWith('.ts'));
  console.error(`there is no example "${name}"; there are ${names.map((entry) => entry.slice(0, -3)).join(', ')}`);
  process.exit(2);
}
register();
await import(file.href);
