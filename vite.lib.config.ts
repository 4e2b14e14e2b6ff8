import { builtinModules } from 'node:module';
import { defineConfig, type Plugin } from 'vite';
import { entryPoints } from './scripts/entry-points.mjs';
import { notices, optional } from './vite.cli.config.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Values that every bundler sees to be free of side effects. */
const plain = /^(Literal|ArrowFunctionExpression|FunctionExpression|ClassExpression|Identifier)$/;

const nodesIn = (value: unknown): Node[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is Node => typeof item?.type === 'string');

/** The initial values of the variables and static properties that a statement declares. */
function initialValues(statement: Node): Node[] {
  const declared = nodesIn(statement.declaration ?? statement).flatMap(({ type, declarations, body }) => {
    if (type === 'VariableDeclaration') return nodesIn(declarations).flatMap(({ init }) => nodesIn(init));
    if (type !== 'ClassDeclaration') return [];
    const properties = nodesIn((body as Node).body).filter((member) => member.type === 'PropertyDefinition');
    return properties.filter((member) => member.static).flatMap(({ value }) => nodesIn(value));
  });
  return declared.filter(({ type }) => !plain.test(type));
}

/**
 * Wraps what is computed when a module is loaded into a function that is marked as free of side effects. Every module of the library is
 * free of them (`sideEffects` in package.json), but here many modules become one file, and a bundler that reads that file decides
 * statement by statement what it can leave out.
 */
function pureAtLoad(): Plugin {
  return {
    name: 'pure-at-load',
    enforce: 'post',
    transform(code) {
      const { body } = this.parse(code) as unknown as { body: Node[] };
      let text = code;
      for (const { start, end } of body.flatMap(initialValues).reverse()) {
        text = `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`;
      }
      return text;
    },
  };
}

/**
 * Quotes the addresses of modules with quotation marks again, where the printer of the bundler uses backticks: not every bundler that reads
 * the file finds the others.
 */
function quotedAddresses(): Plugin {
  return {
    name: 'quoted-addresses',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/\bimport\(`([^`$]*)`/g, 'import("$1"');
      }
    },
  };
}

const { server: _, ...modules } = entryPoints; // the server is built with the command, packages included

/**
 * The library: one module per entry point, and a few that they share. Whitespace goes and local variables get short names; names of
 * functions and classes stay for stack traces, marks of purity for bundlers. Comments are in the declarations.
 */
export default defineConfig({
  build: {
    outDir: 'dist/lib',
    emptyOutDir: false, // the declarations are there too
    target: 'es2022',
    ssr: true,
    rolldownOptions: {
      input: {
        ...modules,
        'block-worker': 'src/node/block-worker.ts',
        'search-worker': 'src/node/search-worker.ts',
      },
      external: [...builtinModules, /^node:/, ...optional],
      checks: { pluginTimings: false },
      output: {
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        minify: {
          compress: false,
          mangle: { toplevel: false, keepNames: { class: true, function: false } },
          codegen: { removeWhitespace: true },
        },
        comments: { jsdoc: false, legal: false, annotation: true },
        // One chunk for what makes and runs plans, without a family. Modules that import others on demand stay out of it: bundlers keep
        // what they import wherever something of their chunk is used.
        codeSplitting: { groups: [{ name: 'predicting', test: /exchange\/(plan\/models|plan-json|run-plan)\.ts$/ }] },
      },
    },
  },
  // browsers run the library too
  ssr: { noExternal: true, external: [], resolve: { conditions: ['browser', 'module', 'import', 'default'] } },
  plugins: [pureAtLoad(), quotedAddresses(), notices('The library')],
  logLevel: 'warn',
});
