import type { Labels } from '../data/labels.ts';
import { kernelOptionsOf, stopWordsOf } from './analyze.ts';
import { CorpusCounter, type CorpusOptions } from './corpus.ts';
import type { AnalyzerOptions } from './options.ts';
import { hasKernels } from './wasm-kernel.ts';
import type { CountedWords } from './word-counts.ts';
import { mergeWordCounts } from './word-merge.ts';

/**
 * The words of labelled texts in memory, counted by class without rows in between. Nothing where words are not found byte by byte, or a
 * document is out of the ordinary.
 */
export function countTexts(
  options: AnalyzerOptions & { readonly binary: boolean },
  texts: readonly unknown[],
  { classes, codes }: Labels,
): CountedWords | undefined {
  const kernel = kernelOptionsOf(options);
  const [lowest, highest] = options.ngramRange;
  if (!kernel || lowest !== 1 || highest !== 1 || !texts.every((text) => typeof text === 'string')) return undefined;
  const counter = counterOf({
    ...kernel,
    ...{ text: '', label: '', presence: options.binary, stopWords: stopWordsOf(options) },
    expected: texts.reduce((sum, text) => sum + text.length, 0),
  });
  if (!counter) return undefined;
  const numbers = classes.map((label) => counter.labelOf(JSON.stringify(label)));
  const whole = texts.every((text, i) => counter.add(text, numbers[codes[i]]));
  const words = whole ? mergeWordCounts(counter).words : undefined;
  counter.release();
  return words;
}

/** A counter, or nothing where there are no kernels or no memory for them. */
function counterOf(options: CorpusOptions): CorpusCounter | undefined {
  try {
    return hasKernels() ? new CorpusCounter(options) : undefined;
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}
