import type { State } from '../../core/artifact.ts';
import type { Shape } from '../../data/batch.ts';
import type { Expectation } from '../../data/input.ts';
import type { Label } from '../../data/labels.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse } from '../../errors.ts';
import { estimators } from '../../estimators/load.ts';
import { restore } from '../../estimators/restore.ts';

/** The parameters and input schema of a fitted estimator, for exports. */
export interface Inside {
  readonly kind: string;
  readonly model: { readonly name: string };
  readonly classes: readonly Label[];
  getParams(): Readonly<Record<string, unknown>>;
  /** The estimated parameters. */
  parameters(): Shape & Readonly<Record<string, unknown>>;
  fitted(): {
    readonly names: readonly string[] | undefined;
    readonly schema?: JsonValue;
    readonly counts: { readonly shape: Shape };
  };
  expectation(): Expectation;
}

/** Whether a model is a single counting estimator. Its parameters are not public, but every such estimator has them. */
export function isCounting(model: object): model is Inside {
  return 'model' in model && 'parameters' in model && typeof model.parameters === 'function';
}

/** An estimator from its state inside a larger model. */
export function revive(state: State): Inside {
  const kinds = estimators as unknown as Readonly<Record<string, new (params: unknown) => object>>;
  if (!Object.hasOwn(kinds, state.kind)) cannotCarry(`a member of the kind ${state.kind}`, 'no export supports it');
  return restore(new kinds[state.kind](state.params), state) as Inside;
}

/** Throws for models that no plan can express. */
export function cannotCarry(what: string, why: string): never {
  return refuse('E_CONFLICT', `${what} cannot be exported: ${why}`, { what });
}
