import { readFileSync } from 'node:fs';
import { DOMParser } from 'linkedom';
import { expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { fieldsOf } from '../../test/exchange/pmml.ts';
import { chosen, drawn, subjects } from '../../test/exchange-subjects.ts';
import { type PmmlCase, pmmlCases } from '../../test/reference/exchange/pmml/models.ts';
import {
  AveragedOneDependenceNB,
  CountVectorizer,
  GaussianNB,
  MixedNB,
  MultinomialNB,
  makePipeline,
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
  for (const answer of answers.slice(own.rows.length)) expect(answer[0]).toBe('null');
});

/** The children of each element in their order ('?' at most one, '*' any number, '+' one at least), and the attributes it must have. */
const structure: Readonly<Record<string, readonly [children: string, ...attributes: string[]]>> = {
  PMML: ['Header DataDictionary RegressionModel', 'version', 'xmlns'],
  Header: ['Application?'],
  Application: ['', 'name'],
  DataDictionary: ['DataField+'],
  DataField: ['Value*', 'name', 'optype', 'dataType'],
  Value: ['', 'value'],
  MiningSchema: ['MiningField+'],
  MiningField: ['', 'name'],
  Output: ['OutputField+'],
  OutputField: ['', 'name', 'dataType', 'feature', 'value'],
  DerivedField: ['Apply? MapValues? FieldRef? Constant?', 'name', 'optype', 'dataType'],
  Apply: ['(?:FieldRef |Constant |Apply )+', 'function'],
  MapValues: ['FieldColumnPair InlineTable', 'outputColumn'],
  FieldColumnPair: ['', 'field', 'column'],
  InlineTable: ['row+'],
  row: ['level code'],
  level: [''],
  code: [''],
  FieldRef: ['', 'field'],
  Constant: ['', 'dataType'],
  RegressionModel: [
    'MiningSchema Output? LocalTransformations? RegressionTable+',
    'functionName',
    'normalizationMethod',
  ],
  LocalTransformations: ['DerivedField+'],
  RegressionTable: ['NumericPredictor*', 'intercept', 'targetCategory'],
  NumericPredictor: ['', 'name', 'coefficient'],
};

