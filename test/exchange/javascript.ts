import ts from 'typescript';

/** What an exported module exports. */
export interface Exported {
  readonly classes: readonly unknown[];
  predict(x: unknown): unknown;
  predictProba(x: unknown): number[];
  predictLogProba(x: unknown): number[];
  explain?(x: unknown): { score: number[]; contributions: { feature: unknown; byClass: number[] }[] };
}

/** A module from its text, as a program would import it from a file. */
export const load = (code: string): Promise<Exported> =>
  import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);

/** What the type checker says of each of some programs beside a module with these declarations. */
export function typeErrors(types: string, programs: readonly string[]): string[][] {
  const files = new Map(
    programs.map((program, k) => [`program${k}.ts`, `import * as m from './model.js';\n${program}`]),
  );
  files.set('model.d.ts', types);
  const { ModuleKind, ScriptTarget } = ts;
  const options = { strict: true, noEmit: true, module: ModuleKind.NodeNext, target: ScriptTarget.ES2022, types: [] };
  const host = ts.createCompilerHost({ ...options, lib: ['lib.es5.d.ts'] });
  const { getSourceFile, fileExists, readFile } = host;
  const own = (name: string) => files.get(name.split('/').at(-1)!);
  host.getSourceFile = (name, target) => {
    const text = own(name);
    return text === undefined ? getSourceFile.call(host, name, target) : ts.createSourceFile(name, text, target);
  };
  host.fileExists = (name) => own(name) !== undefined || fileExists.call(host, name);
  host.readFile = (name) => own(name) ?? readFile.call(host, name);
  const program = ts.createProgram([...files.keys()], { ...options, lib: ['lib.es5.d.ts'], skipLibCheck: true }, host);
  return programs.map((_, k) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(`program${k}.ts`))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  );
}
