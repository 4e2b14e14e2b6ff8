/**
 * The entry point `polya/client`: a typed client of the REST server, for Node and browsers.
 * @module polya/client
 */
export { PolyaClient } from './client/client.ts';
export type { DatasetClient } from './client/datasets.ts';
export type { JobClient } from './client/jobs.ts';
export type { ModelClient } from './client/model.ts';
export type { CallOptions, ClientOptions } from './client/request.ts';
export type * from './client/types.ts';
export { type ErrorCode, type ErrorDetails, PolyaError } from './errors.ts';