function expectStructure(element: Element): void {
  const [children, ...attributes] =
    structure[element.tagName] ?? expect.fail(`${element.tagName} is not expected here`);
  const own = [...element.children];
  const order = children.startsWith('(')
    ? children
    : children.replace(/(\w+)/g, '(?:$1 )').replaceAll(' (', '(').trim();
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
    text.replace(' intercept="0"', ''),
    text.replace(/<Output>.*<\/Output>/s, ''),
    text.replace(/(<MiningSchema>.*<\/MiningSchema>)\s*(<Output>.*<\/Output>)/s, '$2$1'),
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

/** What an expression of a document is worth; null is missing. */
function valueOf(own: Element, fields: ReadonlyMap<string, unknown>): unknown {
  if (own.tagName === 'FieldRef') return fields.get(own.getAttribute('field')!) ?? null;
  if (own.tagName === 'Constant') {
    if (own.getAttribute('missing')) return null;
    const [text, type] = [own.textContent, own.getAttribute('dataType')];
    return type === 'string' ? text : type === 'boolean' ? text === 'true' : Number(text);
  }
  if (own.tagName === 'MapValues') {
    const given = fields.get(own.querySelector('FieldColumnPair')!.getAttribute('field')!);
    const row = [...own.querySelectorAll('row')].find((one) => one.querySelector('level')!.textContent === given);
    const code = row?.children[1].textContent ?? own.getAttribute('defaultValue');
    return code === null ? null : Number(code);
  }
  const name = own.getAttribute('function')!;
  const [first, ...rest] = [...own.children];
  const value = (operand: Element) => valueOf(operand, fields);
  const x = value(first);
  if (name === 'isMissing') return x === null;
  if (name === 'if') return x === null ? null : value(rest[x === true ? 0 : 1]);
  const all = [x, ...rest.map(value)];
  if (name === 'or' && all.includes(true)) return true;
  if (name === 'and' && all.includes(false)) return false;
  if (all.includes(null)) return own.getAttribute('mapMissingTo') === 'false' ? false : null;
  const [a, b, ...more] = all as never[];
  return functions[name](a, b, ...more);
}

const functions: Readonly<Record<string, (x: never, y: never, ...more: never[]) => unknown>> = {
  '+': (x: number, y: number) => x + y,
  '-': (x: number, y: number) => x - y,
  '*': (x: number, y: number) => x * y,
  '/': (x: number, y: number) => x / y,
  max: Math.max,
  min: Math.min,
  exp: Math.exp,
  ln: Math.log,
  sqrt: Math.sqrt,
  abs: Math.abs,
  floor: Math.floor,
  sin: Math.sin,
  lessThan: (x: number, y: number) => x < y,
  lessOrEqual: (x: number, y: number) => x <= y,
  equal: (x: unknown, y: unknown) => x === y,
  not: (x: boolean) => !x,
  and: () => true,
  or: () => false,
  trimBlanks: (x: unknown) => String(x).trim(),
  stringLength: (x: string) => x.length,
  isIn: (x: unknown, ...words: unknown[]) => words.includes(x),
};

/** The probabilities that a document of derived fields gives a row, in the order of its tables. */
function probabilitiesOf(root: Element, row: Readonly<Record<string, unknown>>): (number | null)[] {
  const fields = new Map(Object.entries(row));
  for (const field of root.querySelectorAll('DerivedField')) {
    fields.set(field.getAttribute('name')!, valueOf(field.children[0], fields));
  }
  const scores = [...root.querySelectorAll('RegressionTable')].map((own) =>
    [...own.children].reduce<number | null>(
      (sum, predictor) => {
        const value = fields.get(predictor.getAttribute('name')!) as number | null;
        return sum === null || value === null ? null : sum + Number(predictor.getAttribute('coefficient')) * value;
      },
      Number(own.getAttribute('intercept')),
    ),
  );
  if (scores.includes(null)) return scores.map(() => null);
  const exps = (scores as number[]).map(Math.exp);
  return exps.map((own) => own / exps.reduce((sum, other) => sum + other, 0));
}

const columns = [...subjects, ...chosen].filter(({ name }) => !/Vectorizer|square roots|text|both/.test(name));

/** Rows with a missing parent get no answer. */
const silent = /KDependence|decide together/;

test.each(columns.map((subject) => [subject.name, subject] as const))(
  '%s: derived fields give the probabilities of the library, or the reason is given',
  (name, subject) => {
    const { model, rows } = drawn(subject, 3);
    if (/review|ColumnTransformer|^MixedNB$|^Classifier, mixed/.test(name))
      return void expect(refusalOf(() => toPmml(model)).code).toBe('E_CONFLICT');
    const text = toPmml(model);
    const { documentElement } = new DOMParser().parseFromString(text, 'text/xml');
    expectStructure(documentElement as unknown as Element);
    const proba = model.predictLogProba(rows as never, { strict: false });
    rows.forEach((row, i) => {
      const given = probabilitiesOf(documentElement as unknown as Element, fieldsOf(model, row));
      given.forEach((p, c) => {
        const close = p === null ? silent.test(name) : Math.abs(p - Math.exp(proba.row(i)[c])) <= 1e-9;
        if (!close) expect.fail(`row ${JSON.stringify(row)}, class ${c}: ${p} is not ${Math.exp(proba.row(i)[c])}`);
      });
    });
  },
);

test('what PMML cannot say is refused', () => {
  const texts = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(['aa bb', 'cc dd'], ['a', 'b']);
  const lists = new MixedNB({ columns: { words: 'multinomial' } }).fit(
    [{ words: [1, 2] }, { words: [2, 0] }] as never,
    ['a', 'b'],
  );
  const levels = Array.from({ length: 240 }, (_, i) => [i >> 1, i >> 1]);
  const many = new AveragedOneDependenceNB().fit(levels, levels.map((_, i) => i % 2)); // biome-ignore format: short
  for (const model of [texts, lists, many]) {
    expect(refusalOf(() => toPmml(model)).code).toBe('E_CONFLICT');
  }
});

test('names can be given, are escaped, and must differ', () => {
  const model = new GaussianNB().fit(X, y);
  const text = toPmml(model, { target: 'a<b>&"c"\n', columns: ['x', '\t'] });
  expect(text).toContain('name="a&lt;b&gt;&amp;&quot;c&quot;&#10;"');
  expect(text).toContain('name="&#9;"');
  expect(refusalOf(() => toPmml(model, { target: 'x0' })).code).toBe('E_FEATURE_DUPLICATE');
  expect(refusalOf(() => toPmml(model, { columns: ['x'] })).code).toBe('E_PARAM');
  expect(refusalOf(() => toPmml(model, { target: 'a\u0001' })).code).toBe('E_IDENTIFIER');
});
