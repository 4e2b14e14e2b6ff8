import { refuse } from '../../errors.ts';
import type { AnyKind, Opened } from '../../estimators/kinds/estimate.ts';

/** The kinds of counting classifiers by name, as far as they are loaded. */
export type Kinds = Readonly<Record<string, AnyKind>>;

/** A fitted counting classifier, as its state describes it. */
export interface Inside extends Opened {
  readonly kind: string;
}

/** Throws for models that no plan can express. */
export function cannotCarry(what: string, why: string): never {
  return refuse('E_CONFLICT', `${what} cannot be exported: ${why}`, { what });
}
