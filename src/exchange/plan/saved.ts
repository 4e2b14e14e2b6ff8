import type { State } from '../../core/artifact.ts';
import { PolyaError, refuse } from '../../errors.ts';
import type { AnyKind } from '../../estimators/kinds/estimate.ts';
import { kindLoaders } from '../../estimators/kinds/loaders.ts';
import type { Plan } from '../plan.ts';
import { hasRecords, type Parts, planOfState } from './models.ts';

/** The plan of a saved model; the code of a family is loaded when a model needs it. Throws a `PolyaError` for every state without one. */
export async function planOfSaved(state: State): Promise<Plan> {
  try {
    return planOfState(state, await partsOf(state));
  } catch (cause) {
    if (cause instanceof PolyaError) throw cause;
    return refuse('E_MODEL_CORRUPT', 'the model file is damaged: it is inconsistent', {}, cause);
  }
}

/** The code that the plan of a state needs. */
async function partsOf(state: State): Promise<Parts> {
  const names = new Set<string>();
  const walk = ({ kind, steps = [] }: State) => {
    names.add(kind);
    steps.forEach(walk);
  };
  walk(state);
  const known = [...names].filter((name) => Object.hasOwn(kindLoaders, name));
  const kinds = await Promise.all(known.map(async (name) => [name, await kindLoaders[name]()] as const));
  return {
    kinds: Object.fromEntries<AnyKind>(kinds),
    scorers: /\bSelect/.test([...names].join(' ')) ? await import('../../features/scorers.ts') : undefined,
    records: hasRecords(state) ? await import('./records.ts') : undefined,
  };
}
