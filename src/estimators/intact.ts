import { PolyaError, refuse } from '../errors.ts';

/** What is made of a state; whatever does not fit together is a damaged model. */
export function intact<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof PolyaError && cause.code.startsWith('E_MODEL_')) throw cause;
    const reason = cause instanceof PolyaError ? `: ${cause.message}` : '';
    return refuse('E_MODEL_CORRUPT', `the model contradicts itself${reason}`, {}, cause);
  }
}
