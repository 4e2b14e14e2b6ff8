#!/usr/bin/env node
import { version } from './version.ts';

/** The command `polya`: signals, broken pipes, and the one place that ends the process. */
async function main(words: readonly string[]): Promise<void> {
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    process.stdout.write(`${version()}\n`); // without loading anything else
    return;
  }
  const [{ EXIT }, { processIo }, { inThread }] = await Promise.all([
    import('./problem.ts'),
    import('./process-io.ts'),
    import('./thread.ts'),
  ]);
  const io = processIo();
  const end = (code: number) => {
    const stop = io.takeStop();
    if (stop) return void stop().then((own) => process.exit(own));
    io.interrupt();
    process.exit(code);
  };
  process.on('SIGINT', () => {
    const { early } = io;
    io.early = undefined;
    if (early) early();
    else end(EXIT.interrupted);
  });
  process.on('SIGTERM', () => end(EXIT.terminated));
  process.on('SIGHUP', () => end(129));
  let heavy = false;
  // Whoever reads has had enough: nothing went wrong. Heavy work has a file to write, so it goes on without a listener.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') end(EXIT.io);
    else if (!heavy) end(EXIT.done);
  });
  process.stderr.on('error', () => undefined);
  const asThread = (own: readonly string[]) => {
    heavy = true;
    return inThread(own, io);
  };
  const code = await (await import('./run.ts')).run(words, io, asThread);
  await new Promise<void>((written) => process.stdout.write('', () => written()));
  process.exit(code);
}

await main(process.argv.slice(2));
