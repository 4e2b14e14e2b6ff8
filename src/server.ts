/**
 * The entry point `polya/server`: runs the server of `polya serve` in your own program. Needs Node.
 * @module polya/server
 */
export { type CreateServerOptions, createServer } from './server/create-server.ts';
export type { Boundaries } from './server/http/guard.ts';
export { defaultLimits, type Limits } from './server/http/limits.ts';
export type { Facts, Level, Log } from './server/http/log.ts';
export type { PolyaServer } from './server/server.ts';
export type { ListenOptions, Trace, TracedRequest } from './server/service.ts';
export { type Repair, type RepairedModel, repairStore } from './server/store/repair.ts';
