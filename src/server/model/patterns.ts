import type { State } from '../../core/artifact.ts';
import { refuse } from '../../errors.ts';
import { DEFAULT_PATTERN } from '../../text/pattern.ts';

/**
 * Refuses a model that cuts texts by a pattern of its own: patterns can be made that take hours over a short text, and the
 * server has one event loop. Who starts the server may serve such a model from a file.
 */
export function requireOwnPatterns({ params, steps = [] }: State): void {
  const { tokenPattern } = params;
  if (tokenPattern !== undefined && tokenPattern !== DEFAULT_PATTERN) {
    refuse(
      'E_CONFLICT',
      'the model has a tokenPattern of its own, which an upload may not bring; serve it from a file with -m',
      {
        name: 'tokenPattern',
      },
    );
  }
  for (const step of steps) requireOwnPatterns(step);
}
