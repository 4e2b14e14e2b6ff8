import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { cacheFolder } from '../node/cache.ts';

/** Code of other versions is removed when it has not been replaced for this long, in milliseconds. */
const OLD = 30 * 24 * 3600 * 1000;

/** The names of chunks, as vite.cli.config.ts gives them: the content of other files may change under one name. */
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
 * Keeps the compiled code of the command between runs, which saves a third of the start-up time. Node does that itself from 22.1 on. Before,
 * V8's code cache is kept here, in the user's cache folder, one file per chunk. The name of a chunk has the hash of its content; V8
 * refuses the code of another version, other flags or a source of another length; and a checksum shows damage. `NODE_DISABLE_COMPILE_CACHE`
 * turns either off.
 * @param own The address of the module that is run; its chunks are in the same folder.
 */
export function cacheCode(own: string): void {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: () => unknown };
  if (enableCompileCache) enableCompileCache();
  else process.once('exit', keepCode(own));
}

/** Loads the chunks beside a module with the code that was kept, and returns what keeps that of the others. */
export function keepCode(own: string): () => void {
  const chunks = dirname(fileURLToPath(own));
  const require = nodeModule.createRequire(own);
  const usual = require.extensions['.js'];
  if (process.env.NODE_DISABLE_COMPILE_CACHE || usual === undefined) return () => undefined;
  const folder = join(cacheFolder(), 'code', `${process.versions.v8}-${process.arch}`);
  const fresh = new Map<string, Script>();
  require.extensions['.js'] = (module: NodeJS.Module, file: string) => {
    if (dirname(file) !== chunks || !HASHED.test(file)) return usual(module, file);
    const source = readFileSync(file, 'utf8');
    if (/\bimport\(/.test(source)) return usual(module, file); // a script would need a flag of Node to import packages
    const name = join(folder, `${basename(file)}.bin`);
    const cachedData = readCode(name);
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
      // a folder that cannot be written to: the next run compiles again
    }
  };
}

/** Compiled code without the checksum behind it; undefined where there is none or it is damaged. */
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

/** Removes files of this folder and folders beside it that belong to versions which are no longer used. */
function removeOld(folder: string): void {
  for (const place of [folder, dirname(folder)]) {
    for (const name of readdirSync(place)) {
      const path = join(place, name);
      if (path !== folder && statSync(path).mtimeMs < Date.now() - OLD) rmSync(path, { recursive: true });
    }
  }
}
