import { readFileSync } from 'node:fs';
import { DOMParser } from 'linkedom';
import { expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { type PmmlCase, pmmlCases } from '../../test/reference/exchange/pmml/models.ts';
import {
  AveragedOneDependenceNB,
  BernoulliNB,
  CategoricalNB,
  CountVectorizer,
  GaussianNB,
  KernelNB,
  MixedNB,
  MultinomialNB,
  makePipeline,
  PoissonNB,
} from '../index.ts';
import { toPmml } from './pmml.ts';

interface Recorded {
  readonly name: string;
  readonly pmml: string;
  readonly answers: readonly (readonly string[])[];
}

const url = new URL('../../test/reference/exchange/pmml/scores.json', import.meta.url);
const recorded = JSON.parse(readFileSync(url, 'utf8')) as Recorded[];
const named = pmmlCases.map((own) => [own.name, own] as const);
const recordOf = ({ name }: PmmlCase) => recorded.find((own) => own.name === name)!;

const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;

test.each(named)('%s: JPMML scored the document that is written today', (_, own) => {
  const [today, then] = [toPmml(own.model), recordOf(own).pmml];
  expect(today.replace(NUMBER, '#')).toBe(then.replace(NUMBER, '#'));
  const [numbers, before] = [today, then].map((text) => text.match(NUMBER)!.map(Number));
  numbers.forEach((value, k) => {
    const close = Math.abs(value - before[k]) <= 1e-9 * Math.max(1e-9, Math.abs(value)); // logarithms may round differently elsewhere
    if (!close)
      expect.fail(`${value} was ${before[k]} when it was scored: run test/reference/exchange/pmml/record.mts`);
  });
});

test.each(named)('%s: JPMML answered what the library answers, within 1e-9', (_, own) => {
  const { answers } = recordOf(own);
  expect(answers.length).toBe(own.rows.length + own.refused.length);
  own.given.forEach((row, i) => {
    const [label, ...probabilities] = answers[i];
    const proba = own.model.predictProba([row] as never).row(0);
    expect(label).toBe(String(own.model.predict([row] as never)[0]));
    probabilities.forEach((text, c) => {
      if (!(Math.abs(Number(text) - proba[c]) <= 1e-9)) expect.fail(`row ${i}, class ${c}: ${text} is not ${proba[c]}`);
    });
  });
  for (const answer of answers.slice(own.rows.length)) expect(answer[0]).toBe('invalid');
});

/** The children of each element in their order ('?' at most one, '*' any number, '+' one at least), and the attributes it must have. */
const structure: Readonly<Record<string, readonly [children: string, ...attributes: string[]]>> = {
  PMML: ['Header DataDictionary NaiveBayesModel? RegressionModel?', 'version', 'xmlns'],
  Header: ['Application?'],
  Application: ['', 'name'],
  DataDictionary: ['DataField+'],
  DataField: ['Interval* Value*', 'name', 'optype', 'dataType'],
  Value: ['', 'value'],
  Interval: ['', 'closure'],
  MiningSchema: ['MiningField+'],
  MiningField: ['', 'name'],
  Output: ['OutputField+'],
  OutputField: ['', 'name', 'dataType', 'feature', 'value'],
  NaiveBayesModel: ['MiningSchema Output? BayesInputs BayesOutput', 'threshold', 'functionName'],
  BayesInputs: ['BayesInput+'],
  BayesInput: ['TargetValueStats? DerivedField? PairCounts*', 'fieldName'],
  TargetValueStats: ['TargetValueStat+'],
  TargetValueStat: ['GaussianDistribution? PoissonDistribution?', 'value'],
  GaussianDistribution: ['', 'mean', 'variance'],
  PoissonDistribution: ['', 'mean'],
  PairCounts: ['TargetValueCounts', 'value'],
  TargetValueCounts: ['TargetValueCount+'],
  TargetValueCount: ['', 'value', 'count'],
  BayesOutput: ['TargetValueCounts', 'fieldName'],
  DerivedField: ['Discretize? Apply?', 'name', 'optype', 'dataType'],
  Discretize: ['DiscretizeBin+', 'field'],
  DiscretizeBin: ['Interval', 'binValue'],
  Apply: ['FieldRef Constant', 'function'],
  FieldRef: ['', 'field'],
  Constant: ['', 'dataType'],
  RegressionModel: [
    'MiningSchema Output? LocalTransformations? RegressionTable+',
    'functionName',
    'normalizationMethod',
  ],
  LocalTransformations: ['DerivedField+'],
  RegressionTable: ['NumericPredictor* PredictorTerm*', 'intercept', 'targetCategory'],
  NumericPredictor: ['', 'name', 'coefficient'],
  PredictorTerm: ['FieldRef+', 'coefficient'],
};

function expectStructure(element: Element): void {
  const [children, ...attributes] =
    structure[element.tagName] ?? expect.fail(`${element.tagName} is not expected here`);
  const own = [...element.children];
  const order = children.replace(/(\w+)/g, '(?:$1 )').replaceAll(' (', '(').trim();
  expect(own.map(({ tagName }) => `${tagName} `).join(''), element.tagName).toMatch(new RegExp(`^${order}$`));
  for (const name of attributes) expect(element.hasAttribute(name), `${element.tagName} ${name}`).toBe(true);
  for (const child of own) expectStructure(child);
}

test.each(named)('%s: elements stand in the order of PMML 4.4, with the attributes that they need', (_, own) => {
  const text = toPmml(own.model);
  expect(text).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<PMML xmlns="http:\/\/www\.dmg\.org\/PMML-4_4" version="4\.4">/,
  );
  const { documentElement } = new DOMParser().parseFromString(text, 'text/xml');
  expectStructure(documentElement as unknown as Element);
  const fields = [...documentElement.querySelectorAll('DataField')].map((field) => field.getAttribute('name'));
  expect(fields.length).toBe(own.fields.length + 1);
});

