const probability = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

/** The words of a comparison. */
export const compare = {
  twoNeeded: () => 'compare needs two models or more: -m NAME -m NAME.',
  mixed: () => 'Models by name are judged by folds, model files as they are; compare one kind at a time.',
  model: (name: string) => `model  ${name}`,
  folds: (repeats: number, folds: number, rows: string) =>
    `${repeats > 1 ? `${repeats} times ` : ''}${folds} folds of ${rows} rows, the same for all`,
  against: (name: string, by: string) => `against ${name}, by ${by}`,
  /** `difference` is how much better the first one is. */
  verdict: (p: number, difference: number, real: boolean) =>
    real ? `${difference > 0 ? 'worse' : 'better'} (${probability(p)})` : `no difference shown (${probability(p)})`,
} as const;
