// Runs the sessions of docs/cli-sessions.md with the built command, and writes their output.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

register();
const { replay } = await import('../test/cli/sessions.ts');
const page = new URL('../docs/cli-sessions.md', import.meta.url);
const cli = process.argv[2] ? resolve(process.argv[2]) : fileURLToPath(new URL('../dist/cli/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'polya-sessions-'));
writeFileSync(page, replay(readFileSync(page, 'utf8'), cli, folder));
rmSync(folder, { recursive: true });
