import { isWholeRow } from '../plan/names.ts';
import type { Fallback, LevelInput, NumberInput, Plan, PlanInput, TextInput } from '../plan.ts';
import { numberLiteral, stringLiteral, valueLiteral } from './literals.ts';
import type { ModuleText } from './module.ts';

const fallbackLiteral = (fallback: Fallback) => {
  if (fallback === 'refuse') return 'undefined';
  return fallback === 'missing' ? 'NaN' : numberLiteral(fallback);
};

/** The cell of an input in the row x. */
function cellCode(module: ModuleText, plan: Plan, { name, column }: PlanInput): string {
  if (plan.row === 'value') return 'x';
  if (plan.row === 'list') return module.call('listCell', 'x', column);
  return module.call(name.includes('.') ? 'nestedCell' : 'cellOf', 'x', stringLiteral(name), column);
}

/** The number that stands for one cell. */
function numberCode(module: ModuleText, input: NumberInput, cell: string): string {
  const { name, least, most, missing, bits, lenient } = input;
  const [label, absent] = [stringLiteral(name), fallbackLiteral(missing)];
  if (input.date) return module.call('dayOf', cell, stringLiteral(input.date.order), label, absent);
  if (lenient && input.spelling)
    return module.call('writtenOf', cell, stringLiteral(input.spelling), label, numberLiteral(least), absent);
  if (lenient) return module.call(bits ? 'flagOf' : 'spelledOf', cell, label, numberLiteral(least), absent);
  if (bits) return module.call('bitOf', cell, label, absent);
  return module.call('numberOf', cell, label, numberLiteral(least), numberLiteral(most), absent);
}

function levelCode(module: ModuleText, input: LevelInput, given: string): string {
  const { name, levels, match, codes, element } = input;
  const { date, absent = [], aliases = [] } = input;
  const own = element === undefined ? given : module.call('elementOf', given, element);
  const cell = date ? module.call('datePart', own, stringLiteral(date.order), stringLiteral(date.part)) : own;
  const rest = [fallbackLiteral(input.missing), fallbackLiteral(input.unknown)];
  const label = stringLiteral(name);
  if (typeof levels === 'number') return module.call('wholeOf', cell, label, levels, ...rest);
  const map = module.constant(levels, () => {
    const codeOf = (v: number) => numberLiteral(codes?.[v] ?? v);
    const entries = [
      ...levels.map((level, v) => `[${valueLiteral(level)}, ${codeOf(v)}]`),
      ...aliases.map(([word, level]) => `[${stringLiteral(word)}, ${codeOf(levels.indexOf(level))}]`),
      ...absent.map((word) => `[${stringLiteral(word)}, ${fallbackLiteral(input.missing)}]`),
    ];
    return `new Map([${entries.join(', ')}])`;
  });
  const words = match === 'word' && levels.length > 0;
  const key = words ? module.call('asWord', cell, label) : match === 'trimmed' ? module.call('trimmed', cell) : cell;
  return module.call('levelOf', key, label, map, ...rest);
}

/** Program text for the numbers of some inputs, as a list. */
export function inputsCode(module: ModuleText, plan: Plan, inputs: readonly PlanInput[]): string {
  const codes = inputs.map((input) => {
    if (input.kind === 'level') return levelCode(module, input, cellCode(module, plan, input));
    if (input.kind === 'text') return '0';
    const read = `(cell) => ${numberCode(module, input, 'cell')}`;
    if (input.list) return `...${module.call('listOf', cellCode(module, plan, input), input.width, read)}`;
    if (isWholeRow(plan, input)) return `...${module.call('numbersOf', 'x', 0, input.width, read)}`;
    return numberCode(module, input, cellCode(module, plan, input));
  });
  const [first] = codes;
  return codes.length === 1 && first.startsWith('...') ? first.slice(3) : `[${codes.join(', ')}]`;
}

/** Program text for the text of an input. */
export function textCode(module: ModuleText, plan: Plan, input: TextInput): string {
  return module.call(input.lenient ? 'looseText' : 'textOf', cellCode(module, plan, input));
}
