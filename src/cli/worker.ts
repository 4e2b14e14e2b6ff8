import { parentPort } from 'node:worker_threads';
import type { Io, Sink } from './io.ts';
import { stdinBytes } from './io.ts';
import { run } from './run.ts';
import { type Guard, saveFile } from './save-file.ts';
import type { Message, ThreadStart } from './thread.ts';

const port = parentPort!;
const start = await new Promise<ThreadStart>((told) => port.once('message', told));
const post = (message: Message) => port.postMessage(message);

/** The main thread removes what is half written when it ends this one. */
let writes = 0;
const guard: Guard = (file) => {
  const id = writes++;
  post({ kind: 'writing', id, file });
  return () => post({ kind: 'written', id });
};

const sink = (kind: 'out' | 'err', facts: Pick<Sink, 'tty' | 'columns'>): Sink => ({
  ...facts,
  write: (text) => post({ kind, text }),
});

const io: Io = {
  env: process.env,
  cwd: start.cwd,
  stdin: { tty: start.stdinTty, bytes: stdinBytes },
  stdout: sink('out', start.stdout),
  stderr: sink('err', start.stderr),
  save: (path, bytes) => saveFile(path, bytes, guard),
  guard,
  choosing(work) {
    post({ kind: 'choosing', now: true });
    const done = () => post({ kind: 'choosing', now: false });
    let result: ReturnType<typeof work>;
    try {
      result = work(() => Atomics.load(start.enough, 0) === 1);
    } catch (error) {
      done();
      throw error;
    }
    if (result instanceof Promise) void result.then(done, done);
    else done();
    return result;
  },
  onInterrupt: () => () => undefined, // the main thread ends this one
};

post({ kind: 'done', exit: await run(start.words, io) });
port.close();
