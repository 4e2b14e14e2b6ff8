import type { State } from '../../core/artifact.ts';
import { refuse } from '../../errors.ts';
import { DEFAULT_PATTERN } from '../../text/pattern.ts';
import type { Limits } from '../http/limits.ts';

/**
 * Refuses an uploaded model that would take long over a short text: one with a token pattern of its own, which can take hours, or with
 * n-grams longer than `ngrams`. The server has one event loop. Whoever starts the server may serve such a model from a file.
 */
export function requireFastReading({ params, steps = [] }: State, { ngrams }: Pick<Limits, 'ngrams'>): void {
  const { tokenPattern, ngramRange } = params;
  const longest = Array.isArray(ngramRange) ? Number(ngramRange[1]) : 1;
  if (!(longest <= ngrams)) {
    const sentence = `the model reads n-grams up to ${longest}, at most ${ngrams} may be uploaded; serve it from a file with -m`;
    refuse('E_LIMIT', sentence, { name: 'ngramRange', limit: ngrams, actual: longest });
  }
  if (tokenPattern !== undefined && tokenPattern !== DEFAULT_PATTERN) {
    refuse(
      'E_CONFLICT',
      'the model has a tokenPattern of its own, which an upload may not bring; serve it from a file with -m',
      {
        name: 'tokenPattern',
      },
    );
  }
  for (const step of steps) requireFastReading(step, { ngrams });
}
