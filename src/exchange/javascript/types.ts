import type { Label } from '../../data/labels.ts';
import type { Plan, PlanInput } from '../plan.ts';

/** A string literal that is safe inside HTML and contains no line terminator. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[<\u2028\u2029\u007f-\u009f\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A label or level in program text. */
export const valueLiteral = (value: string | number | boolean): string =>
  typeof value === 'string' ? stringLiteral(value) : Object.is(value, -0) ? '-0' : String(value);

/** Up to this many classes are a union of literals. */
const MOST_LITERALS = 64;

function labelType(classes: readonly Label[]): string {
  if (classes.length > MOST_LITERALS) return typeof classes[0];
  return classes.map(valueLiteral).join(' | ');
}

function cellType(input: PlanInput): string {
  if (input.kind === 'text') return input.lenient ? 'unknown' : 'string';
  const gap = input.missing === 'refuse' ? '' : ' | null';
  if (input.kind === 'number') {
    if (input.date) return 'string | Date | null';
    if (input.lenient) return input.bits ? 'number | string | boolean | null' : 'number | string | null';
    const number = input.bits ? 'boolean | number' : 'number';
    return (input.list ? `ArrayLike<${number}${gap}>` : number) + gap;
  }
  if (input.date) return 'string | Date | null';
  const words = typeof input.levels === 'number' ? 'number' : 'string | number | boolean';
  return input.element === undefined ? words + gap : `ArrayLike<${words}${gap}> | null`;
}

/** A cell may be absent where a missing one is legal. */
const isOptional = (input: PlanInput) => (input.kind === 'text' ? input.lenient : input.missing !== 'refuse');

function rowType({ row, inputs }: Plan): string {
  if (row === 'value') return 'string';
  const cells = [...new Set(inputs.map(cellType))].join(' | ');
  const list = `ArrayLike<${cells}>`;
  if (row === 'list') return list;
  const fields = new Map<string, string>();
  for (const input of inputs) {
    fields.set(`readonly ${stringLiteral(input.name)}${isOptional(input) ? '?' : ''}`, cellType(input));
  }
  return `{ ${[...fields].map(([name, type]) => `${name}: ${type}`).join('; ')} } | ${list}`;
}

/** The declarations of an exported module. */
export function declarationsOf(plan: Plan, explains: boolean): string {
  const lines = [
    '/** The class labels, in the order of probabilities. */',
    `export type Label = ${labelType(plan.classes)};`,
    '/** What is classified. */',
    `export type Row = ${rowType(plan)};`,
    'export declare const classes: readonly Label[];',
    '/** The most probable class. */',
    'export declare function predict(x: Row): Label;',
    '/** p(c | x) for every class. */',
    'export declare function predictProba(x: Row): number[];',
    '/** ln p(c | x) for every class. */',
    'export declare function predictLogProba(x: Row): number[];',
  ];
  const explanation = [
    '/** What each feature adds to the score of each class; start + contributions = score. */',
    'export declare function explain(x: Row): {',
    '  label: Label;',
    '  start: number[];',
    '  contributions: { feature: string | number; byClass: number[] }[];',
    '  score: number[];',
    '};',
  ];
  return `${[...lines, ...(explains ? explanation : [])].join('\n')}\n`;
}
