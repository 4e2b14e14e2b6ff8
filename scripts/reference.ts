// Writes docs/errors.md and docs/options.md from the declarations of the source: npm run reference
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage } from './reference-errors.ts';
import { optionsPage } from './reference-options.ts';

const docs = join(import.meta.dirname, '..', 'docs');
writeFileSync(join(docs, 'errors.md'), errorsPage());
writeFileSync(join(docs, 'options.md'), optionsPage());
