import type { State } from '../core/artifact.ts';
import type { Form } from '../core/form.ts';
import type { Shape } from '../data/batch.ts';
import { numbersOf } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import { shapeOf } from '../stats/layout.ts';
import { fieldsOf, sidesOf, unpack } from '../stats/pack.ts';
import type { Keeper, Learned } from './learned.ts';
import { damaged } from './saved.ts';
import { readDescription } from './saved-counts.ts';
import { holds, PARAMS } from './slim.ts';

const SENTENCE =
  'this model was saved slim: it predicts and explains, but has no counts to learn, merge, unlearn or tell from; load the full file';

/** The shape of a statistic without its sums: whoever reads one of them is refused. */
function withoutSums<S extends Shape>(keeper: Keeper<S>, shape: Shape): S {
  const none = { classes: 0, features: 0, levels: new Int32Array(0), missing: false, parts: {} };
  const parts = Object.entries(shape.parts ?? {}).map(([name, part]) => {
    return [name, keeper.part ? withoutSums(keeper.part(name) as Keeper<Shape>, part) : part] as const;
  });
  const hollow = { ...shapeOf(shape), ...(shape.parts && { parts: Object.fromEntries(parts) }) };
  const get = () => refuse('E_CONFLICT', SENTENCE, { slim: true });
  for (const name of Object.keys(keeper.empty(none))) {
    if (!(name in none)) Object.defineProperty(hollow, name, { get, enumerable: true });
  }
  return hollow as unknown as S;
}

/** What a slim file says was learned, its sums out of reach; believes nothing. */
export function learnedFromSlim<S extends Shape>(keeper: Keeper<S>, { learned }: State): Learned<S> {
  const { slim, largestError, ...entries } = learned;
  if (slim !== true || !(largestError === undefined || holds.weight(largestError as number))) {
    damaged('it does not tell whether it is slim');
  }
  const { shape, ...known } = readDescription(entries);
  return {
    ...known,
    stats: withoutSums(keeper, shape),
    ceiling: 0,
    slim: { largestError: largestError as number | undefined },
  };
}

/** The parameters of a slim file, for the shape that was learned; believes nothing. */
export function paramsFromSlim<P extends Shape, O>(
  form: Form<P, O> | undefined,
  { arrays }: State,
  stats: Shape,
  options: O,
): P {
  if (!form) return damaged('its parameters are those of no model');
  const shape = shapeOf(stats);
  const rest = new Map(Object.entries(arrays));
  const packed = fieldsOf(form, shape).map(([name, field]) => {
    const data = numbersOf(rest.get(PARAMS + name));
    rest.delete(PARAMS + name);
    const length = sidesOf(field, shape, data?.length ?? 0).reduce((product, side) => product * side, 1);
    if (data?.length !== length) return damaged(`the array ${JSON.stringify(name)} is absent or has a wrong size`);
    if (!data.every(holds[field[0]])) damaged(`the array ${JSON.stringify(name)} holds what it cannot hold`);
    return [name, data] as const;
  });
  if (rest.size > 0) damaged(`it holds the array ${JSON.stringify([...rest.keys()][0].slice(0, 100))} for nothing`);
  return unpack(form, Object.fromEntries(packed), shape, options) ?? damaged('its parameters do not fit together');
}
