import { requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Plan } from './plan.ts';
import { type Exportable, planOf } from './plan-of.ts';
import { scoreTables } from './pmml/expressions.ts';
import { Fields, targetField } from './pmml/fields.ts';
import { element } from './pmml/xml.ts';

/** Options of `toPmml`. */
export interface PmmlOptions {
  /** The name of the label's field, 'class' by default. */
  readonly target?: string;
  /** Names for the columns, in the order of the model; by default their own names, or x0, x1 … */
  readonly columns?: readonly string[];
}

/**
 * A fitted model of columns as a document of PMML 4.4: a RegressionModel with softmax over the columns, where the score is linear in them, and
 * else over derived fields. Probabilities are those of the library within 1e-9, where a consumer computes with 64 bits. Texts, dates and lists
 * are refused with E_CONFLICT.
 */
export function toPmml(model: Exportable | Plan, options: PmmlOptions = {}): string {
  const { target = 'class', columns } = requireOptions('toPmml', ['target', 'columns'], options);
  const plan = planOf(model);
  const fields = new Fields(plan, target, columns);
  const { derived, tables } = scoreTables(plan, fields);
  const mining = Array.from(fields.all.keys(), (name) => element('MiningField', { name }));
  const regression = element('RegressionModel', { functionName: 'classification', normalizationMethod: 'softmax' }, [
    element('MiningSchema', {}, [element('MiningField', { name: target, usageType: 'target' }), ...mining]),
    output(plan.classes),
    ...(derived.length > 0 ? [element('LocalTransformations', {}, derived)] : []),
    ...tables,
  ]);
  const dictionary = element('DataDictionary', { numberOfFields: fields.all.size + 1 }, [
    ...fields.data(),
    targetField(target, plan.classes),
  ]);
  const header = element('Header', { description: `${plan.model} of Pólya` }, [
    element('Application', { name: 'Pólya' }),
  ]);
  const document = element('PMML', { xmlns: 'http://www.dmg.org/PMML-4_4', version: '4.4' }, [
    header,
    dictionary,
    regression,
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`;
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
