import type { Label } from '../../data/labels.ts';
import { refuse, show } from '../../errors.ts';
import { isNumeric, requirePlain } from '../lower/inputs.ts';
import { columnNames, columnsOf } from '../names.ts';
import type { Plan, PlanInput } from '../plan.ts';
import { cannotSay, element } from './xml.ts';

/** The columns of a model as fields of PMML. A column that is read in two ways is one field. */
export class Fields {
  /** The names of the fields, and whether they hold words. */
  readonly all: ReadonlyMap<string, boolean>;
  /** Derived fields with texts without blanks around them. */
  readonly texts: string[] = [];
  /** The fields of an input, in order. */
  readonly of: (input: PlanInput) => string[];

  constructor(plan: Plan, target: string, columns: readonly string[] | undefined) {
    const names = columnNames(plan, columns);
    this.of = (input) => columnsOf(plan, input).map(({ name }) => names.get(name) as string);
    const taken = [...names.values(), target];
    const twice = taken.find((name, k) => taken.indexOf(name) < k);
    if (twice !== undefined) {
      refuse('E_FEATURE_DUPLICATE', `two fields would be called ${show(twice)}; give columns or a target`, {
        feature: twice,
      });
    }
    const all = new Map<string, boolean>();
    for (const input of plan.inputs) {
      requirePlain(input, cannotSay);
      if (input.kind === 'text') cannotSay('texts', 'it has no n-grams of characters; count terms first');
      const isText = input.kind === 'level' && !isNumeric(input);
      for (const name of this.of(input)) {
        if (all.has(name) && all.get(name) !== isText)
          cannotSay(`the column ${show(name)}`, 'it is read as words and as numbers, and a field has one type');
        all.set(name, isText);
      }
    }
    this.all = all;
  }

  /** The fields in the data dictionary. All values are valid: the expressions decide what is not. */
  data(): string[] {
    return Array.from(this.all, ([name, isText]) => {
      const [optype, dataType] = isText ? ['categorical', 'string'] : ['continuous', 'double'];
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
