#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { cacheCode } from './code-cache.ts';
import { version } from './version.ts';

/** The command `polya`; only this function ends the process. */
async function main(words: readonly string[]): Promise<void> {
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    process.stdout.write(`${version()}\n`); // without loading anything else
    return;
  }
  // Most runs are short, so V8 optimises a function after about four times as many executions as usual (docs/decisions/0027).
  setFlagsFromString('--interrupt-budget=600000');
  cacheCode(import.meta.url);
  const [{ run }, { processIo }] = await Promise.all([import('./run.ts'), import('./io.ts')]);
  const code = await run(words, processIo());
  await new Promise<void>((written) => process.stdout.write('', () => written()));
  process.exit(code);
}

void main(process.argv.slice(2));
