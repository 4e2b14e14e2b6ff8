#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { version } from './version.ts';

const { enableCompileCache } = nodeModule as { enableCompileCache?: () => unknown };

/** The command `polya`: the one place that ends the process. */
async function main(words: readonly string[]): Promise<void> {
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    process.stdout.write(`${version()}\n`); // without loading anything else
    return;
  }
  enableCompileCache?.(); // keeps compiled code between runs, from Node 22.1 on
  const [{ run }, { processIo }] = await Promise.all([import('./run.ts'), import('./io.ts')]);
  const code = await run(words, processIo());
  await new Promise<void>((written) => process.stdout.write('', () => written()));
  process.exit(code);
}

void main(process.argv.slice(2));
