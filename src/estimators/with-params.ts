import { refuse, show } from '../errors.ts';

/** Parameters by name; of a part inside an estimator as `part__name`. */
export type Params = Readonly<Record<string, unknown>>;

type Named = readonly [name: string, part: unknown, ...rest: unknown[]];

interface Parametric {
  readonly kind?: string;
  getParams?(): Record<string, unknown>;
}

/** An unfitted estimator with other parameters. `part__name` reaches into a step, a transformer or a wrapped estimator. */
export function withParams<E extends object>(estimator: E, params: Params): E {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    refuse('E_PARAM', `parameters are an object, got ${show(params)}`, { name: 'params' });
  }
  if (Object.keys(params).length === 0) return estimator;
  const { kind = 'value', getParams } = estimator as Parametric;
  if (!getParams) return refuse('E_PARAM', `a ${kind} has no parameters to be set`, { estimator: kind });
  const own = getParams.call(estimator);
  const list = (['steps', 'transformers'] as const).find((name) => Array.isArray(own[name]));
  const isPart = (name: string) => list !== undefined && (own[list] as Named[]).some(([other]) => other === name);
  const exchange = (name: string, change: (part: unknown) => unknown) => {
    if (list !== undefined && isPart(name)) {
      own[list] = (own[list] as Named[]).map(([other, part, ...rest]) =>
        other === name ? [other, change(part), ...rest] : [other, part, ...rest],
      );
    } else if (Object.hasOwn(own, name) || list === undefined) own[name] = change(own[name]);
    else refuse('E_PARAM', `there is no part ${show(name)} in this ${kind}`, { name });
  };
  for (const [name, values] of byPart(params)) {
    if (values.has('')) exchange(name, () => values.get(''));
    const inside = Object.fromEntries([...values].filter(([inner]) => inner !== ''));
    if (Object.keys(inside).length > 0) exchange(name, (part) => withParams(Object(part), inside));
  }
  const { steps, ...others } = own;
  const given = kind === 'Pipeline' ? [steps, others] : [own];
  return new (estimator.constructor as new (...given: unknown[]) => E)(...given);
}

/** Parameters by the part they belong to; a value for the part itself has no name. */
function byPart(params: Params): Map<string, Map<string, unknown>> {
  const parts = new Map<string, Map<string, unknown>>();
  for (const [name, value] of Object.entries(params)) {
    const at = name.indexOf('__');
    const [part, inner] = at > 0 ? [name.slice(0, at), name.slice(at + 2)] : [name, ''];
    parts.set(part, (parts.get(part) ?? new Map<string, unknown>()).set(inner, value));
  }
  return parts;
}

/** Sets parameters of a composed estimator and resets it. */
export function setParamsOf<E extends { clone(): object }>(estimator: E, params: Params): E {
  return Object.assign(estimator, withParams(estimator.clone(), params));
}

/** Whether the arguments of a constructor came in one object, as `getParams` gives it; some estimators have an `estimator` too. */
export function isWhole<E, Whole extends { readonly estimator: unknown }>(given: E | Whole): given is Whole {
  return 'estimator' in Object(given) && !('predict' in Object(given));
}

/** An estimator and options, from one object or two arguments. */
export function wholeOf<E, O extends object>(estimator: E | ({ estimator: E } & O), options: O): { estimator: E } & O {
  return isWhole(estimator) ? (estimator as { estimator: E } & O) : { estimator: estimator as E, ...options };
}
