/**
 * `polya/server`: the server of `polya serve` in your own program. It needs Node.
 * @module polya/server
 */
export { type CreateServerOptions, createServer, type PolyaServer } from './server/create-server.ts';
export type { Limits } from './server/http/limits.ts';
export type { Facts, Level, Log } from './server/http/log.ts';
export type { Trace, TracedRequest } from './server/service.ts';
export { type Repair, type RepairedModel, repairStore } from './server/store/repair.ts';
