export { type GrowingFile, growFile } from '../node/atomic-file.ts';
