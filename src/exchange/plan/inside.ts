import type { State } from '../../core/artifact.ts';
import { refuse } from '../../errors.ts';
import { type AnyKind, type Opened, openSaved } from '../../estimators/kinds/estimate.ts';

/** The kinds of counting classifiers by name, as far as they are loaded. */
export type Kinds = Readonly<Record<string, AnyKind>>;

/** A fitted counting classifier, as its state describes it. */
export interface Inside extends Opened {
  readonly kind: string;
}

/** Whether a state is that of a single counting classifier. */
export const isCounting = (kinds: Kinds, { kind }: State): boolean => Object.hasOwn(kinds, kind);

/** The counting classifier of a state. */
export function openInside(kinds: Kinds, state: State): Inside {
  const { kind } = state;
  if (!isCounting(kinds, state)) cannotCarry(`a model of the kind ${kind}`, 'no export supports it');
  return { kind, ...openSaved(kinds[kind], state) };
}

/** Throws for models that no plan can express. */
export function cannotCarry(what: string, why: string): never {
  return refuse('E_CONFLICT', `${what} cannot be exported: ${why}`, { what });
}
