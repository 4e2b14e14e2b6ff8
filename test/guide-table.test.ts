import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as polya from '../src/index.ts';
import * as node from '../src/node.ts';

/** The names that the cells of the table use. */
const X = [
  [1, 0],
  [0, 2],
  [2, 1],
  [0, 1],
];
const y = ['a', 'b', 'a', 'b'];
const scope = {
  X: [...X, ...X, ...X],
  y: [...y, ...y, ...y],
  w: new Float64Array(12).fill(1),
  p: ['a', 'a', 'a', 'b', ...y, ...y],
  i: 0,
  lists: [...y, ...y, ...y].map((label, i) => (i % 3 === 0 ? ['a', 'b'] : [label])),
  ...polya,
  ...node,
};

/** The TypeScript column of the first table of a page. */
function cellsOf(page: string): string[] {
  const [table] = readFileSync(page, 'utf8').split('\n## ');
  return table.split('\n').flatMap((line) => {
    const cells = /^\| (.*) \| (.*) \|$/.exec(line);
    return cells && cells[1] !== 'Python' ? [cells[2]] : [];
  });
}

/** The programs of a cell; one that begins with a dot continues the first. */
function programsOf(cell: string): string[] {
  const [first, ...others] = Array.from(cell.matchAll(/`([^`]+)`/g), ([, code]) => code);
  return [first, ...others.map((code) => (code.startsWith('.') ? first + code : code))].filter(
    (code) => !/^[A-Z]\w+$|^polya/.test(code),
  );
}

function run(code: string): unknown {
  const text = code.includes('featureLogProb') || code.includes('classes');
  const model = text || !code.includes('theta') ? new polya.MultinomialNB() : new polya.GaussianNB();
  const names = {
    ...scope,
    model: model.fit(scope.X, scope.y),
    vec: new polya.CountVectorizer().fit(['a cat', 'a dog']),
    m: code.includes('multinomialnb__')
      ? polya.makePipeline(new polya.TfidfTransformer(), new polya.MultinomialNB())
      : model,
  };
  return new Function(...Object.keys(names), `return ${code}`)(...Object.values(names));
}

describe.each(['docs/guides/from-scikit-learn.md', 'docs/zh/guides/from-scikit-learn.md'])('%s', (page) => {
  const programs = cellsOf(page).flatMap(programsOf);

  test('has a table', () => expect(programs.length).toBeGreaterThan(15));

  test.each(programs)('%s', (code) => {
    const [, loader] = /^await (\w+)\(/.exec(code) ?? [];
    // A dataset that must be downloaded is looked up instead of run.
    expect(loader ? typeof Object(node)[loader] : run(code)).toSatisfy((value) =>
      loader ? value === 'function' : value !== undefined,
    );
  });
});
