import { decodeState, type State } from '../core/artifact.ts';
import { refuse } from '../errors.ts';
import { chosenAlpha } from '../estimators/auto-alpha.ts';
import { Chain } from '../estimators/chain.ts';
import { intact } from '../estimators/intact.ts';
import { namedStates } from '../estimators/pipeline-step.ts';
import { restoreCounts } from '../estimators/restore-counts.ts';
import { diceForm } from '../models/dice.ts';
import { loadVocabulary } from '../text/saved.ts';
import { CountVectorizer, type CountVectorizerOptions } from './count-vectorizer.ts';
import { MultinomialNB, type MultinomialNBOptions } from './multinomial-nb.ts';
import type { Pipeline } from './pipeline.ts';

/** Whatever `load` may answer. */
export type Loaded = CountVectorizer | MultinomialNB | Pipeline<readonly [CountVectorizer, MultinomialNB]>;

/**
 * Reads the bytes of a model file that holds one of the classes of this door or a pipeline of them, whichever door has written
 * it. It ends in an estimator or a `PolyaError`, and executes nothing of the file. What the file names and this door takes
 * as a value is given as `values`: `load(bytes, { stopWords: englishStopWords() })`.
 */
export function load<Kind = Pipeline<readonly [CountVectorizer, MultinomialNB]>>(
  bytes: Uint8Array | ArrayBuffer,
  values: CountVectorizerOptions = {},
): Kind {
  const state = decodeState(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
  return revive(state, values) as Kind;
}

function revive(state: State, values: CountVectorizerOptions): Loaded {
  const { kind } = state;
  if (kind === 'CountVectorizer') return vectorizerOf(state, values);
  if (kind === 'MultinomialNB') return classifierOf(state);
  if (kind !== 'Pipeline') refuse('E_CONFLICT', `polya/light has no ${kind}; load of 'polya' reads the file`, { kind });
  const steps = namedStates(state).map(([name, step]) => [name, revive(step, values)] as const);
  return intact(() => new Chain(steps)) as unknown as Loaded;
}

const isEmpty = ({ learned, arrays }: State) => Object.keys({ ...learned, ...arrays }).length === 0;

function vectorizerOf(state: State, values: CountVectorizerOptions): CountVectorizer {
  const vectorizer = new CountVectorizer({ ...(state.params as CountVectorizerOptions), ...values });
  if (isEmpty(state)) return vectorizer;
  return intact(() => vectorizer.adopt(({ vocabulary }) => loadVocabulary(state, vectorizer.readerFor(), vocabulary)));
}

/** An alpha that was chosen at the full door stays as it is when more is learned, so here it is a number. */
function classifierOf(saved: State): MultinomialNB {
  const { schema, ...learned } = saved.learned;
  const chosen = saved.params.alpha === 'auto' && { alpha: intact(() => chosenAlpha(schema)) };
  const classifier = new MultinomialNB({ ...(saved.params as MultinomialNBOptions), ...chosen });
  const state = chosen ? { ...saved, learned } : saved;
  if (!isEmpty(state)) intact(() => restoreCounts(classifier, state, diceForm));
  return classifier;
}
