import type { State } from '../../core/artifact.ts';
import type { Shape } from '../../data/batch.ts';
import type { Expectation } from '../../data/input.ts';
import type { Label } from '../../data/labels.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse } from '../../errors.ts';
import { type AnyKind, openSaved } from '../../estimators/kinds/estimate.ts';

/** The parameters and input schema of a fitted estimator, for exports. */
export interface Inside {
  readonly kind: string;
  readonly model: { readonly name: string };
  readonly classes: readonly Label[];
  readonly classCount: Float64Array;
  getParams(): Readonly<Record<string, unknown>>;
  /** The estimated parameters. */
  parameters(): Shape & Readonly<Record<string, unknown>>;
  fitted(): {
    readonly names: readonly string[] | undefined;
    readonly schema?: JsonValue | undefined;
    readonly counts: { readonly shape: Shape };
  };
  expectation(): Expectation;
}

/** Whether a model is a single counting estimator. Its parameters are not public, but every such estimator has them. */
export function isCounting(model: object): model is Inside {
  return 'model' in model && 'parameters' in model && typeof model.parameters === 'function';
}

/** The kinds of counting classifiers by name, as far as they are loaded. */
export type Kinds = Readonly<Record<string, AnyKind>>;

/** An estimator as its state describes it. */
export function savedInside(kinds: Kinds, state: State): Inside {
  if (!Object.hasOwn(kinds, state.kind)) cannotCarry(`a member of the kind ${state.kind}`, 'no export supports it');
  const { model, params, learned, parameters, expectation } = openSaved(kinds[state.kind], state);
  return {
    kind: state.kind,
    model,
    classes: learned.classes,
    get classCount() {
      return learned.counts.classWeights();
    },
    getParams: () => params,
    parameters: parameters as Inside['parameters'],
    fitted: () => learned,
    expectation: () => expectation,
  };
}

/** Throws for models that no plan can express. */
export function cannotCarry(what: string, why: string): never {
  return refuse('E_CONFLICT', `${what} cannot be exported: ${why}`, { what });
}
