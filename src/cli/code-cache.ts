import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { cacheFolder } from '../node/cache.ts';

/** Cached code older than this, in milliseconds, is removed. */
const OLD = 30 * 24 * 3600 * 1000;

/** The names of chunks (vite.cli.config.ts) have a hash of the content; other files may change under the same name. */
const HASHED = /-[\w-]{8}\.js$/;

const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'] as const;

type Compiled = (
  exports: unknown,
  require: NodeJS.Require,
  module: NodeJS.Module,
  file: string,
  folder: string,
) => void;

/**
 * Caches the compiled code of the command between runs, which saves a third of the start-up time. Node does that itself from 22.1 on. Before,
 * V8's code cache is stored in the user's cache folder, one file per chunk. The name of a chunk has the hash of its content; V8
 * refuses the code of another version, other flags or a source of another length; and a checksum shows damage. `NODE_DISABLE_COMPILE_CACHE`
 * turns either off.
 * @param own The address of the module that is run; its chunks are in the same folder.
 */
export function cacheCode(own: string): void {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: () => unknown };
  if (enableCompileCache) enableCompileCache();
  else process.once('exit', keepCode(own));
}

/** Loads the chunks next to a module with their cached code; the returned function stores the code of the others. */
export function keepCode(own: string): () => void {
  const chunks = dirname(fileURLToPath(own));
  const require = nodeModule.createRequire(own);
  const usual = require.extensions['.js'];
  if (process.env.NODE_DISABLE_COMPILE_CACHE || usual === undefined) return () => undefined;
  const folder = join(cacheFolder(), 'code', `${process.versions.v8}-${process.arch}`);
  const fresh = new Map<string, Script>();
  require.extensions['.js'] = (module: NodeJS.Module, file: string) => {
    if (dirname(file) !== chunks || !HASHED.test(file)) return usual(module, file);
    const name = join(folder, `${basename(file)}.bin`);
    const cachedData = readCode(name);
    const source = readFileSync(file, 'utf8');
    // a script would need a flag of Node to import packages, so such chunks are never cached
    if (!cachedData && /\bimport\(/.test(source)) return usual(module, file);
    const script = new Script(WRAPPER.join(source), { filename: file, ...(cachedData && { cachedData }) });
    if (!cachedData || script.cachedDataRejected) fresh.set(name, script);
    const run = script.runInThisContext() as Compiled;
    run.call(module.exports, module.exports, nodeModule.createRequire(file), module, file, chunks);
  };
  return () => {
    if (fresh.size === 0) return;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const [name, script] of fresh) writeCode(name, script.createCachedData());
      removeOld(folder);
    } catch {
      // the folder is not writable: the next run compiles again
    }
  };
}

/** Cached code without its checksum; undefined if it is missing or damaged. */
function readCode(name: string): Buffer | undefined {
  try {
    const bytes = readFileSync(name);
    const code = bytes.subarray(0, -4);
    return crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined;
  } catch {
    return undefined;
  }
}

function writeCode(name: string, code: Buffer): void {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(code));
  const draft = `${name}.${process.pid}`;
  writeFileSync(draft, Buffer.concat([code, sum]), { mode: 0o600 });
  renameSync(draft, name);
}

/** Removes old files of this folder, and old folders of other versions. */
function removeOld(folder: string): void {
  for (const place of [folder, dirname(folder)]) {
    for (const name of readdirSync(place)) {
      const path = join(place, name);
      if (path !== folder && statSync(path).mtimeMs < Date.now() - OLD) rmSync(path, { recursive: true });
    }
  }
}