test('a structure that is wrong is found', () => {
  const text = toPmml(pmmlCases[0].model);
  const broken = [
    text.replace(' threshold="0"', ''),
    text.replace(/<Output>.*<\/Output>/s, ''),
    text.replace(/(<BayesInputs>.*<\/BayesInputs>)\s*(<BayesOutput.*<\/BayesOutput>)/s, '$2$1'),
    text.replace(/<Header.*<\/Header>/s, ''),
  ];
  for (const [k, wrong] of broken.entries()) {
    const { documentElement } = new DOMParser().parseFromString(wrong, 'text/xml');
    const check = () => expectStructure(documentElement as unknown as Element);
    if (k === 1)
      check(); // an output may be absent
    else expect(check).toThrow();
  }
});

const X = [[1, 2], [2, 1], [0, 3], [3, 0]]; // biome-ignore format: rows
const y = ['a', 'b', 'a', 'b'];

test('what PMML cannot say is refused', () => {
  const texts = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(['aa bb', 'cc dd'], ['a', 'b']);
  const lists = new MixedNB({ columns: { words: 'multinomial' } }).fit(
    [{ words: [1, 2] }, { words: [2, 0] }] as never,
    ['a', 'b'],
  );
  for (const model of [
    texts,
    lists,
    new KernelNB().fit(X, y),
    new AveragedOneDependenceNB().fit(X, y),
    new GaussianNB({ rule: 'bayes', prior: { mean: 0, kappa: 1, a: 1, b: 1 } }).fit(X, y),
    new PoissonNB({ predictive: true }).fit(X, y),
    new MultinomialNB({ alpha: 0 }).fit(
      [
        [1, 0],
        [0, 1],
      ],
      ['a', 'b'],
    ),
  ]) {
    expect(refusalOf(() => toPmml(model)).code).toBe('E_CONFLICT');
  }
});

test('names are given, escaped, and told apart', () => {
  const model = new GaussianNB().fit(X, y);
  const text = toPmml(model, { target: 'a<b>&"c"\n', columns: ['x', '\t'] });
  expect(text).toContain('name="a&lt;b&gt;&amp;&quot;c&quot;&#10;"');
  expect(text).toContain('name="&#9;"');
  expect(refusalOf(() => toPmml(model, { target: 'x0' })).code).toBe('E_FEATURE_DUPLICATE');
  expect(refusalOf(() => toPmml(model, { columns: ['x'] })).code).toBe('E_PARAM');
  expect(refusalOf(() => toPmml(model, { target: 'a\u0001' })).code).toBe('E_IDENTIFIER');
  const unknown = new CategoricalNB().fit([['(unknown)'], ['x']], ['a', 'b']);
  expect(refusalOf(() => toPmml(unknown)).code).toBe('E_CONFLICT');
  expect(toPmml(new BernoulliNB().fit(X, y))).toContain('x0 &gt; 0');
});
