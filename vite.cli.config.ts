import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** The package that a file of node_modules belongs to. */
function packageOf(file: string): { name: string; version: string; license: string; folder: string } | undefined {
  const path = file.split('?')[0].replace(/^\0/, '');
  if (!path.includes('/node_modules/')) return undefined;
  for (let folder = dirname(path); folder.includes('/node_modules/'); folder = dirname(folder)) {
    try {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (name && version) return { name, version, license: String(license), folder };
    } catch {
      // a folder inside the package
    }
  }
  return undefined;
}

function licenseText(folder: string): string {
  for (const name of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'License', 'LICENCE']) {
    try {
      return readFileSync(join(folder, name), 'utf8').trim();
    } catch {
      // it may have another name
    }
  }
  return 'The package has no licence text of its own.';
}

/** Writes the notices of all packages that are bundled. */
export function notices(what: string): Plugin {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      const found = new Map<string, string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const file of chunk.moduleIds) {
          const own = packageOf(file);
          if (own) found.set(`${own.name} ${own.version} (${own.license})`, licenseText(own.folder));
        }
      }
      const parts = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, text]) => `${title}\n\n${text}\n`);
      const source = `${what} contains these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES', source });
    },
  };
}

/**
 * The bundle is CommonJS, which loads faster and, before Node 22.1, is all whose compiled code can be kept. What is imported from it as a
 * package (`polya/server`) gets a module beside it.
 */
function commonJs(entry: string): Plugin {
  return {
    name: 'common-js',
    generateBundle(_, bundle) {
      this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
      const chunk = bundle[`${entry}.js`];
      const names = chunk.type === 'chunk' ? chunk.exports.join(', ') : '';
      const source = `import own from './${entry}.js';\nexport const { ${names} } = own;\n`;
      this.emitFile({ type: 'asset', fileName: `${entry}.mjs`, source });
    },
  };
}

/**
 * Packages that the server's dependencies load for what Pólya does not use: OpenAPI as YAML, traces in metrics, requests without a
 * network, generated serialisers, JSON Type Definition, logging in a thread. Those that are called when a server starts get a function that
 * is never used.
 */
function withoutUnused(): Plugin {
  const unused =
    /^(yaml|@opentelemetry\/api|light-my-request|@fastify\/fast-json-stringify-compiler|ajv\/dist\/jtd|thread-stream)$/;
  return {
    name: 'without-unused',
    enforce: 'pre',
    resolveId: (id) => (unused.test(id) ? '\0unused' : null),
    load: (id) =>
      id === '\0unused' ? 'module.exports = () => () => { throw new Error("left out of the bundle"); };' : null,
  };
}

/** Brotli as Node has it, instead of a decoder with its dictionary of 70 kB, for the columns of Parquet files. */
function nodeBrotli(): Plugin {
  return {
    name: 'node-brotli',
    load: (id) =>
      id.endsWith('/hyparquet-compressors/src/brotli.js')
        ? "import { brotliDecompressSync } from 'node:zlib'; export const decompressBrotli = (bytes) => brotliDecompressSync(bytes);"
        : null,
  };
}

/** Packages that users install themselves where they want them. */
export const optional = [
  /^@node-rs\/jieba/,
  'snowball-stemmers',
  /^@duckdb\//,
  /^@clickhouse\//,
  /^@grpc\//,
  /^apache-arrow/,
  /^pg$/,
];

/** Few files load faster than many: what every command needs, and the library by what needs it. */
const groups = [
  { name: 'version', priority: 5, test: /src\/cli\/version/ }, // all that `polya --version` loads
  {
    name: 'frame',
    priority: 4,
    test: /src\/cli\/(?!main|code-cache|worker|thread|block-worker|data|hash|complete)[\w-]+\.ts|src\/errors|src\/data\/(strict-json|json-syntax|suggest)|node_modules\/picocolors/,
  },
];

/** The command as one folder without dependencies: everything but Node's own modules is inside, heavy parts in chunks of their own. */
export default defineConfig({
  build: {
    outDir: 'dist/cli',
    emptyOutDir: true,
    target: 'node20',
    minify: true,
    ssr: true,
    rolldownOptions: {
      input: {
        cli: 'src/cli/main.ts',
        'block-worker': 'src/cli/block-worker.ts',
        'job-worker': 'src/server/jobs/job-worker.ts',
        server: 'src/server.ts',
      },
      external: [...builtinModules, /^node:/, ...optional],
      output: {
        format: 'cjs',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: { groups },
      },
    },
  },
  ssr: { noExternal: true, external: [] },
  plugins: [withoutUnused(), nodeBrotli(), notices('The command polya'), commonJs('server')],
  logLevel: 'warn',
});
