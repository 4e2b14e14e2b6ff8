import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { readerOf } from './analyze.ts';
import type { AnalyzerOptions } from './options.ts';
import { toJson } from './params.ts';
import type { Reader } from './reader.ts';
import { saveVocabulary } from './saved.ts';
import { VocabularyLearner } from './vocabulary-learner.ts';
import type { VocabularyOptions } from './vocabulary-options.ts';

/** Options of every vectorizer that keeps a vocabulary. */
export type CountOptions = AnalyzerOptions & VocabularyOptions;

/** Options as a caller may give them: each may be left out, and lists of words may come in any container. */
export type Given<Options> = Partial<Omit<Options, 'stopWords' | 'vocabulary'>> & {
  readonly stopWords?: AnalyzerOptions['stopWords'] | (Iterable<string> & object);
  readonly vocabulary?: VocabularyOptions['vocabulary'] | ReadonlySet<string> | ReadonlyMap<string, number>;
};

/** A vectorizer with a vocabulary and all that is promised of one: every analyzer by its name, kernels, model files. */
export abstract class VocabularyVectorizer<Options extends CountOptions> extends VocabularyLearner<Options> {
  readerFor(): Reader {
    return readerOf(this.params);
  }

  /** The estimator as the bytes of a model file. Before the first fit it holds parameters alone. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The estimator as plain data. Of a function among the parameters only its name is kept. */
  toState({ slim }: StateOptions = {}): State {
    const { kind, learned, params, rowwise } = this;
    const kept = learned && saveVocabulary(learned, slim ? (rowwise ? 'none' : 'df') : undefined);
    return { kind, params: toJson(params), ...(kept ?? { learned: {}, arrays: {} }) };
  }
}
