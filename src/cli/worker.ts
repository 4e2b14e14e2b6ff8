import { parentPort } from 'node:worker_threads';
import { offerThreads } from '../engines/workers.ts';
import { type ErrorCode, type ErrorDetails, PolyaError } from '../errors.ts';
import { useKernels } from '../text/use-kernels.ts';
import type { Io, Sink } from './io.ts';
import { stdinBytes } from './process-io.ts';
import { run } from './run.ts';
import type { Message, Saved, ThreadStart } from './thread.ts';

const port = parentPort!;
const start = await new Promise<ThreadStart>((told) => port.once('message', told));
const post = (message: Message, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

const waiting = new Map<number, (saved: Saved) => void>();
port.on('message', (saved: Saved) => {
  waiting.get(saved.id)?.(saved);
  waiting.delete(saved.id);
});

/** Asks the main thread to write a file, which can still be stopped there. */
function save(path: string, bytes: Uint8Array, given = false): Promise<void> {
  const id = waiting.size;
  const copy = given && bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
  return new Promise((resolve, reject) => {
    waiting.set(id, ({ error }) => {
      if (error === undefined) resolve();
      else reject(new PolyaError(error.code as ErrorCode, error.message, error.details as ErrorDetails));
    });
    post({ kind: 'save', id, path, bytes: copy }, [copy.buffer as ArrayBuffer]);
  });
}

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
  save,
  onInterrupt: () => () => undefined, // the main thread ends this one
};

useKernels(); // what is done here is much
for (const [name, ports] of Object.entries(start.ready)) offerThreads(name, ports);
post({ kind: 'done', exit: await run(start.words, io) });
port.close();
