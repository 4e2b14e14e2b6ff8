import type { Label } from '../../data/labels.ts';
import { refuse, show } from '../../errors.ts';
import type { LevelInput, NumberInput, Plan, PlanInput } from '../plan.ts';
import { cannotSay, element } from './xml.ts';

/** A column of the model as a field of PMML. */
export interface Field {
  readonly name: string;
  readonly input: NumberInput | LevelInput;
}

/** The fields of all inputs, and the fields of each of them. A column that is read in two ways is one field. */
export class Fields {
  readonly all: readonly Field[];
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

  /** The fields in the data dictionary. All values are valid: the expressions decide what is not. */
  data(): string[] {
    return this.all.map(({ name, input }) => {
      const [optype, dataType] = isText(input) ? ['categorical', 'string'] : ['continuous', 'double'];
      return element('DataField', { name, optype, dataType });
    });
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

const types = { string: 'string', number: 'integer', boolean: 'boolean' } as const;

/** The field of the label in the data dictionary. */
export function targetField(name: string, classes: readonly Label[]): string {
  const dataType = types[typeof classes[0] as keyof typeof types];
  return element(
    'DataField',
    { name, optype: 'categorical', dataType },
    classes.map((label) => element('Value', { value: String(label) })),
  );
}
