import { readFileSync } from 'node:fs';

/** A table of reference numbers, made by record.py with scikit-learn 1.9.1 and SciPy. */
export function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as T;
}

/** Options of scikit-learn in the spelling of Pólya. */
export function camel(options: Record<string, unknown>): Record<string, unknown> {
  const turn = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [turn(name), value]));
}

/** Fisher's iris flowers as scikit-learn ships them (UCI's copy differs in rows 35 and 38), and figures for them. */
export interface Iris {
  readonly X: number[][];
  readonly y: number[];
  readonly folds: { split: number[][]; scores: Record<string, [accuracy: number, loss: number]> };
  /** Leave-one-out errors of kernel naive Bayes by bandwidth rule. */
  readonly kernelErrors: Record<'silverman' | 'scott' | 'weka', number>;
  readonly ledoitWolf: { raw: number; standardised: number; byClass: number[] };
  readonly linear: LinearRecord[];
  readonly quadratic: QuadraticRecord[];
}

/** What a linear discriminant of scikit-learn has learned and says. */
export interface LinearRecord {
  readonly options: Record<string, unknown>;
  readonly means: number[][];
  readonly priors: number[];
  readonly coef: number[][];
  readonly intercept: number[];
  readonly decision: number[] | number[][];
  readonly proba: number[][];
  readonly covariance?: number[][];
  readonly explained?: number[];
  readonly scalings?: number[][];
  readonly transform?: number[][];
  readonly xbar?: number[];
}

/** What a quadratic discriminant of scikit-learn has learned and says. */
export interface QuadraticRecord {
  readonly options: Record<string, unknown>;
  readonly means: number[][];
  readonly priors: number[];
  readonly decision: number[] | number[][];
  readonly proba: number[][];
  readonly covariance: number[][][];
  readonly scalings: number[][];
  readonly rotations: number[][][];
}

/** A data set with what discriminants make of it. */
export interface DiscriminantCase {
  readonly X: number[][];
  readonly y: number[];
  readonly query: number[][];
  readonly linear: LinearRecord[];
  readonly quadratic: QuadraticRecord[];
}
