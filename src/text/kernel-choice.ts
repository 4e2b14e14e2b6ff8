import type { Linear } from '../core/linear.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import type { Documents } from './documents.ts';
import type { AnalyzerOptions } from './options.ts';
import type { KernelOptions, TokenKernel } from './tokens.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What reads many documents faster than the plain way, where it is in use; a bundle that does not use it does not carry it. */
export interface KernelChoice {
  kernelOf?: (options: KernelOptions) => TokenKernel | undefined;
  rowsOf?: (
    vocabulary: Vocabulary,
    options: AnalyzerOptions & { readonly binary: boolean },
    documents: Documents,
  ) => SparseMatrix | undefined;
  scoresOf?: (
    vocabulary: Vocabulary,
    options: AnalyzerOptions & { readonly binary: boolean },
    linear: Pick<Linear, 'classes' | 'logPrior' | 'weights'>,
    documents: readonly unknown[],
    out: Float64Array,
  ) => boolean;
}

/** The one choice of this program. */
export const kernelChoice: KernelChoice = {};

/** From so many documents on, a vocabulary is worth its way to the kernels: 10 ms for 130 000 words. */
export const LEAST_DOCUMENTS = 256;

/** Whether there are so many documents that kernels pay. */
export const isMany = (documents: unknown): documents is readonly unknown[] =>
  Array.isArray(documents) && documents.length >= LEAST_DOCUMENTS;
