import { builtinModules } from 'node:module';
import { defineConfig, type Plugin } from 'vite';
import { entryPoints } from './scripts/entry-points.mjs';

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

const { server: _, ...modules } = entryPoints; // the server is built with the command, packages included

/** The library: one module per entry point, and a few that they share. Names stay readable, comments are in the declarations. */
export default defineConfig({
  build: {
    outDir: 'dist/lib',
    emptyOutDir: false, // the declarations are there too
    target: 'es2022',
    minify: false,
    ssr: true,
    rolldownOptions: {
      input: {
        ...modules,
        'block-worker': 'src/node/block-worker.ts',
        'search-worker': 'src/node/search-worker.ts',
      },
      external: [...builtinModules, /^[^./\0]/],
      checks: { pluginTimings: false },
      output: {
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        comments: { jsdoc: false, legal: false, annotation: true },
      },
    },
  },
  plugins: [pureAtLoad()],
  logLevel: 'warn',
});
