import type { Label } from '../../data/labels.ts';
import { refuse, show } from '../../errors.ts';
import type { LevelInput, NumberInput, Plan, PlanInput } from '../plan.ts';
import { cannotSay } from './flatten.ts';
import { type Attributes, element } from './xml.ts';

/** A column of the model as PMML sees it. */
export interface Field {
  readonly name: string;
  readonly input: NumberInput | LevelInput;
}

/** What a level is called that was never learned, where PMML has a place for it. */
export const UNKNOWN = '(unknown)';

/** The fields of all inputs, and the fields of each of them. */
export class Fields {
  readonly all: readonly Field[];
  private readonly byInput: readonly (readonly Field[])[];

  constructor({ inputs }: Plan, target: string, columns: readonly string[] | undefined) {
    this.byInput = inputs.map((input) => fieldsOf(input));
    const fields = this.byInput.flat();
    if (columns && columns.length !== fields.length) {
      refuse('E_PARAM', `there are ${columns.length} names for ${fields.length} columns`, { name: 'columns' });
    }
    let at = 0;
    this.byInput = this.byInput.map((own) => own.map((field) => ({ ...field, name: columns?.[at++] ?? field.name })));
    this.all = this.byInput.flat();
    const names = [...this.all.map(({ name }) => name), target];
    const twice = names.find((name, k) => names.indexOf(name) < k);
    if (twice !== undefined) {
      refuse('E_FEATURE_DUPLICATE', `two fields would be called ${show(twice)}; give columns or a target`, {
        feature: twice,
      });
    }
  }

  /** The fields of some inputs, in order. */
  of(inputs: readonly number[]): Field[] {
    return inputs.flatMap((input) => this.byInput[input]);
  }
}

function fieldsOf(input: PlanInput): Field[] {
  if (input.kind === 'text') return cannotSay('texts', 'count their terms first');
  if (input.date) return cannotSay('dates', 'make numbers of them first');
  if (input.kind === 'level') {
    if (input.element !== undefined) return cannotSay('a column of lists', 'give every element a column of its own');
    return [{ name: input.name, input }];
  }
  if (input.list) return cannotSay('a column of lists', 'give every element a column of its own');
  if (input.width === 1 && input.name !== 'x') return [{ name: input.name, input }];
  return Array.from({ length: input.width }, (_, j) => ({ name: `${input.name}${input.column + j}`, input }));
}

/** The levels of a field in order, as texts. */
export function levelTexts({ levels, codes }: LevelInput): string[] {
  if (codes) return cannotSay('encoded levels', 'give the levels themselves to the model');
  return typeof levels === 'number' ? Array.from({ length: levels }, (_, v) => String(v)) : levels.map(String);
}

/** Whether a level that was never learned has a place of its own: only where no cell can be missing. */
export function hasUnknown({ missing, unknown }: LevelInput): boolean {
  return missing === 'refuse' && typeof unknown === 'number';
}

const value = (text: string) => element('Value', { value: text });

/** A field in the data dictionary. */
export function dataField({ name, input }: Field): string {
  if (input.kind === 'number') {
    const bounds = { leftMargin: finite(input.least), rightMargin: finite(input.most) };
    const bounded = bounds.leftMargin !== undefined || bounds.rightMargin !== undefined;
    const intervals = bounded ? [element('Interval', { closure: 'closedClosed', ...bounds })] : [];
    return element('DataField', { name, optype: 'continuous', dataType: 'double' }, intervals);
  }
  const levels = [...levelTexts(input), ...(hasUnknown(input) ? [UNKNOWN] : [])];
  if (new Set(levels).size < levels.length)
    cannotSay(`the level ${show(UNKNOWN)}`, 'it stands for all that was never learned');
  const dataType = typeof input.levels === 'number' && !hasUnknown(input) ? 'integer' : 'string';
  const absent = (input.absent ?? []).map((word) => element('Value', { value: word, property: 'missing' }));
  return element('DataField', { name, optype: 'categorical', dataType }, [...levels.map(value), ...absent]);
}

const finite = (bound: number) => (Math.abs(bound) < Number.MAX_VALUE ? bound : undefined);

/** A field in the mining schema: what becomes of cells that are missing or unknown. */
export function miningField({ name, input }: Field): string {
  return element('MiningField', { name, ...missingOf(input), ...invalidOf(input) });
}

function missingOf({ missing }: NumberInput | LevelInput): Attributes {
  if (missing === 'refuse') return { missingValueTreatment: 'returnInvalid' };
  return typeof missing === 'number' ? { missingValueReplacement: missing, missingValueTreatment: 'asValue' } : {};
}

function invalidOf(input: NumberInput | LevelInput): Attributes {
  if (input.kind === 'number') return { invalidValueTreatment: 'returnInvalid' };
  if (hasUnknown(input)) return { invalidValueTreatment: 'asValue', invalidValueReplacement: UNKNOWN };
  return { invalidValueTreatment: input.unknown === 'missing' ? 'asMissing' : 'returnInvalid' };
}

const types = { string: 'string', number: 'integer', boolean: 'boolean' } as const;

/** The field of the label in the data dictionary. */
export function targetField(name: string, classes: readonly Label[]): string {
  const dataType = types[typeof classes[0] as keyof typeof types];
  return element(
    'DataField',
    { name, optype: 'categorical', dataType },
    classes.map((label) => value(String(label))),
  );
}
