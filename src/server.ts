/**
 * The door `polya/server`: the REST face of Pólya in a program of your own. It needs Node, and `lmdb` where models learn.
 * @module polya/server
 */
export { type CreateServerOptions, createServer, type PolyaServer } from './server/create-server.ts';
export type { Limits } from './server/http/limits.ts';
export type { Facts, Level, Log } from './server/http/log.ts';
export { type Repair, type RepairedModel, repairStore } from './server/store/repair.ts';
