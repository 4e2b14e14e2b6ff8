import type { ClassifierInformative } from '../../auto/informative.ts';
import { PolyaError, refuse } from '../../errors.ts';
import type { Fitted } from '../../estimators/inside.ts';
import { mostInformative } from '../../estimators/most-informative.ts';
import type { Judge } from './model-input.ts';

/** What speaks for each class; undefined for a model whose features do not speak for a class one by one. */
export function informativeOf(
  { classifier, opened, texts: [text] }: Judge,
  k: number,
): ClassifierInformative[] | undefined {
  try {
    if (classifier) return classifier.mostInformative({ k });
    return mostInformative(requireInside(opened), { k }).map(({ level, feature, ...own }) => ({
      ...own,
      feature: text ?? String(feature),
      ...(text !== undefined && { value: String(feature) }),
      ...(level !== undefined && { value: String(level) }),
    }));
  } catch (error) {
    if (error instanceof PolyaError && error.code === 'E_CONFLICT') return undefined;
    throw error;
  }
}

/** Refuses a model that functions beside it cannot look into, such as a pool of text by itself. */
function requireInside(opened: unknown): Fitted {
  const looksInto = typeof opened === 'object' && opened !== null && 'inside' in opened;
  return looksInto ? (opened as Fitted) : refuse('E_CONFLICT', 'the model has no single list of features');
}
