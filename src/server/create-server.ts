import { refuse, show } from '../errors.ts';
import type { Limits } from './http/limits.ts';
import type { Log } from './http/log.ts';
import { MemoryStore } from './memory-store.ts';
import type { ModelStore } from './model-store.ts';
import { startServer } from './server.ts';
import type { Trace } from './service.ts';
import { MODEL_NAME } from './shapes.ts';

/** What a server serves, where, and to whom. */
export interface CreateServerOptions {
  /** Models by name: fitted ones, or the bytes of model files. */
  readonly models: Readonly<Record<string, Uint8Array | { toBytes(): Uint8Array }>>;
  /** The folder of a journal: with one, models learn, and what they learn lasts. */
  readonly journal?: string | undefined;
  /** The address that is listened on; 127.0.0.1 unless given. Another one needs a token. */
  readonly host?: string | undefined;
  /** 8787 unless given, or the next free one; 0 takes any. */
  readonly port?: number | undefined;
  /** Whether a port that is taken is refused. */
  readonly strictPort?: boolean | undefined;
  /** Further names by which clients may call the server, as behind a proxy. */
  readonly hosts?: readonly string[] | undefined;
  /** Origins of pages that may call it. */
  readonly origins?: readonly string[] | undefined;
  /** What clients must know, at least 16 characters. */
  readonly token?: string | undefined;
  /** Limits that differ from the usual ones. */
  readonly limits?: Partial<Limits> | undefined;
  /** The share of predictions that are written to the log, without their content, from 0 to 1; none unless given. */
  readonly sample?: number | undefined;
  /** Called for every request, for traces such as those of OpenTelemetry. */
  readonly trace?: Trace | undefined;
  /** Called with every event; nothing is written unless given. */
  readonly log?: Log | undefined;
}

/** A server that listens. */
export interface PolyaServer {
  readonly url: string;
  readonly port: number;
  /** Requests that are worked on. */
  inFlight(): number;
  /** Stops accepting, finishes what is in flight, writes what was learned, and ends. */
  close(): Promise<void>;
}

/** Starts a server in this process: the one of `polya serve`, with its promises and limits. */
export async function createServer(options: CreateServerOptions): Promise<PolyaServer> {
  const { models, journal, log = () => undefined, ...rest } = options;
  const store = await storeOf(models, journal, log);
  try {
    const { url, port, inFlight, close } = await startServer({ ...rest, host: rest.host ?? '127.0.0.1', store, log });
    return { url, port, inFlight, close };
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

async function storeOf(
  models: CreateServerOptions['models'],
  journal: string | undefined,
  log: Log,
): Promise<ModelStore> {
  const files = new Map<string, Uint8Array>();
  for (const [name, model] of Object.entries(models)) {
    if (!new RegExp(MODEL_NAME).test(name)) {
      refuse('E_PARAM', `a model is called ${show(name)}; use small letters, digits, ".", "_" and "-", 64 at most`, {
        parameter: 'models',
      });
    }
    files.set(name, model instanceof Uint8Array ? model : model.toBytes());
  }
  if (journal === undefined) return new MemoryStore(files);
  const { openStore } = await import('./store/index.ts');
  return openStore(journal, files, { onWarning: (text) => log('warn', 'store', { text }) });
}
