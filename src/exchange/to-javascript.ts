import { requireOptions } from '../data/arguments.ts';
import { scoreCode } from './javascript/emit-scores.ts';
import { VectorCodes } from './javascript/emit-vectors.ts';
import { explainCode, toldTerm } from './javascript/explain.ts';
import { stringLiteral, valueLiteral } from './javascript/literals.ts';
import { ModuleText } from './javascript/module.ts';
import { declarationsOf } from './javascript/types.ts';
import { type Exportable, planOf } from './plan-of.ts';

/** How a module is written. */
export interface JavaScriptOptions {
  /** Add `explain` where the score is one sum over features; true by default. */
  readonly explain?: boolean | undefined;
}

/** An ES module without dependencies, and its declarations. */
export interface JavaScriptModule {
  readonly code: string;
  readonly types: string;
}

/**
 * A fitted model as one ES module that classifies: `classes`, `predict(x)`, `predictProba(x)`, `predictLogProba(x)`, and
 * `explain(x)` where the score is one sum over features. It imports nothing, holds only what this model needs, and adds up
 * in the order of the library, so that its answers are those of the library.
 */
export function toJavaScript(model: Exportable, options: JavaScriptOptions = {}): JavaScriptModule {
  const { explain = true } = requireOptions('toJavaScript', ['explain'], options);
  const plan = planOf(model);
  const module = new ModuleText();
  const vectors = new VectorCodes(module, plan);
  const score = scoreCode(module, plan, vectors);
  const told = explain ? explainCode(module, plan, vectors) : undefined;
  const argmax = module.use('argmax');
  const exported = [
    `export const classes = [${plan.classes.map(valueLiteral).join(', ')}];`,
    `export function predictLogProba(x) {\n  ${[...vectors.lines, `return Array.from(${score});`].join('\n  ')}\n}`,
    'export const predictProba = (x) => predictLogProba(x).map(Math.exp);',
    `export const predict = (x) => classes[${argmax}(predictLogProba(x))];`,
    ...(told ? [told.trim()] : []),
  ];
  const head = `// A ${stringLiteral(plan.model).slice(1, -1)} of ${plan.classes.length} classes, exported by Pólya.`;
  return {
    code: `${[head, module.toString(), ...exported].join('\n')}\n`,
    types: declarationsOf(plan, explain && toldTerm(plan) !== undefined),
  };
}
