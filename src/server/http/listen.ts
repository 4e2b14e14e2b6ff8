import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuse } from '../../errors.ts';

const PORTS_TRIED = 20;

/** Listens on a port, or on the next free one. */
export async function listen(server: Server, host: string, port: number, strict: boolean): Promise<number> {
  const last = strict || port === 0 ? port : Math.min(65_535, port + PORTS_TRIED - 1);
  for (let own = port; ; own++) {
    try {
      return await listenOn(server, host, own);
    } catch (cause) {
      const reason = String((cause as NodeJS.ErrnoException).code);
      if (reason === 'EADDRINUSE' && own < last) continue;
      const what = reason === 'EADDRINUSE' ? 'it is taken' : reason;
      refuse('E_IO', `cannot listen on ${host}:${own}: ${what}; choose another with --port`, { reason }, cause);
    }
  }
}

/** Listens on a port of an address, or on a socket, and returns the port. */
export function listenOn(server: Server, host: string, port?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const done = () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    };
    server.once('error', reject);
    if (port === undefined) server.listen(host, done);
    else server.listen(port, host, done);
  });
}
