import { requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Plan } from './plan.ts';
import { type Exportable, planOf } from './plan-of.ts';
import { bayesOf, counts } from './pmml/bayes.ts';
import { dataField, Fields, miningField, targetField } from './pmml/fields.ts';
import { cannotSay, flatten } from './pmml/flatten.ts';
import { centredFields, polynomialsOf, regressionTable } from './pmml/regression.ts';
import { element } from './pmml/xml.ts';

/** How a model becomes PMML. */
export interface PmmlOptions {
  /** What the field of the label is called; 'class' unless told. */
  readonly target?: string;
  /** What the columns are called, in the order of the model; their own names unless told, without names x0, x1 … */
  readonly columns?: readonly string[];
}

/**
 * A fitted model of columns as a document of PMML 4.4: categorical, Gaussian, Bernoulli, Poisson and mixed naive Bayes as a
 * NaiveBayesModel, what is linear or quadratic in its columns (multinomial, complement, discriminants) as a RegressionModel
 * with softmax. Probabilities are those of the library within 1e-9, where a consumer computes with 64 bits. What PMML cannot say
 * is refused with E_CONFLICT.
 */
export function toPmml(model: Exportable | Plan, options: PmmlOptions = {}): string {
  const { target = 'class', columns } = requireOptions('toPmml', ['target', 'columns'], options);
  const plan = typeof model === 'object' && model !== null && 'format' in model ? model : planOf(model);
  const fields = new Fields(plan, target, columns);
  const dictionary = element('DataDictionary', { numberOfFields: fields.all.length + 1 }, [
    ...fields.all.map(dataField),
    targetField(target, plan.classes),
  ]);
  const header = element('Header', { description: `${plan.model} of Pólya` }, [
    element('Application', { name: 'Pólya' }),
  ]);
  const document = element('PMML', { xmlns: 'http://www.dmg.org/PMML-4_4', version: '4.4' }, [
    header,
    dictionary,
    modelElement(plan, fields, target),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`;
}

function modelElement(plan: Plan, fields: Fields, target: string): string {
  const schema = element('MiningSchema', {}, [
    element('MiningField', { name: target, usageType: 'target' }),
    ...fields.all.map(miningField),
  ]);
  const score = flatten(plan.score);
  const bayes = bayesOf(plan, score, fields);
  if (bayes) {
    const top = bayes.logPrior.reduce((most, log) => Math.max(most, log), -Infinity);
    const prior = counts(plan.classes, (c) => Math.exp(bayes.logPrior[c] - top));
    return element('NaiveBayesModel', { functionName: 'classification', threshold: 0 }, [
      schema,
      output(plan.classes),
      element('BayesInputs', {}, bayes.inputs),
      element('BayesOutput', { fieldName: target }, [prior]),
    ]);
  }
  const polynomials = polynomialsOf(plan, score, fields);
  if (!polynomials) {
    const terms = score.terms.map(({ op }) => op).join(', ');
    return cannotSay(
      `a ${plan.model}`,
      `its score is no naive Bayes and no finite polynomial of its columns (${terms})`,
    );
  }
  const centred = centredFields(polynomials);
  return element('RegressionModel', { functionName: 'classification', normalizationMethod: 'softmax' }, [
    schema,
    output(plan.classes),
    ...(centred.length > 0 ? [element('LocalTransformations', {}, centred)] : []),
    ...plan.classes.map((label, c) => regressionTable(polynomials, c, String(label))),
  ]);
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
