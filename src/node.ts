/** The door `polya/node`: what needs files and processes. */
export { type FileOptions, openFile } from './node/file.ts';
export { type GunzipOptions, gunzip } from './node/gzip.ts';
