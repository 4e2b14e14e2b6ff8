import { readOptions } from '../core/options.ts';
import { refuse } from '../errors.ts';
import type { SpecOf } from './option-kinds.ts';
import { sameParams } from './params.ts';

/** Whatever has a name and parameters. */
export abstract class Parametrized<Options extends object> {
  /** The public name of the class. */
  readonly kind: string;
  protected readonly params: Options;

  protected constructor(kind: string, spec: SpecOf<Options>, given: unknown) {
    this.kind = kind;
    this.params = readOptions(kind, spec, given) as Options;
  }

  /** The parameters, as given or by default. */
  getParams(): Options {
    return { ...this.params };
  }

  /** An unfitted estimator with the same parameters. */
  clone(): this {
    return new (this.constructor as new (params: Options) => this)(this.params);
  }

  /** Refuses to be merged with another kind or other parameters. */
  protected requireAlike(other: Parametrized<Options>): void {
    if (other?.kind === this.kind && sameParams(other.params, this.params)) return;
    refuse('E_MERGE_MISMATCH', `a ${this.kind} cannot be merged with another kind or other parameters`, {
      expected: this.kind,
      actual: String(other?.kind),
    });
  }
}
