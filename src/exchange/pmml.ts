import { requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Plan } from './plan.ts';
import { type Exportable, planOf } from './plan-of.ts';
import { bayesOf, counts, flatten, linearTables } from './pmml/bayes.ts';
import { expressionScores } from './pmml/expressions.ts';
import { dataField, Fields, miningField, plainField, targetField } from './pmml/fields.ts';
import { element } from './pmml/xml.ts';

/** Options of `toPmml`. */
export interface PmmlOptions {
  /** The name of the label's field, 'class' by default. */
  readonly target?: string;
  /** Names for the columns, in the order of the model; by default their own names, or x0, x1 … */
  readonly columns?: readonly string[];
}

/**
 * A fitted model of columns as a document of PMML 4.4: categorical, Gaussian, Bernoulli, Poisson and mixed naive Bayes as a
 * NaiveBayesModel, multinomial and complement naive Bayes as a RegressionModel with softmax, and everything else (discriminants, ensembles,
 * trees, kernels, calibrated models) as a RegressionModel over derived fields. Probabilities are those of the library within 1e-9, where a
 * consumer computes with 64 bits. Texts, dates and lists are refused with E_CONFLICT.
 */
export function toPmml(model: Exportable | Plan, options: PmmlOptions = {}): string {
  const { target = 'class', columns } = requireOptions('toPmml', ['target', 'columns'], options);
  const plan = planOf(model);
  const fields = new Fields(plan, target, columns);
  const { data, body } = modelOf(plan, fields, target);
  const dictionary = element('DataDictionary', { numberOfFields: fields.all.length + 1 }, [
    ...data,
    targetField(target, plan.classes),
  ]);
  const header = element('Header', { description: `${plan.model} of Pólya` }, [
    element('Application', { name: 'Pólya' }),
  ]);
  const document = element('PMML', { xmlns: 'http://www.dmg.org/PMML-4_4', version: '4.4' }, [
    header,
    dictionary,
    body,
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`;
}

/** The element of a model, and the fields of its data dictionary. */
function modelOf(plan: Plan, fields: Fields, target: string): { readonly data: string[]; readonly body: string } {
  const score = fields.shared ? undefined : flatten(plan.score);
  const begin = (mining: readonly string[]) => [
    element('MiningSchema', {}, [element('MiningField', { name: target, usageType: 'target' }), ...mining]),
    output(plan.classes),
  ];
  const bayes = score && bayesOf(plan, score, fields);
  if (bayes) {
    const top = bayes.logPrior.reduce((most, log) => Math.max(most, log), -Infinity);
    const prior = counts(plan.classes, (c) => Math.exp(bayes.logPrior[c] - top));
    const body = element('NaiveBayesModel', { functionName: 'classification', threshold: 0 }, [
      ...begin(fields.all.map(miningField)),
      element('BayesInputs', {}, bayes.inputs),
      element('BayesOutput', { fieldName: target }, [prior]),
    ]);
    return { data: fields.all.map(dataField), body };
  }
  const regression = (mining: readonly string[], derived: readonly string[], tables: readonly string[]) =>
    element('RegressionModel', { functionName: 'classification', normalizationMethod: 'softmax' }, [
      ...begin(mining),
      ...(derived.length > 0 ? [element('LocalTransformations', {}, derived)] : []),
      ...tables,
    ]);
  const linear = score && linearTables(plan, score, fields);
  if (linear) return { data: fields.all.map(dataField), body: regression(fields.all.map(miningField), [], linear) };
  const { derived, scores } = expressionScores(plan, fields);
  const tables = plan.classes.map((label, c) =>
    element('RegressionTable', { intercept: 0, targetCategory: String(label) }, [
      element('NumericPredictor', { name: scores[c], coefficient: 1 }),
    ]),
  );
  const own = fields.all.map(plainField);
  const body = regression(own.map(({ mining }) => mining), derived, tables); // biome-ignore format: short
  return { data: own.map(({ data }) => data), body };
}

/** The label and the probability of every class. */
function output(classes: readonly Label[]): string {
  const probabilities = classes.map((label) =>
    element('OutputField', {
      name: `probability(${label})`,
      optype: 'continuous',
      dataType: 'double',
      feature: 'probability',
      value: String(label),
    }),
  );
  return element('Output', {}, probabilities);
}
