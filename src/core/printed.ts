import { refuse } from '../errors.ts';

/** The method by which Node, Bun and Deno ask an object how to print it: the value of `util.inspect.custom`. */
export const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** The most classes that a card names. */
const CLASSES_NAMED = 5;

/**
 * A model as `console.log` prints it: one line with its kind, its steps, its classes and how much it has read.
 * What a model does not have, or does not know before `fit`, is left out.
 */
export function printModel(model: { readonly kind: string }): string {
  const read = <T>(name: string): T | undefined => {
    try {
      return (model as unknown as Readonly<Record<string, T | undefined>>)[name];
    } catch {
      return undefined; // it has not learned anything yet
    }
  };
  const steps = read<readonly { readonly kind: string }[]>('steps')?.map(({ kind }) => kind);
  const classes = read<readonly unknown[]>('classes');
  const named = classes?.slice(0, CLASSES_NAMED).concat(classes.length > CLASSES_NAMED ? '…' : []);
  const facts = [
    steps?.join(' → '),
    classes && `classes: ${named?.join(', ')}`,
    read('target') && `target: ${read('target')}`,
    read('nFeaturesIn') && `features: ${read('nFeaturesIn')}`,
    read('documentCount') && `documents: ${read('documentCount')}`,
  ].filter(Boolean);
  return facts.length > 0 ? `${model.kind} { ${facts.join(' · ')} }` : model.kind;
}

/** What `JSON.stringify` of a model ends in: a model is saved as bytes, and an object without its counts would be a wrong copy. */
export function refuseJson({ kind }: { readonly kind: string }): never {
  return refuse('E_TYPE', `a ${kind} is not JSON: save it with toBytes(), or export it with toJson of polya/exchange`, {
    kind,
  });
}
