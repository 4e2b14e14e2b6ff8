import type { Label } from '../../data/labels.ts';
import { refuse, show } from '../../errors.ts';
import type { LevelInput, NumberInput, Plan, PlanInput } from '../plan.ts';
import { type Attributes, cannotSay, element } from './xml.ts';

/** A column of the model as a field of PMML. */
export interface Field {
  readonly name: string;
  readonly input: NumberInput | LevelInput;
}

/** The value of unknown levels, where PMML has one. */
export const UNKNOWN = '(unknown)';

/** The fields of all inputs, and the fields of each of them. A column that is read in two ways is one field. */
export class Fields {
  readonly all: readonly Field[];
  /** Whether some column is read in two ways. */
  readonly shared: boolean;
  /** Derived fields with texts without blanks around them. */
  readonly texts: string[] = [];
  private readonly byInput: readonly (readonly Field[])[];

  constructor({ inputs }: Plan, target: string, columns: readonly string[] | undefined) {
    const given = inputs.map(fieldsOf);
    const own = new Map(given.flat().map((field) => [field.name, field]));
    if (columns && columns.length !== own.size) {
      refuse('E_PARAM', `there are ${columns.length} names for ${own.size} columns`, { name: 'columns' });
    }
    const names = new Map([...own.keys()].map((name, k) => [name, columns?.[k] ?? name]));
    const renamed = (field: Field) => ({ ...field, name: names.get(field.name) as string });
    this.byInput = given.map((fields) => fields.map(renamed));
    this.all = [...own.values()].map(renamed);
    this.shared = given.flat().length > own.size;
    const taken = [...names.values(), target];
    const twice = taken.find((name, k) => taken.indexOf(name) < k);
    if (twice !== undefined) {
      refuse('E_FEATURE_DUPLICATE', `two fields would be called ${show(twice)}; give columns or a target`, {
        feature: twice,
      });
    }
    for (const field of this.byInput.flat()) {
      const other = this.all.find(({ name }) => name === field.name) as Field;
      if (isText(field.input) !== isText(other.input))
        cannotSay(`the column ${show(field.name)}`, 'it is read as words and as numbers, and a field has one type');
    }
  }

  /** The fields of some inputs, in order. */
  of(inputs: readonly number[]): Field[] {
    return inputs.flatMap((input) => this.byInput[input]);
  }

  /** The name of a derived field with the text of a field without blanks around it. */
  trimmed(field: string): string {
    const name = `${field} (trimmed)`;
    const trimmed = element('Apply', { function: 'trimBlanks' }, [element('FieldRef', { field })]);
    const derived = element('DerivedField', { name, optype: 'categorical', dataType: 'string' }, [trimmed]);
    if (!this.texts.includes(derived)) this.texts.push(derived);
    return name;
  }
}

/** Whether the cells of an input are words. */
export const isText = (input: NumberInput | LevelInput): boolean =>
  input.kind === 'level' &&
  typeof input.levels !== 'number' &&
  !(input.levels.length > 0 && input.levels.every((level) => typeof level === 'number'));

/** A field in the data dictionary and in the mining schema of a model that computes with expressions, where all values are valid. */
export function plainField({ name, input }: Field): { readonly data: string; readonly mining: string } {
  const [optype, dataType] = isText(input) ? ['categorical', 'string'] : ['continuous', 'double'];
  return { data: element('DataField', { name, optype, dataType }), mining: element('MiningField', { name }) };
}

function fieldsOf(input: PlanInput): Field[] {
  if (input.kind === 'text') return cannotSay('texts', 'it has no n-grams of characters; count terms first');
  if (input.date) return cannotSay('dates', 'make numbers of them first');
  if (input.kind === 'number' && input.spelling)
    return cannotSay(`the numbers in ${input.name}`, 'they have signs or separators; fit a model to plain numbers');
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

/** Whether unknown levels have a value of their own: only where no cell can be missing. */
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
    cannotSay(`the level ${show(UNKNOWN)}`, 'it is the value of unknown levels');
  const dataType = typeof input.levels === 'number' && !hasUnknown(input) ? 'integer' : 'string';
  const absent = (input.absent ?? []).map((word) => element('Value', { value: word, property: 'missing' }));
  return element('DataField', { name, optype: 'categorical', dataType }, [...levels.map(value), ...absent]);
}

const finite = (bound: number) => (Math.abs(bound) < Number.MAX_VALUE ? bound : undefined);

/** A field in the mining schema: how missing and unknown cells are treated. */
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
