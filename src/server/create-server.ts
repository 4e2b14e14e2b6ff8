import { refuse, show } from '../errors.ts';
import { MemoryStore } from './memory-store.ts';
import { MODEL_NAME } from './routes/route.ts';
import { type PolyaServer, startServer } from './server.ts';
import type { ListenOptions } from './service.ts';

/** What a server serves, where, and to whom. */
export interface CreateServerOptions extends ListenOptions {
  /** Models by name: fitted ones, or the bytes of model files. */
  readonly models: Readonly<Record<string, Uint8Array | { toBytes(): Uint8Array }>>;
  /** The folder of a journal. With one, models learn, and what they learn is on stable storage. Default: none. */
  readonly journal?: string | undefined;
}

/** Starts a server in this process: the one of `polya serve`, with its promises and limits. */
export async function createServer(options: CreateServerOptions): Promise<PolyaServer> {
  const { models, journal, ...rest } = options;
  const files = new Map<string, Uint8Array>();
  for (const [name, model] of Object.entries(models)) {
    if (!MODEL_NAME.test(name)) {
      const sentence = `a model is called ${show(name)}; use at most 64 lower-case letters, digits, ".", "_" and "-"`;
      refuse('E_PARAM', sentence, { parameter: 'models' });
    }
    files.set(name, model instanceof Uint8Array ? model : model.toBytes());
  }
  const { openStore } = await import('./store/index.ts');
  const onWarning = (text: string) => rest.log?.('warn', 'store', { text });
  const store = journal === undefined ? new MemoryStore(files) : await openStore(journal, files, { onWarning });
  try {
    const { url, port, inFlight, close } = await startServer({ ...rest, store });
    return { url, port, inFlight, close };
  } catch (cause) {
    await store.close();
    throw cause;
  }
}
