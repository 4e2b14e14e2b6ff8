// Writes the generated parts of docs/cli.md: the commands with their options, and the error codes with their exit
// codes.
import { readFileSync, writeFileSync } from 'node:fs';
import { register } from 'tsx/esm/api';

register();
const { withReference } = await import('./cli-reference.ts');
const page = new URL('../docs/cli.md', import.meta.url);
writeFileSync(page, await withReference(readFileSync(page, 'utf8')));
