import { refuse } from '../errors.ts';
import { CategoricalNB } from '../estimators/categorical-nb.ts';
import { fitFile } from './estimator-work.ts';

/** How a classifier is fitted to a text table. */
export interface FitTableFileOptions {
  /** The label column. */
  readonly target: string;
  /** The classifier; its `alpha` must be a number. Default: `new CategoricalNB()`. */
  readonly classifier?: CategoricalNB;
  /** The delimiter. Default: detected. */
  readonly delimiter?: string;
  /** Whether the first row has the names. Default: detected. */
  readonly header?: boolean | 'sniff';
  /** The number of threads. Default: one per core. */
  readonly threads?: number;
  /** Aborts the fit with `E_CANCELLED`. Default: none. */
  readonly signal?: AbortSignal;
  /** Called after every block that was read. Default: none. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
}

/** Fits a classifier of categories to a file that may be larger than memory; the result does not depend on the number of threads. */
export async function fitTableFile(path: string, options: FitTableFileOptions): Promise<CategoricalNB> {
  const { target: label, classifier = new CategoricalNB(), header = 'sniff', ...others } = options;
  if (classifier.getParams().alpha === 'auto') {
    refuse('E_PARAM', 'alpha: auto needs all rows at once: fit on rows in memory', { name: 'alpha' });
  }
  return fitFile(path, classifier.clone(), { ...others, label, header });
}
