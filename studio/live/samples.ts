import type { LiveAsked } from '../worker/live.ts';

const usual = { holdout: 0.2, seed: 1, lambda: 0, gamma: 0, alpha: 1, ngrams: 1 } as const;

/** The samples of the live page with the options they begin with. */
export const samples = {
  iris: { ...usual, target: 'species', columns: ['petal_length', 'petal_width'], share: 1 },
  sms: { ...usual, target: 'label', columns: ['text'], share: 0.2 },
} as const satisfies Readonly<Record<string, LiveAsked>>;

/** The name of a sample of the live page. */
export type SampleName = keyof typeof samples;

/** The columns of the iris sample that can be drawn. */
export const measures = ['sepal_length', 'sepal_width', 'petal_length', 'petal_width'] as const;
