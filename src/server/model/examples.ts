import type { Label } from '../../data/labels.ts';
import { refuse, show } from '../../errors.ts';
import { type Instance, pointerStep } from './instances.ts';
import type { Example, ServedModel } from './served-model.ts';

const reserved = ['label', 'weight', 'instance'];

/**
 * An example as clients send it: the label, perhaps a weight, and beside them the cells by name, or all of them as `instance`.
 * The label may also stand under the name of its column.
 */
export function readExample(model: Pick<ServedModel, 'columns' | 'target'>, given: unknown, i: number): Example {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return refuse('E_BAD_REQUEST', `example ${i} is ${show(given)}; give an object with a label`, {
      pointer: `/examples/${i}`,
    });
  }
  const raw = given as Readonly<Record<string, unknown>>;
  const own = (name: string): unknown => (Object.hasOwn(raw, name) ? raw[name] : undefined);
  const wrapped = own('instance') !== undefined;
  const key = own('label') === undefined && model.target !== undefined ? model.target : 'label';
  const instance = wrapped ? (own('instance') as Instance) : cellsOf(model, raw, i, key);
  if (wrapped) requireNoMore(raw, i, key);
  const label = readLabel(model, raw, own(key), i);
  const weight = own('weight');
  if (weight === undefined) return { instance, label };
  if (typeof weight !== 'number' || !Number.isFinite(weight) || weight < 0) {
    refuse('E_WEIGHT_INVALID', `example ${i} weighs ${show(weight)}; a weight is a number from 0 on`, {
      pointer: `/examples/${i}/weight`,
      row: i,
    });
  }
  return { instance, label, weight };
}

/** The cells that stand beside the label. */
function cellsOf(
  { columns }: Pick<ServedModel, 'columns'>,
  raw: Readonly<Record<string, unknown>>,
  i: number,
  label: string,
): Instance {
  const clash = columns.find(({ name }) => reserved.includes(name));
  if (clash) {
    refuse(
      'E_BAD_REQUEST',
      `the model reads a column ${show(clash.name)}; give the cells of example ${i} as "instance"`,
      {
        pointer: `/examples/${i}`,
      },
    );
  }
  const cells: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(raw)) if (name !== 'weight' && name !== label) cells[name] = raw[name];
  return cells;
}

function requireNoMore(raw: object, i: number, label: string): void {
  const stranger = Object.keys(raw).find((name) => !reserved.includes(name) && name !== label);
  if (stranger !== undefined) refuseKey(i, stranger, 'beside "instance" stand "label" and "weight" alone');
}

function refuseKey(i: number, name: string, advice: string): never {
  return refuse('E_BAD_REQUEST', `example ${i} has the unknown key ${show(name)}; ${advice}`, {
    pointer: `/examples/${i}/${pointerStep(name)}`,
  });
}

function readLabel({ columns }: Pick<ServedModel, 'columns'>, raw: object, label: unknown, i: number): Label {
  if (label === undefined || label === null) {
    const known = new Set([...reserved, ...columns.map(({ name }) => name)]);
    const stranger = Object.keys(raw).find((name) => !known.has(name));
    if (stranger !== undefined) refuseKey(i, stranger, 'and it has no "label"');
    return refuse('E_BAD_REQUEST', `example ${i} has no "label"`, { pointer: `/examples/${i}` });
  }
  if (typeof label === 'string' || typeof label === 'boolean' || Number.isSafeInteger(label)) return label as Label;
  return refuse(
    'E_LABEL_TYPE',
    `the label of example ${i} is ${show(label)}; give a string, a whole number or a boolean`,
    {
      pointer: `/examples/${i}/label`,
      row: i,
    },
  );
}
