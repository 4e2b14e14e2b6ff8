import { explainableTerm } from './explain.ts';
import { packDoubles } from './javascript/doubles.ts';
import { pieces } from './javascript/pieces.ts';
import { declarationsOf, stringLiteral, valueLiteral } from './javascript/types.ts';
import type { Plan } from './plan.ts';
import { type Exportable, planOf } from './plan-of.ts';

/** An ES module without dependencies, and its declarations. */
export interface JavaScriptModule {
  readonly code: string;
  readonly types: string;
}

/** A declaration of the compiled scoring code, what it refers to, and for a table its entries. */
export type Piece = readonly [
  name: string,
  code: string,
  needs: readonly string[],
  entries?: readonly (readonly [key: string, code: string, needs: readonly string[]])[],
];

/**
 * A fitted model as one ES module that classifies: `classes`, `predict(x)`, `predictProba(x)`, `predictLogProba(x)`, and
 * `explain(x)` where the score is one sum over features. It imports nothing. It holds the plan of the model and the compiled code of
 * `runPlan`, of which only the operations in the plan, so that its answers are those of the library.
 */
export function toJavaScript(model: Exportable): JavaScriptModule {
  const plan = planOf(model);
  const explains = explainableTerm(plan) !== undefined;
  const roots = ['argmax', 'runRow', 'doubles', ...(explains ? ['explainRow'] : [])];
  const { constants, value } = literalOf(plan);
  const lines = [
    `// A ${stringLiteral(plan.model).slice(1, -1)} of ${plan.classes.length} classes, exported by Pólya.`,
    ...scoringCode(roots, wordsOf(plan)),
    ...constants,
    `const plan = ${value};`,
    `export const classes = [${plan.classes.map(valueLiteral).join(', ')}];`,
    'export const predictLogProba = (x) => Array.from(runRow(plan, x));',
    'export const predictProba = (x) => predictLogProba(x).map(Math.exp);',
    'export const predict = (x) => classes[argmax(predictLogProba(x))];',
    ...(explains ? ['export const explain = (x) => explainRow(plan, x);'] : []),
  ];
  return { code: `${lines.join('\n')}\n`, types: declarationsOf(plan, explains) };
}

/** The declarations that these roots need, with the entries of tables that a plan names. */
function scoringCode(roots: readonly string[], used: ReadonlySet<string>): string[] {
  const byName = new Map(pieces.map((piece) => [piece[0], piece]));
  const entriesOf = ([, , , entries = []]: Piece) => entries.filter(([key]) => used.has(key));
  const reached = new Set<string>();
  const reach = (name: string): void => {
    const piece = byName.get(name);
    if (!piece || reached.has(name)) return;
    reached.add(name);
    for (const needed of [...piece[2], ...entriesOf(piece).flatMap(([, , needs]) => needs)]) reach(needed);
  };
  roots.forEach(reach);
  return pieces
    .filter(([name]) => reached.has(name))
    .map((piece) => {
      const [name, code, , entries] = piece;
      return entries ? `const ${name}={${entriesOf(piece).map(([, own]) => own)}};` : `${code};`;
    });
}

/** The words by which a plan chooses entries of tables: its operations, its choices, and the names of what it has. */
function wordsOf(plan: Plan): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (part: object): void => {
    for (const [name, value] of Object.entries(part)) {
      if (value) used.add(name);
      if (typeof value === 'string') used.add(value);
      if (name === 'terms' && value === null) used.add('hashed');
      if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !isWords(value)) visit(value);
    }
  };
  visit({ inputs: plan.inputs, vectors: plan.vectors, score: plan.score });
  return used;
}

const isWords = (value: object): boolean => Array.isArray(value) && typeof value[0] === 'string';

/** Short lists of numbers stay readable. */
const FEW = 32;

const numberLiteral = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** Program text of a plan; lists that occur more than once are constants. */
function literalOf(plan: Plan): { readonly constants: readonly string[]; readonly value: string } {
  const constants: string[] = [];
  const known = new Map<object, string>();
  const named = (list: object, make: () => string): string => {
    let name = known.get(list);
    if (name === undefined) {
      known.set(list, (name = `k${known.size}`));
      constants.push(`const ${name} = ${make()};`);
    }
    return name;
  };
  const write = (value: unknown): string => {
    if (typeof value === 'number') return numberLiteral(value);
    if (typeof value === 'string') return stringLiteral(value);
    if (typeof value !== 'object' || value === null) return String(value);
    if (ArrayBuffer.isView(value)) {
      const list = value as Float64Array;
      const short = list.length <= FEW && `[${Array.from(list, numberLiteral)}]`;
      return named(value, () => `doubles(${short || `"${packDoubles(list)}"`})`);
    }
    if (isWords(value)) return named(value, () => `[${(value as string[]).map(stringLiteral)}]`);
    if (Array.isArray(value)) return `[${value.map(write)}]`;
    const entries = Object.entries(value).filter(([, own]) => own !== undefined);
    return `{${entries.map(([name, own]) => `${stringLiteral(name)}:${write(own)}`)}}`;
  };
  const { model: _, format: __, ...rest } = plan;
  return { value: write(rest), constants };
}
