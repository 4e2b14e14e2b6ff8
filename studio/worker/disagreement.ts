import type { Classifier } from '../../src/index.ts';
import type { DataRow } from '../../src/workbench.ts';

const entropy = (shares: readonly number[]): number =>
  -shares.reduce((sum, share) => sum + (share > 0 ? share * Math.log(share) : 0), 0);

/**
 * The disagreement of several predictions for one row, in nats: the entropy of their mean minus the mean of their entropies (Jensen–Shannon
 * divergence). Zero if all are equal, however uncertain.
 */
export function disagreement(answers: readonly (readonly number[])[]): number {
  const mean = answers[0].map((_, c) => answers.reduce((sum, own) => sum + own[c], 0) / answers.length);
  return entropy(mean) - answers.reduce((sum, own) => sum + entropy(own), 0) / answers.length;
}

/** The disagreement of models on each row; a class unknown to a model has probability zero there. */
export function disagreements(models: readonly Classifier[], rows: readonly DataRow[]): number[] {
  const labels = [...new Set(models.flatMap(({ classes }) => classes.map(String)))];
  const result = models.map((model) => {
    const own = model.classes.map(String);
    const logs = model.predictLogProba(rows, { strict: false });
    const places = labels.map((label) => own.indexOf(label));
    return rows.map((_, i) => places.map((c) => (c < 0 ? 0 : Math.exp(logs.at(i, c)))));
  });
  return rows.map((_, i) => disagreement(result.map((answers) => answers[i])));
}
