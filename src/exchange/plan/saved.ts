import type { State } from '../../core/artifact.ts';
import { PolyaError, refuse } from '../../errors.ts';
import type { AnyKind } from '../../estimators/kinds/estimate.ts';
import { kindLoaders } from '../../estimators/kinds/loaders.ts';
import type { Plan } from '../plan.ts';
import type { Ranking } from './builder.ts';
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
  const all = [...statesIn(state)];
  const known = new Set(all.map(({ kind }) => kind).filter((kind) => Object.hasOwn(kindLoaders, kind)));
  const kinds = await Promise.all([...known].map(async (name) => [name, await kindLoaders[name]()] as const));
  const ranks = all.some(({ kind, arrays }) => /^Select/.test(kind) && !arrays.scores);
  return {
    kinds: Object.fromEntries<AnyKind>(kinds),
    ranking: ranks ? await loadRanking() : undefined,
    planOfRecords: hasRecords(state) ? (await import('./records.ts')).planOfRecords : undefined,
  };
}

/** The functions that rank features; taken out by name, so that a bundler leaves out the rest of their module. */
async function loadRanking(): Promise<Ranking> {
  const { scorers, splitScores } = await import('../../features/scorers.ts');
  return { scorers, splitScores };
}

/** A state and those inside it. */
function* statesIn(state: State): Generator<State> {
  yield state;
  for (const step of state.steps ?? []) yield* statesIn(step);
}
